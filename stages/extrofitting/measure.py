"""One lexicon and one source of tests: `python -m stages.extrofitting.measure wordnet_all word_benchmarks`.

data/models/extrofitting, data/raw/<source> -> data/evaluation/extrofitting/lexicons/<lexicon>-<source>/: scores.json,
and replicates.parquet, the scores on resampled pairs; both by the name of the vectors.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

from repline.errors import InputError
from repline.evaluation.claims import published
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.replicate_files import write as write_replicates
from repline.evaluation.replication.weighted_draws import as_parts
from repline.evaluation.word_vectors.benchmark_files import read_pairs
from repline.evaluation.word_vectors.suite import tests_of
from repline.files import new_folder, write_json
from repline.parameters import load as load_parameters
from repline.systems.extrofitting import evaluation
from repline.systems.extrofitting.model import notebook_labels
from repline.systems.extrofitting.settings import Settings
from repline.vectors.store import load_matrix
from stages import run, word_vectors
from stages.extrofitting import start
from stages.extrofitting.train import MODELS, read_edges, the_lexicon

LEXICONS = Path("data/evaluation/extrofitting/lexicons")


def main() -> None:
    settings = load_parameters(Settings, "extrofitting")
    lexicon = the_lexicon(settings, sys.argv[1:2])
    if sys.argv[2:] not in [[source] for source in settings.benchmarks]:
        raise InputError(f"expected a source of tests, one of: {', '.join(settings.benchmarks)}")
    source = sys.argv[2]
    tests = {
        key(test.name): read_pairs(word_vectors.DATA / "raw" / source / test.files[0])
        for test in tests_of(source)
        if test.task == "similarity"
    }
    results, parts = {}, {}
    for name in settings.vectors:
        results[name], parts[name] = of_vectors(settings, lexicon, name, tests)
    with new_folder(LEXICONS / f"{lexicon}-{source}") as folder:
        write_json(folder / "scores.json", results)
        write_replicates(folder / "replicates.parquet", side_by_side(**parts))


def of_vectors(
    settings: Settings, lexicon: str, name: str, tests: dict[str, Any]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The metrics and replicates of one lexicon in one table of vectors."""
    folder, seed = MODELS / lexicon / name, settings.orders[0]
    words, matrix = start.read(name)
    edges = read_edges(folder)
    fitted = {"base": matrix} | {
        method: load_matrix(folder / method) for method in ("extrofitting", "edges", "retrofitting")
    }
    variants = fitted | evaluation.controls(matrix, edges, settings.orders)
    result, repeated = evaluation.similarities(words, variants, tests, seed)
    orders = [f"{evaluation.ORDER}{seed}" for seed in settings.orders]
    for method in variants:
        line = "  ".join(f"{test} {scores['spearman'] or 0:.4f}" for test, scores in result[method].items())
        print(f"{name} {lexicon:>12} {method:<24} {line}", flush=True)
    result["orders"] = {test: [result[order][test]["spearman"] for order in orders] for test in tests}
    repeated["orders"] = {
        test: np.stack([repeated[order][test]["spearman"] for order in orders], axis=1) for test in tests
    }
    for order in orders:
        del result[order], repeated[order]
    result["outside"], repeated["outside"] = evaluation.outside(fitted, edges, settings.sample)
    result |= {
        "heads": json.loads((folder / "counts.json").read_text(encoding="utf-8"))["heads"],
        "linked": len(np.unique(edges[:, 0])),
        "edge_count": len(edges),
        "classes": len(np.unique(notebook_labels(edges, len(words), seed))),
        "words": len(words),
    }
    return result | evaluation.neighbours(words, fitted, printed_neighbours()), as_parts(repeated)


def printed_neighbours() -> dict[str, list[str]]:
    """The words of the paper's table of neighbours, by cue."""
    tables = published.read("stages/extrofitting/published.yaml")["tables"]
    wanted: dict[str, list[str]] = {}
    for row in next(found for found in tables if found["id"] == "neighbours")["rows"]:
        cue, word = row["item"].split(": ")
        wanted.setdefault(cue, []).append(word)
    return wanted


def key(name: str) -> str:
    """The name of a test as the name of a metric: SimLex-999 -> simlex_999."""
    return re.sub(r"\W", "_", name.lower())


if __name__ == "__main__":
    run(main)
