"""Write what was measured into README, docs and the systems' pages: `python -m stages.upkeep.result_tables [--check]`.

It writes tables, and the numbers of placeholders in prose (`repline.report.quoted_numbers`). Run it by hand or by
`make reference`; no stage writes a page.
"""

import argparse
import functools
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from repline import parameters
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.evaluation.claims.published import Published
from repline.evaluation.evaluations import Metrics
from repline.parameters import Values
from repline.report import content, gallery, quoted_numbers, readme, reference, result_page
from repline.report.ledger import ledger_page, published_cells
from repline.report.ledger.published_cells import Cell
from repline.report.result_records import ReferenceResults
from repline.sources.catalogue import find_source, load_sources, public_counts
from stages import reference_results

SOURCE_PROFILES = ("real", "paper")


def main(arguments: list[str]) -> int:
    """Write the blocks that differ; with --check only name their files, and return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m stages.upkeep.result_tables", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, and exit with 1 if a file differs")
    options = parser.parse_args(arguments)
    changed = write(options.check)
    for path in changed:
        print(f"{path}: {'not as `python -m stages.upkeep.result_tables` writes it' if options.check else 'written'}")
    return int(options.check and bool(changed))


def write(check: bool = False) -> list[str]:
    """Write the generated blocks and return the files that changed; `check`: return them without writing."""
    references = reference.read()
    papers = {path.parent.name: published.read(path) for path in sorted(Path("stages").glob("*/published.yaml"))}
    cells = {name: cells_of(name, paper, references) for name, paper in papers.items()}
    every_cell = [cell for system_cells in cells.values() for cell in system_cells]
    params = parameters.read()
    older = reference_results.older(references, params)
    blocks = [
        ("README.md", "gallery", gallery.table(papers, references, older)),
        ("README.md", "ledger", ledger_page.sentence(every_cell)),
        ("docs/ledger.md", "ledger", ledger_page.page(papers, cells)),
    ]
    changed = {path for path, name, text in blocks if readme.replace(path, name, text, check)}
    for name, paper in papers.items():
        path = f"stages/{name}/README.md"
        claims = judgement.read(f"stages/{name}/claims.yaml")
        sources = quoted_numbers.sources(name, references, params, metrics(name))
        fill = functools.partial(quoted_numbers.fill, sources=sources, path=path)
        system_cells = ledger_page.of_system(paper, cells[name])
        results = fill(result_page.page(references, name, claims, system_cells, older.get(name)))
        if readme.replace(path, "results", results, check) | readme.rewrite(path, fill, check):
            changed.add(path)
    for path in sorted(map(str, Path("docs").glob("*.md"))):
        if quoted_numbers.addresses(Path(path).read_text(encoding="utf-8")):
            fill = functools.partial(quoted_numbers.fill, sources={"sources": source_counts(params)}, path=path)
            if readme.rewrite(path, fill, check):
                changed.add(path)
    return sorted(changed)


def cells_of(name: str, paper: Published, references: Mapping[str, ReferenceResults]) -> list[Cell]:
    """The published numbers of a system, with what the reference results have for each."""
    numbers = published_cells.of_references(references, name)
    return published_cells.cells(content.tables(paper, {}), numbers, paper.differences)


def source_counts(params: Values) -> dict[str, dict[str, int]]:
    """By profile, how many of the files that it needs everybody can get; for docs, as `sources:real/files`."""
    sources = load_sources()
    counts = {}
    for profile in SOURCE_PROFILES:
        path = f"profiles/{profile}.yaml"
        names = parameters.merge(params, parameters.read(path), path)["acquire"]["sources"]
        counts[profile] = public_counts(find_source(sources, name) for name in names)
    return counts


def metrics(name: str, root: Path = Path()) -> Metrics:
    """The metrics.json of a system; empty where it was not evaluated."""
    path = root / "data/evaluation" / name / "metrics.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:
        sys.exit(f"stages.upkeep.result_tables: {error}")
