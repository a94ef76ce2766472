"""Scores of word vectors that were trained on smaller and smaller corpora, and their summary."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy  # whose `stats` is loaded when it is first used
from numpy.typing import NDArray

from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.synonyms import synonyms

METHODS = ("full", "out_of_domain", "random")


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

    def scores(self, words: Sequence[str], vectors: NDArray, seed: int) -> dict[str, float]:
        """Scores of vectors, [n, d] for n words that include all of the test: see `halves`.

        A half is judged by the coefficients of its words, among the categories of both. `permuted` is the score when
        the words are dealt to the categories at random.
        """
        from sklearn.metrics import silhouette_samples  # a second of imports, which the other stages do without

        row = {word: place for place, word in enumerate(words)}
        own = vectors[[row[word] for group in self.groups for word in group]]
        labels = np.repeat(np.arange(len(self.groups)), [len(group) for group in self.groups])
        coefficients = silhouette_samples(own, labels, metric="cosine")
        permuted = np.random.default_rng(seed).permutation(labels)
        found = halves(len(self.groups), lambda places: float(coefficients[np.isin(labels, places)].mean()))
        return found | {"permuted": float(silhouette_samples(own, permuted, metric="cosine").mean())}


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

    def scores(self, words: Sequence[str], vectors: NDArray, seed: int) -> dict[str, float]:
        """As of `Categories`; `permuted` is the score of directions drawn at random."""

        def score(matrix: NDArray, places: NDArray) -> float:
            embedding = Embedding(words, matrix, ignore_case=False)
            return 100 * synonyms(embedding, [self.groups[place] for place in places])["accuracy_penalised"]

        drawn = np.random.default_rng(seed).normal(size=(len(words), 50))
        everything = np.arange(len(self.groups))
        found = halves(len(self.groups), lambda places: score(vectors, places))
        return found | {"permuted": score(drawn, everything)}


def halves(number: int, score: Callable[[NDArray], float]) -> dict[str, float]:
    """`score(places)` of all `number` groups, and of the `first` and the `second` half of them (every other one).

    The halves serve a choice of the dimensionality that does not look at what it is judged on.
    """
    places = np.arange(number)
    return {"score": score(places), "first": score(places[::2]), "second": score(places[1::2])}


def summarise(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The scores of one kind of vectors on one test, by method and size.

    At every size the dimensionality with the best mean over the samples counts, chosen on the test itself as in the
    paper. `held_out` chooses it on one half of the test and judges it on the other, the mean of both ways.

    Args:
        rows: each with method (one of METHODS), size, sample, k, score, first, second, permuted, documents, tokens.

    Returns:
        full: {best, error, k, scores {k: mean}, errors {k: standard error, None for one sample}, held_out, permuted,
        documents, tokens}; out_of_domain and random: {sizes [n], best [n], error [n], k [n], held_out [n], p [n],
        smallest (of the same form as full)}, sizes ascending. `p` is of the two-sided Kolmogorov-Smirnov test of the
        samples against those of the full corpus, None for one sample.

    Raises:
        ValueError: no rows of the full corpus.
    """
    full = [row for row in rows if row["method"] == "full"]
    if not full:
        raise ValueError("expected scores of the full corpus")
    result: dict[str, Any] = {"full": _point(full)}
    for method in METHODS[1:]:
        of_method = [row for row in rows if row["method"] == method]
        sizes = sorted({row["size"] for row in of_method})
        if not sizes:
            continue
        groups = [[row for row in of_method if row["size"] == size] for size in sizes]
        points = [_point(group) for group in groups]
        result[method] = {"sizes": sizes, "smallest": points[0], "p": [_differs(full, group) for group in groups]}
        result[method] |= {key: [point[key] for point in points] for key in ("best", "error", "k", "held_out")}
    return result


def _point(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    dimensions = sorted({row["k"] for row in rows})
    scores = {k: _mean(rows, k, "score") for k in dimensions}
    errors = {k: _error([row["score"] for row in rows if row["k"] == k]) for k in dimensions}
    k = _best(rows, "score")
    held_out = [
        _mean(rows, _best(rows, chosen), judged) for chosen, judged in (("first", "second"), ("second", "first"))
    ]
    return {
        "best": scores[k],
        "error": errors[k],
        "k": k,
        "scores": {str(name): value for name, value in scores.items()},
        "errors": {str(name): value for name, value in errors.items()},
        "held_out": sum(held_out) / 2,
        "permuted": _mean(rows, k, "permuted"),
        "documents": rows[0]["documents"],
        "tokens": float(np.mean([row["tokens"] for row in rows])),
        "samples": len({row["sample"] for row in rows}),
    }


def _best(rows: Sequence[Mapping[str, Any]], key: str) -> int:
    """The dimensionality with the highest mean; of equal ones the smallest."""
    dimensions = sorted({row["k"] for row in rows})
    return max(dimensions, key=lambda k: (_mean(rows, k, key), -k))


def _mean(rows: Sequence[Mapping[str, Any]], k: int, key: str) -> float:
    return float(np.mean([row[key] for row in rows if row["k"] == k]))


def _error(values: Sequence[float]) -> float | None:
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None


def _differs(full: Sequence[Mapping[str, Any]], reduced: Sequence[Mapping[str, Any]]) -> float | None:
    samples = [[row["score"] for row in rows if row["k"] == _best(rows, "score")] for rows in (full, reduced)]
    if min(map(len, samples)) < 2:
        return None
    return float(scipy.stats.ks_2samp(*samples).pvalue)
