"""Word similarity of every configuration on one source of tests: `python -m stages.lexical_contrast.measure SOURCE`.

data/models/lexical_contrast, data/raw/SOURCE -> data/evaluation/lexical_contrast/similarity/SOURCE/: scores.json, and
replicates.parquet, the scores on resampled pairs and runs.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from repline.errors import InputError
from repline.evaluation.replication.bootstrap import side_by_side, together
from repline.evaluation.replication.replicate_files import write as write_replicates
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.evaluation.word_vectors.benchmark_files import read_pairs
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines
from repline.evaluation.word_vectors.suite import tests_of
from repline.files import new_folder, write_json
from repline.systems.lexical_contrast.evaluation import (
    in_constraints,
    similarity_of,
)
from repline.systems.lexical_contrast.settings import read
from repline.vectors.store import load_matrix
from stages import run, word_vectors
from stages.lexical_contrast.prepare import SETS, constraints, read_sets

MODELS = Path("data/models/lexical_contrast")
SIMILARITY = Path("data/evaluation/lexical_contrast/similarity")


def main() -> None:
    settings, configurations = read()
    if sys.argv[1:] not in [[source] for source in settings.benchmarks]:
        raise InputError(f"expected a source of tests, one of: {', '.join(settings.benchmarks)}")
    source = sys.argv[1]
    words, matrix = word_vectors.vectors(settings.vectors, settings.words)
    rows = read_sets(words)
    sets = {name: names(words, rows[name]) for name in SETS}
    constrained = {
        name: names(words, np.concatenate(constraints(rows, chosen))) for name, chosen in configurations.items()
    }
    tests = {}
    for test in (test for test in tests_of(source) if test.task == "similarity"):
        pairs, scores = read_pairs(word_vectors.DATA / "raw" / source / test.files[0])
        tests[re.sub(r"\W", "_", test.name.lower())] = (pairs, np.asarray(scores), weights_of(len(pairs)))
    start = Embedding(words, matrix)
    result: dict[str, Any] = {
        test: {"pairs_in": {name: int(in_constraints(pairs, found).sum()) for name, found in sets.items()}}
        for test, (pairs, _, _) in tests.items()
    }
    repeated = []
    for name, embeddings in spaces(configurations, start):
        parts = {}
        for test, (pairs, scores, weights) in tests.items():
            free = np.zeros(len(pairs), dtype=bool)  # nothing to compare the start with
            if name in constrained:
                free = ~in_constraints(pairs, constrained[name])
            runs = [similarity_of(embedding, pairs, scores, weights, free, start) for embedding in embeddings]
            known = pair_cosines(embeddings[0], pairs)[1]
            result[test][name] = numbers(runs) | {
                "runs": [float(run["spearman"][0]) for run in runs],
                "unconstrained_pairs": int((known & free).sum()),
                "kept": int(known.sum()),
                "pairs": len(pairs),
            }
            parts[test] = replicates(runs)
            print(f"{test:>12} {name:<18} {result[test][name]['spearman'] or 0:.4f}", flush=True)
        repeated.append(side_by_side(**{name: side_by_side(**parts)}))
    with new_folder(SIMILARITY / source) as folder:
        write_json(folder / "scores.json", result)
        write_replicates(folder / "replicates.parquet", together(*repeated))


def spaces(names: Iterable[str], start: Embedding) -> Iterator[tuple[str, list[Embedding]]]:
    """The start space, and for each configuration those of its runs, one after another."""
    yield "start", [start]
    for name in names:
        runs = sorted((MODELS / name).glob("seed-*"), key=lambda run: int(run.name.removeprefix("seed-")))
        yield name, [start.with_matrix(load_matrix(each)) for each in runs]


def names(words: list[str], pairs: np.ndarray) -> frozenset[frozenset[str]]:
    """Pairs of rows as pairs of words."""
    return frozenset(frozenset((words[left], words[right])) for left, right in pairs.tolist())


if __name__ == "__main__":
    run(main)
