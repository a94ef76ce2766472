"""One lexicon and one source of tests: `python -m stages.extrofitting.measure wordnet_all word_benchmarks`.

data/vectors/extrofitting-<lexicon>*, data/raw/<source> -> data/evaluation/extrofitting/lexicons/<lexicon>-<source>.json
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

from repline.errors import InputError
from repline.evaluation.claims import published
from repline.evaluation.word_vectors.benchmark_files import read_pairs
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import similarity
from repline.evaluation.word_vectors.suite import Test, tests_of
from repline.files import write_json
from repline.parameters import load as load_parameters
from repline.systems.extrofitting import model as extrofitting
from repline.systems.extrofitting.random_missing import spearman_with_random_missing
from repline.systems.extrofitting.settings import Settings
from repline.vectors.store import load_matrix
from stages import run, word_vectors
from stages.extrofitting.train import NEIGHBOURS, folder, read_edges, start, the_lexicon

LEXICONS = Path("data/evaluation/extrofitting/lexicons")
NEAREST = 10


def main() -> None:
    settings = load_parameters(Settings, "extrofitting")
    lexicon = the_lexicon(settings, sys.argv[1:2])
    if sys.argv[2:] not in [[source] for source in settings.benchmarks]:
        raise InputError(f"expected a source of tests, one of: {', '.join(settings.benchmarks)}")
    source, order = sys.argv[2], settings.orders[0]
    words, matrix = start(settings)
    edges = read_edges(lexicon)
    fitted = {
        "base": matrix,
        "extrofitting": load_matrix(folder(lexicon, "extrofitting")),
        "edges": load_matrix(folder(lexicon, "edges")),
        "retrofitting": load_matrix(folder(lexicon, "retrofitting")),
    }
    variants = fitted | controls(matrix, edges, settings.orders)
    tests = [test for test in tests_of(source) if test.task == "similarity"]
    result: dict[str, Any] = {
        method: {
            key(test.name): measured(words, found, test, word_vectors.DATA / "raw" / source, order) for test in tests
        }
        for method, found in variants.items()
    }
    result |= {
        "heads": json.loads((NEIGHBOURS / lexicon / "counts.json").read_text(encoding="utf-8"))["heads"],
        "linked": len(np.unique(edges[:, 0])),
        "edge_count": len(edges),
        "classes": len(np.unique(extrofitting.notebook_labels(edges, len(words), order))),
        "words": len(words),
        "checks": checks(matrix, edges, settings),
        "outside": outside(fitted, edges, settings.sample),
    }
    result |= neighbours(words, fitted)
    write_json(LEXICONS / f"{lexicon}-{source}.json", result)
    for method in variants:
        line = "  ".join(f"{name} {scores['spearman'] or 0:.4f}" for name, scores in result[method].items())
        print(f"{lexicon:>12} {method:<24} {line}", flush=True)


def controls(matrix: np.ndarray, edges: np.ndarray, orders: list[int]) -> dict[str, np.ndarray]:
    """The controls that separate the effect of the lexicon from that of centring and whitening."""
    count = len(matrix)
    labels = extrofitting.notebook_labels(edges, count, orders[0])
    permuted = extrofitting.permuted_labels(labels, orders[0])
    among = extrofitting.permuted_labels(labels, orders[0], among=edges)
    return {
        "centred": extrofitting.project(matrix, np.eye(matrix.shape[1])),
        "whitened": whitened(matrix, extrofitting.total_covariance(matrix)),
        "permuted": whitened(matrix, extrofitting.within_class_covariance(matrix, permuted)),
        "permuted_in_lexicon": whitened(matrix, extrofitting.within_class_covariance(matrix, among)),
        "components": extrofitting.extrofit(matrix, edges, labels="components"),
        "expanded": extrofitting.extrofit(extrofitting.expanded(matrix, edges), edges, seed=orders[0]),
    } | {f"order_{seed}": extrofitting.extrofit(matrix, edges, seed=seed) for seed in orders}


def whitened(matrix: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    return extrofitting.project(matrix, extrofitting.whitening(covariance))


def measured(words: list[str], vectors: np.ndarray, test: Test, raw: Path, seed: int) -> dict[str, Any]:
    """Spearman of the pairs that are known, and as published: every pair, case kept, random vectors for the missing."""
    pairs, scores = read_pairs(raw / test.files[0])
    result = similarity(Embedding(words, vectors), pairs, scores)
    exact = Embedding(words, vectors, ignore_case=False)
    return result | {"as_published": spearman_with_random_missing(exact, pairs, scores, seed)}


def checks(matrix: np.ndarray, edges: np.ndarray, settings: Settings) -> dict[str, float]:
    """Largest difference of a cosine between two ways that should give the same, over random pairs of words."""
    matrix, seed = matrix.astype(np.float64), settings.orders[0]
    left, right = np.random.default_rng(0).integers(0, len(matrix), (2, settings.sample))
    labels = extrofitting.notebook_labels(edges, len(matrix), seed)
    within = extrofitting.within_class_covariance(matrix, labels)
    between = extrofitting.between_class_covariance(matrix, labels)
    plain = cosines(whitened(matrix, within), left, right)
    discriminant = extrofitting.project(matrix, extrofitting.discriminants(within, between)[0])
    enlarged = extrofitting.extrofit(extrofitting.expanded(matrix), edges, seed=seed)
    return {
        "expansion": float(np.abs(cosines(enlarged, left, right) - plain).max()),
        "discriminants": float(np.abs(cosines(discriminant, left, right) - plain).max()),
    }


def outside(fitted: dict[str, np.ndarray], edges: np.ndarray, sample: int) -> dict[str, float]:
    """Mean change of the cosine of random pairs of words that are not in the lexicon, by method."""
    rows = np.setdiff1d(np.arange(len(fitted["base"])), edges)
    if len(rows) < 2:
        return {}
    left, right = rows[np.random.default_rng(0).integers(0, len(rows), (2, sample))]
    before = cosines(fitted["base"], left, right)
    changes = {method: np.abs(cosines(vectors, left, right) - before) for method, vectors in fitted.items()}
    return {method: float(change.mean()) for method, change in changes.items() if method != "base"}


def neighbours(words: list[str], fitted: dict[str, np.ndarray]) -> dict[str, Any]:
    """For the paper's two cue words: the cosines with the words of its table, and those of the nearest here."""
    table = next(
        found for found in published.read("stages/extrofitting/published.yaml")["tables"] if found["id"] == "neighbours"
    )
    wanted: dict[str, list[str]] = {}
    for row in table["rows"]:
        cue, word = row["item"].split(": ")
        wanted.setdefault(cue, []).append(word)
    row_of = {word: row for row, word in enumerate(words)}
    result: dict[str, Any] = {"neighbours": {}, "nearest": {}}
    for method, vectors in fitted.items():
        for cue in wanted.keys() & row_of.keys():
            everyone = np.arange(len(words))
            near = cosines(vectors, np.full(len(words), row_of[cue]), everyone)
            near[row_of[cue]] = -1
            best = np.argsort(-near, kind="stable")[:NEAREST]
            named = {words[row]: float(near[row]) for row in best}
            named |= {word: float(near[row_of[word]]) for word in wanted[cue] if word in row_of}
            result["neighbours"].setdefault(method, {})[cue] = named
            result["nearest"].setdefault(method, {})[cue] = near[best].tolist()
    return result


def cosines(vectors: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1)
    products = np.einsum("nd,nd->n", vectors[left], vectors[right], dtype=np.float64)
    return products / np.maximum(lengths[left] * lengths[right], np.finfo(float).tiny)


def key(name: str) -> str:
    """The name of a test or of vectors as the name of a metric: SimLex-999 -> simlex_999."""
    return re.sub(r"\W", "_", name.lower())


if __name__ == "__main__":
    run(main)
