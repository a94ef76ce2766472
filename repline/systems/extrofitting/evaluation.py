"""Measurements of extrofitted vectors: word similarity compared with every control, and changes of other words.

Replicates resample the pairs of a test, the same ones for all vectors (see
`repline.evaluation.replication.weighted_draws`).
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.claims import published
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Array, Metric
from repline.evaluation.replication.bootstrap import merge_replicates
from repline.evaluation.replication.replicate_files import overlay
from repline.evaluation.replication.weighted_draws import as_parts, draws, mean_of_draws, spearman_of_draws
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines, similarity, spearman
from repline.systems.extrofitting import model
from repline.systems.extrofitting.random_missing import cosines_with_random_missing
from repline.systems.extrofitting.settings import Settings
from repline.systems.extrofitting.training import Fitted

NEAREST = 10
ORDER = "order_"  # and the seed: extrofitting in that order of the words
WITHOUT_LEXICON = ("base", "centred", "whitened")  # the same for every lexicon
CUT = "cut"  # the same metrics again where only the frequent words are there

Pairs = tuple[Sequence[tuple[str, str]], Sequence[float]]
Correlations = dict[str, dict[str, dict[str, float | None]]]  # by variant and test
Drawn = dict[str, dict[str, dict[str, NDArray]]]  # the same of resampled pairs: [R] each


def measure(
    fitted: Fitted, tests: Mapping[str, Pairs], settings: Settings, cues: Mapping[str, Sequence[str]] | None = None
) -> Evaluation:
    """One lexicon in one table of vectors, compared with every control.

    Args:
        tests: pairs and scores, by name.
        settings: the orders, and how many random pairs.
        cues: words whose neighbours are shown, and with which words, see `printed_neighbours`.
    """
    edges, words = fitted.edges, fitted.words
    variants = fitted.vectors | controls(fitted.vectors["base"], edges, settings.orders)
    measured, drawn = similarities(words, variants, tests, settings.orders[0])
    orders = [f"{ORDER}{seed}" for seed in settings.orders]
    metrics: Metrics = {name: variant_scores for name, variant_scores in measured.items() if name not in orders}
    repeated: dict[str, Array] = {name: variant_scores for name, variant_scores in drawn.items() if name not in orders}
    metrics["orders"] = {test: [measured[order][test]["spearman"] for order in orders] for test in tests}
    repeated["orders"] = {
        test: np.stack([drawn[order][test]["spearman"] for order in orders], axis=1) for test in tests
    }
    metrics["outside"], repeated["outside"] = outside(fitted.vectors, edges, settings.sample)
    metrics |= {
        "heads": fitted.listed,
        "linked": len(np.unique(edges[:, 0])),
        "edge_count": len(edges),
        "classes": len(np.unique(model.notebook_labels(edges, len(words), settings.orders[0]))),
        "words": len(words),
    }
    return Evaluation({**metrics, **neighbours(words, fitted.vectors, cues or {})}, as_parts(repeated))


def evaluate(measured: Iterable[tuple[str, Evaluation]], settings: Settings) -> Evaluation:
    """All lexicons and sources of tests as one, by vectors.

    Args:
        measured: a lexicon, and of one source of tests what `measure` gives, by vectors.
        settings: where they take a part of the words, everything is there again under "cut".
    """
    metrics: Metrics = {vectors: {} for vectors in settings.vectors}
    repeated = []
    for lexicon, part in measured:
        metrics = overlay(metrics, _by_lexicon(part.metrics, lexicon))
        repeated.append([_by_lexicon(replicate, lexicon) for replicate in part.replicates])
    replicates = merge_replicates(*repeated)
    if settings.words is None:
        return Evaluation(metrics, replicates)
    return Evaluation(metrics | {CUT: metrics}, [{**replicate, CUT: replicate} for replicate in replicates])


def printed_neighbours(path: str | Path) -> dict[str, list[str]]:
    """The words of the table of neighbours in a `published.yaml`, by cue."""
    words: dict[str, list[str]] = {}
    for row in published.read(path).table("neighbours").rows:
        cue, word = row.item.split(": ")
        words.setdefault(cue, []).append(word)
    return words


def controls(matrix: NDArray, edges: NDArray, orders: Sequence[int]) -> dict[str, NDArray]:
    """Vectors that separate the effect of the lexicon from that of centring and whitening, and those of every order."""
    labels = {seed: model.notebook_labels(edges, len(matrix), seed) for seed in orders}
    permuted = model.permuted_labels(labels[orders[0]], orders[0])
    among = model.permuted_labels(labels[orders[0]], orders[0], among=edges)
    return {
        "centred": model.project(matrix, np.eye(matrix.shape[1])),
        "whitened": _whitened(matrix, model.total_covariance(matrix)),
        "permuted": _whitened(matrix, model.within_class_covariance(matrix, permuted)),
        "permuted_in_lexicon": _whitened(matrix, model.within_class_covariance(matrix, among)),
        "components": model.extrofit(matrix, edges, labels="components"),
        "expanded": model.extrofit(model.expanded(matrix, edges), edges, seed=orders[0]),
    } | {
        f"{ORDER}{seed}": _whitened(matrix, model.within_class_covariance(matrix, classes))
        for seed, classes in labels.items()
    }


def similarities(
    words: Sequence[str], variants: Mapping[str, NDArray], tests: Mapping[str, Pairs], seed: int = 0
) -> tuple[Correlations, Drawn]:
    """Every variant on every test of word similarity.

    Args:
        words: [V]; variants: [V, d] each.
        tests: pairs and scores, by name.
        seed: of the random vectors of missing words.

    Returns:
        {variant: {test: what `similarity` gives, and "as_published", Spearman's correlation as the program has it:
        every pair, case kept, random vectors for the missing words}}; the same two correlations in replicates [R].
    """
    first = next(iter(variants.values()))
    folded, exact = (Embedding(words, first, ignore_case=ignore) for ignore in (True, False))
    weights = {test: draws(len(pairs)) for test, (pairs, _) in tests.items()}
    measured: Correlations = {name: {} for name in variants}
    repeated: Drawn = {name: {} for name in variants}
    for name, matrix in variants.items():
        embedding, cased = folded.with_matrix(matrix), exact.with_matrix(matrix)
        for test, (pairs, human_scores) in tests.items():
            scores, drawn = np.asarray(human_scores, dtype=np.float64), weights[test]
            cosines, have_vectors = pair_cosines(embedding, pairs)
            published = cosines_with_random_missing(cased, pairs, seed)
            measured[name][test] = similarity(embedding, pairs, scores) | {"as_published": spearman(published, scores)}
            repeated[name][test] = {
                "spearman": spearman_of_draws(cosines[have_vectors], scores[have_vectors], drawn[:, have_vectors]),
                "as_published": spearman_of_draws(published, scores, drawn),
            }
    return measured, repeated


def outside(fitted: Mapping[str, NDArray], edges: NDArray, sample: int) -> tuple[dict[str, float], dict[str, NDArray]]:
    """Mean change of the cosine of random pairs of words that are not in the lexicon, by method but "base".

    Returns:
        The means, and the means over resampled pairs [R]; nothing where there are no two such words.
    """
    rows = np.setdiff1d(np.arange(len(fitted["base"])), edges)
    if len(rows) < 2:
        return {}, {}
    first, second = rows[np.random.default_rng(0).integers(0, len(rows), (2, sample))]
    before, drawn = cosines(fitted["base"], first, second), draws(sample)
    changes = {
        method: np.abs(cosines(vectors, first, second) - before)
        for method, vectors in fitted.items()
        if method != "base"
    }
    means = {method: float(change.mean()) for method, change in changes.items()}
    return means, {method: mean_of_draws(change, drawn) for method, change in changes.items()}


class Neighbours(TypedDict):
    """Cosines of cue words, by method and cue: with certain words and the nearest ones, and the nearest in order."""

    neighbours: dict[str, dict[str, dict[str, float]]]
    nearest: dict[str, dict[str, list[float]]]


def neighbours(
    words: Sequence[str], fitted: Mapping[str, NDArray], words_of_cue: Mapping[str, Sequence[str]]
) -> Neighbours:
    """For some cue words: the cosines with certain words and with the nearest ones, by method."""
    row_of = {word: row for row, word in enumerate(words)}
    result: Neighbours = {"neighbours": {}, "nearest": {}}
    for method, vectors in fitted.items():
        for cue in (cue for cue in words_of_cue if cue in row_of):
            everyone = np.arange(len(words))
            near = cosines(vectors, np.full(len(words), row_of[cue]), everyone)
            near[row_of[cue]] = -1
            best = np.argsort(-near, kind="stable")[:NEAREST]
            named = {words[row]: float(near[row]) for row in best}
            named |= {word: float(near[row_of[word]]) for word in words_of_cue[cue] if word in row_of}
            result["neighbours"].setdefault(method, {})[cue] = named
            result["nearest"].setdefault(method, {})[cue] = near[best].tolist()
    return result


def cosines(vectors: NDArray, first: NDArray, second: NDArray) -> NDArray[np.float64]:
    """The cosine of row first[i] with row second[i] for each i: [n]; 0 with a vector of zeros."""
    lengths = np.linalg.norm(vectors, axis=1)
    products = np.einsum("nd,nd->n", vectors[first], vectors[second], dtype=np.float64)
    return products / np.maximum(lengths[first] * lengths[second], np.finfo(float).tiny)


def _whitened(matrix: NDArray, covariance: NDArray) -> NDArray:
    return model.project(matrix, model.whitening(covariance))


def _by_lexicon(measured: Mapping[str, Metric], lexicon: str) -> Metrics:
    """The metrics of one lexicon, by vectors, under its name; methods that use no lexicon stay outside."""
    result = {}
    for vectors, metrics in cast(Mapping[str, Metrics], measured).items():
        without = {method: metrics[method] for method in WITHOUT_LEXICON if method in metrics}
        result[vectors] = without | {lexicon: {key: value for key, value in metrics.items() if key not in without}}
    return result
