"""Write what each stage depends on into the dvc.yaml files: `make deps`.

`python -m stages.upkeep.dependencies --check` only names the files that differ.

Nothing is run. Generated are

- in every stage's `params`: the key of its command in data/code.json, the digest of the code that it can reach;
- for the report: the records, evaluations, corpora and parameters of every system, and the page's templates and styles;
- versions.yaml: the pinned versions of the libraries that results depend on.

All other lines, the data a stage reads above all, are written by hand and stay as they are.
"""

import argparse
import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from repline import yaml_text
from repline.errors import InputError
from repline.files import new_file
from stages.code import project

VERSIONS = "versions.yaml"
REPORT, ACQUIRE = "stages.report", "stages.acquire"
PAGE_FILES = ("repline/report/*.html", "repline/report/*.css", "repline/report/*.js")  # what the page is rendered from


def main(arguments: list[str]) -> int:
    """Write the files that differ; with --check only name them, and return 1 if there are any."""
    parser = argparse.ArgumentParser(
        prog="python -m stages.upkeep.dependencies",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--check", action="store_true", help="write nothing, and exit with 1 if a file differs")
    options = parser.parse_args(arguments)
    root = Path.cwd()
    texts = generated(root)
    different = [path for path, text in sorted(texts.items()) if _read(root / path) != text]
    for path in different:
        if options.check:
            print(f"{path}: not as `make deps` writes it", file=sys.stderr)
        else:
            with new_file(root / path) as partial:
                partial.write_text(texts[path], encoding="utf-8")
            print(f"{path}: written")
    return int(bool(different) and options.check)


def generated(root: Path) -> dict[str, str]:
    """The text that each generated file should have, by its path from `root`.

    Raises:
        InputError: a stage runs a module that is not there.
    """
    code = project.read(root)
    texts: dict[str, str] = {}
    for path in [root / "dvc.yaml", *sorted(root.glob("stages/*/dvc.yaml"))]:
        document = _yaml().load(path.read_text(encoding="utf-8"))
        for name, stage in document["stages"].items():
            stage = stage.get("do", stage)
            command = _module(stage["cmd"])
            if command is None or stage.get("always_changed"):
                continue
            if not code.modules.has(command):
                raise InputError(f"{path}: stage {name} runs {command}, and there is no such module")
            _write_inputs(stage, command, root)
        texts[str(path.relative_to(root))] = _dump(document)
    pins = project.pinned(root)
    head = "# The library versions that results hang on, from the requirements files; written by `make deps`.\n"
    used = sorted(project.libraries(code, pins, root))
    texts[VERSIONS] = head + "".join(f"{name}: {pins[name]}\n" for name in used)
    code.modules.save()
    return texts


def _write_inputs(stage: CommentedMap, command: str, root: Path) -> None:
    """Write into a stage what it depends on: the digest of its code, and the files and parameters of the report."""
    by_hand = list(stage.get("deps", ()))
    parameters = [item for item in stage.get("params", ()) if not _names_code(item)]
    digests = [command]
    if command == REPORT:
        by_hand, shown = _report_inputs(root)
        parameters = ["profile", *shown]
    if command == ACQUIRE:
        digests.append("sources.${item.source}")
    stage["deps"] = _sequence(by_hand)
    stage["params"] = _sequence([*parameters, {str(project.DIGESTS): _sequence(digests)}])
    _place(stage, "deps", after="wdir" if "wdir" in stage else "cmd")
    _place(stage, "params", after="deps" if "deps" in stage else "wdir" if "wdir" in stage else "cmd")


def _report_inputs(root: Path) -> tuple[list[str], list[str]]:
    """The files that the report reads, and the sections of params.yaml that it shows.

    It reads of every system its two records and its evaluation, and the page's templates and styles. It shows the cards
    of its corpora too, of those that are there: a profile makes other corpora than the default one, and DVC has no
    input that may be missing.
    """
    tables = ("segmentation", "word_vector_suite", "sentence_suite")
    files, sections = {f"data/evaluation/{table}/table.json" for table in tables}, set()
    files |= {path.relative_to(root).as_posix() for pattern in PAGE_FILES for path in root.glob(pattern)}
    for path in root.glob("stages/*/published.yaml"):
        name = path.parent.name
        system = yaml_text.parse(path.read_text(encoding="utf-8"))["system"]
        files |= {f"stages/{name}/{record}.yaml" for record in ("claims", "published")}
        files |= {f"data/evaluation/{name}/{file}.json" for file in ("claims", "figures", "metrics")}
        files.add(f"data/evaluation/{name}/replicates.parquet")
        sections |= set(system.get("parameters", []))
    return sorted(files), sorted(sections)


def _module(command: str) -> str | None:
    words = command.split()
    return words[2] if words[:2] == ["python", "-m"] else None


def _names_code(item: Any) -> bool:
    return isinstance(item, dict) and str(project.DIGESTS) in item


def _sequence(items: Iterable[Any]) -> CommentedSeq:
    sequence = CommentedSeq(items)
    sequence.fa.set_block_style()
    return sequence


def _place(stage: CommentedMap, key: str, after: str) -> None:
    value = stage.pop(key)
    if value:
        stage.insert(list(stage).index(after) + 1 if after in stage else len(stage), key, value)


def _yaml() -> YAML:
    setting = YAML()
    setting.width = 120
    setting.indent(mapping=2, sequence=4, offset=2)
    setting.preserve_quotes = True
    return setting


def _dump(document: CommentedMap) -> str:
    stream = io.StringIO()
    _yaml().dump(document, stream)
    return stream.getvalue()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:
        sys.exit(f"stages.upkeep.dependencies: {error}")
