"""Scores of word vectors that were trained on smaller and smaller corpora, and their summary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy  # whose `stats` is loaded when it is first used
from numpy.typing import NDArray

from repline.evaluation.replication.bootstrap import REPLICATES, drawn_items, drawn_runs
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.synonyms import synonyms

METHODS = ("full", "out_of_domain", "random")
Scores = dict[str, Any]


@dataclass(frozen=True)
class Categories:
    """The semantic categorization test: the silhouette of the categories under the cosine distance.

    From -1 to 1: how near words are to their category, beside the nearest other one, without any clustering. A vector
    of zeros is at distance 1 from all others, a word that is alone in its category scores 0.

    Attributes:
        groups: the words of each category, no word in two of them.

    Source: Rousseeuw 1987, "Silhouettes"; Altszyler, Sigman & Fernández Slezak 2018, eq. (2).
    """

    groups: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> list[str]:
        return sorted({word for group in self.groups for word in group})

    def scores(self, words: Sequence[str], vectors: NDArray, seed: int) -> Scores:
        """Scores of vectors, [n, d] for n words that include all of the test.

        Returns:
            score; items, the mean coefficient of each category, among all of them; permuted, the score when the words
            are dealt to the categories at random.
        """
        from sklearn.metrics import silhouette_samples  # a second of imports, which the other stages do without

        row = {word: place for place, word in enumerate(words)}
        own = vectors[[row[word] for group in self.groups for word in group]]
        labels = np.repeat(np.arange(len(self.groups)), [len(group) for group in self.groups])
        coefficients = silhouette_samples(own, labels, metric="cosine")
        permuted = np.random.default_rng(seed).permutation(labels)
        return {
            "score": float(coefficients.mean()),
            "items": [float(coefficients[labels == place].mean()) for place in range(len(self.groups))],
            "permuted": float(silhouette_samples(own, permuted, metric="cosine").mean()),
        }


@dataclass(frozen=True)
class Questions:
    """The synonym test: the percentage of questions answered by the highest cosine; a tie is wrong.

    Attributes:
        groups: each question as (word, synonym, distractors...).
    """

    groups: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> list[str]:
        return sorted({word for group in self.groups for word in group})

    def scores(self, words: Sequence[str], vectors: NDArray, seed: int) -> Scores:
        """As of `Categories`; an item is a question, 100 or 0; `permuted` is the score of random directions."""

        def items(matrix: NDArray) -> list[float]:
            embedding = Embedding(words, matrix, ignore_case=False)
            return [100 * synonyms(embedding, [question])["accuracy_penalised"] for question in self.groups]

        found, drawn = items(vectors), items(np.random.default_rng(seed).normal(size=(len(words), 50)))
        return {"score": float(np.mean(found)), "items": found, "permuted": float(np.mean(drawn))}


def summarise(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The scores of one kind of vectors on one test, by method and size.

    `held_out` chooses the dimensionality by the best mean over the samples on every other item of the test and judges
    it on the rest, the mean of both ways. `best` chooses and judges on the whole test, as in the paper: an oracle.

    Args:
        rows: each with method (one of METHODS), size, sample, k, score, items, permuted, documents, tokens.

    Returns:
        full: {best, error, k, scores {k: mean}, errors {k: standard error, None for one sample}, held_out, held_out_k
        (chosen on the first half and on the second), permuted, documents, tokens}; out_of_domain and random: {sizes
        [n], best [n], error [n], k [n], held_out [n], p [n], smallest (of the same form as full)}, sizes ascending.
        `p` is of the two-sided Kolmogorov-Smirnov test of the samples against those of the full corpus, None for one
        sample.

    Raises:
        ValueError: no rows of the full corpus.
    """
    grouped = _grouped(rows)
    full = grouped["full"][0]
    result: dict[str, Any] = {"full": _point(full)}
    for method, groups in grouped.items():
        if method != "full":
            points = [_point(group) for group in groups]
            result[method] = {"sizes": [group.size for group in groups], "smallest": points[0]}
            result[method] |= {"p": [_differs(full, group) for group in groups]}
            result[method] |= {key: [point[key] for point in points] for key in ("best", "error", "k", "held_out")}
    return result


