"""Word similarity of every configuration on one source of tests: `python -m stages.lexical_contrast.measure SOURCE`.

data/models/lexical_contrast, data/raw/SOURCE -> data/evaluation/lexical_contrast/similarity/SOURCE.json
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from repline.errors import InputError
from repline.evaluation.word_vectors.benchmark_files import read_pairs
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import similarity
from repline.evaluation.word_vectors.suite import tests_of
from repline.files import write_json
from repline.systems.lexical_contrast.settings import read
from repline.vectors.store import words_and_matrix
from stages import run, word_vectors
from stages.lexical_contrast.prepare import SETS, read_sets

MODELS = Path("data/models/lexical_contrast")
SIMILARITY = Path("data/evaluation/lexical_contrast/similarity")


def main() -> None:
    settings, configurations = read()
    if sys.argv[1:] not in [[source] for source in settings.benchmarks]:
        raise InputError(f"expected a source of tests, one of: {', '.join(settings['benchmarks'])}")
    source = sys.argv[1]
    words, matrix = word_vectors.vectors(settings.vectors, settings.words)
    sets = {name: _names(words, pairs) for name, pairs in read_sets(words).items()}
    constrained = {"start": frozenset()} | {
        name: frozenset().union(*(sets[one] for one in (*found.attract, *found.repel)))
        for name, found in configurations.items()
    }
    result: dict[str, Any] = {}
    for test in (test for test in tests_of(source) if test.task == "similarity"):
        pairs, scores = read_pairs(word_vectors.DATA / "raw" / source / test.files[0])
        lower = [frozenset(word.lower() for word in pair) for pair in pairs]
        found: dict[str, Any] = {"pairs_in": {name: sum(pair in sets[name] for pair in lower) for name in SETS}}
        for name, embeddings in spaces(configurations, words, matrix):
            free = [place for place, pair in enumerate(lower) if pair not in constrained[name]]
            runs = [similarity(embedding, pairs, scores) for embedding in embeddings]
            apart = [
                similarity(embedding, [pairs[place] for place in free], np.asarray(scores)[free])["spearman"]
                for embedding in embeddings
            ]
            found[name] = {
                "spearman": _mean([each["spearman"] for each in runs]),
                "runs": [each["spearman"] for each in runs],
                "unconstrained": _mean(apart),
                "unconstrained_pairs": len(free),
                "kept": runs[0]["kept"],
                "pairs": runs[0]["pairs"],
            }
            print(f"{test.name:>12} {name:<18} {found[name]['spearman'] or 0:.4f}", flush=True)
        result[re.sub(r"\W", "_", test.name.lower())] = found
    write_json(SIMILARITY / f"{source}.json", result)


def spaces(names: Iterable[str], words: list[str], matrix: np.ndarray) -> Iterator[tuple[str, list[Embedding]]]:
    """The start space, and for each configuration those of its runs, one after another."""
    yield "start", [Embedding(words, matrix)]
    for name in names:
        runs = sorted((MODELS / name).glob("seed-*"), key=lambda run: int(run.name.removeprefix("seed-")))
        yield name, [Embedding(*words_and_matrix(each)) for each in runs]


def _names(words: list[str], pairs: np.ndarray) -> frozenset[frozenset[str]]:
    return frozenset(frozenset((words[left], words[right])) for left, right in pairs.tolist())


def _mean(values: list[float | None]) -> float | None:
    return None if None in values else float(np.mean(values))


if __name__ == "__main__":
    run(main)