def resample(rows: Sequence[Mapping[str, Any]], replicates: int = REPLICATES) -> list[dict[str, Any]]:
    """What `summarise` says of drawn samples (documents, trainings) on drawn items (categories, questions).

    All corpora are judged on the same drawn items, and the dimensionality is chosen anew each time.

    Returns:
        a replicate each: best, k, scores and held_out in the places where `summarise` has them; held_out is None where
        a half of the items is not drawn.
    """
    grouped = _grouped(rows)
    found = []
    for replicate in range(replicates):
        result: dict[str, Any] = {}
        for method, groups in grouped.items():
            points = []
            for group in groups:
                samples, _, items = group.values.shape
                points.append(_measured(group, drawn_runs(samples, replicate), drawn_items(items, replicate)))
            if method == "full":
                result["full"] = points[0]
            else:
                lists = {key: [point[key] for point in points] for key in ("best", "k", "held_out")}
                result[method] = {"smallest": points[0]} | lists
        found.append(result)
    return found


@dataclass(frozen=True)
class _Group:
    """The scores of the corpora of one method and size: `values` [samples, dimensions, items]."""

    size: int
    dimensions: list[int]
    values: NDArray
    rows: Sequence[Mapping[str, Any]]


def _grouped(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[_Group]]:
    """By method, those that there are; sizes ascending."""
    found: dict[str, list[_Group]] = {}
    for method in METHODS:
        for size in sorted({row["size"] for row in rows if row["method"] == method}):
            own = [row for row in rows if row["method"] == method and row["size"] == size]
            dimensions = sorted({row["k"] for row in own})
            by_place = {(row["sample"], row["k"]): row["items"] for row in own}
            samples = sorted({sample for sample, _ in by_place})
            values = np.array([[by_place[sample, k] for k in dimensions] for sample in samples], dtype=float)
            found.setdefault(method, []).append(_Group(size, dimensions, values, own))
    if "full" not in found:
        raise ValueError("expected scores of the full corpus")
    return found


def _measured(group: _Group, samples: NDArray, places: NDArray) -> dict[str, Any]:
    """Scores of these samples on the items of these places, repeated ones among them; of equal ones the smaller k."""
    means = group.values[samples].mean(axis=0)  # [K, M]
    scores = means[:, places].mean(axis=1)
    best = int(scores.argmax())
    found = {
        "best": float(scores[best]),
        "k": group.dimensions[best],
        "scores": {str(k): float(score) for k, score in zip(group.dimensions, scores, strict=True)},
        "held_out": None,
    }
    halves = [places[places % 2 == half] for half in (0, 1)]
    if all(map(len, halves)):
        first, second = (means[:, half].mean(axis=1) for half in halves)
        chosen = int(first.argmax()), int(second.argmax())
        found["held_out"] = float(second[chosen[0]] + first[chosen[1]]) / 2
        found["held_out_k"] = [group.dimensions[place] for place in chosen]
    return found


def _point(group: _Group) -> dict[str, Any]:
    samples, _, items = group.values.shape
    found = _measured(group, np.arange(samples), np.arange(items))
    by_sample = group.values.mean(axis=2)  # [S, K]
    errors = {str(k): _error(by_sample[:, place]) for place, k in enumerate(group.dimensions)}
    return found | {
        "error": errors[str(found["k"])],
        "errors": errors,
        "permuted": float(np.mean([row["permuted"] for row in group.rows if row["k"] == found["k"]])),
        "documents": group.rows[0]["documents"],
        "tokens": float(np.mean([row["tokens"] for row in group.rows])),
        "samples": samples,
    }


def _error(values: NDArray) -> float | None:
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None


def _differs(full: _Group, reduced: _Group) -> float | None:
    samples = [group.values.mean(axis=2)[:, group.values.mean(axis=(0, 2)).argmax()] for group in (full, reduced)]
    return float(scipy.stats.ks_2samp(*samples).pvalue) if min(map(len, samples)) > 1 else None
