"""Scores of word vectors that were trained on smaller and smaller corpora, and their summary."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import scipy  # whose `stats` is loaded when it is first used
from numpy.typing import NDArray

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.bootstrap import REPLICATES, drawn_items, drawn_runs
from repline.systems.corpus_specificity.scores import EQUAL_UPDATES, SKIP_GRAM, ScoreRow

METHODS = ("full", "out_of_domain", "random")
ALL_HALVES = 10  # items of a test up to which every way to halve it is taken
RANDOM_HALVES = 200  # ways to halve a longer test
VARIANTS = {
    "us": "lsa",
    "u": "lsa_without_singular_values",
    "raw": "weighted_counts",
    SKIP_GRAM: "word2vec",
    EQUAL_UPDATES: "word2vec_equal_updates",
}


def evaluate(rows: Sequence[ScoreRow]) -> Evaluation:
    """The scores of every kind of vectors on every test, by its name in `VARIANTS`, with replicates of `resample`.

    Args:
        rows: of `lsa_scores` or `word2vec_scores`.
    """
    parts = {}
    for variant, name in VARIANTS.items():
        variant_rows = [row for row in rows if row["variant"] == variant]
        by_test = {}
        for test in sorted({row["test"] for row in variant_rows}):
            test_rows = [row for row in variant_rows if row["test"] == test]
            by_test[test] = Evaluation(summarise(test_rows), resample(test_rows))
        parts[name] = Evaluation.side_by_side(by_test)
    return Evaluation.side_by_side(parts)


def summarise(rows: Sequence[ScoreRow]) -> dict[str, Metric]:
    """The scores of one kind of vectors on one test, by method and size.

    `held_out` chooses the dimensionality by the best mean over the samples on one half of the test's items and judges
    it on the other half: the mean over many ways to halve them (`halves`). `best` chooses and judges on the whole test,
    as in the paper: an oracle.

    Args:
        rows: each with method (one of METHODS), size, sample, k, score, items, permuted, documents, tokens.

    Returns:
        full: {best, standard_error, k, scores {k: mean}, standard_errors {k: standard error, None for one sample},
        held_out, permuted, documents, tokens}; out_of_domain and random: {sizes [n], best [n], standard_error [n],
        k [n], held_out [n], p [n], smallest (of the same form as full)}, sizes ascending.
        `p` is of the two-sided Kolmogorov-Smirnov test of the samples against those of the full corpus, None for one
        sample.

    Raises:
        ValueError: no rows of the full corpus.
    """
    grouped = _grouped(rows)
    full = grouped["full"][0]
    result: Metrics = {"full": _point(full)}
    for method, groups in grouped.items():
        if method != "full":
            points = [_point(group) for group in groups]
            result[method] = {"sizes": [group.size for group in groups], "smallest": points[0]}
            result[method] |= {"p": [_differs(full, group) for group in groups]}
            result[method] |= {
                key: [point[key] for point in points] for key in ("best", "standard_error", "k", "held_out")
            }
    return result


def resample(rows: Sequence[ScoreRow], replicates: int = REPLICATES) -> list[Replicate]:
    """The numbers of `summarise` on resampled corpora (documents, trainings) and resampled items of the test.

    All corpora are judged on the same drawn items, and the dimensionality is chosen again in each replicate.

    Returns:
        One mapping a replicate: best, k, scores and held_out in the places where `summarise` has them; held_out is None
        where a single item is drawn.
    """
    grouped = _grouped(rows)
    replicates_so_far: list[Replicate] = []
    for replicate in range(replicates):
        result: Metrics = {}
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
        replicates_so_far.append(result)
    return replicates_so_far


@dataclass(frozen=True)
class _Group:
    """The scores of the corpora of one method and size: `values` [samples, dimensions, items]."""

    size: int
    dimensions: list[int]
    values: NDArray
    rows: Sequence[ScoreRow]


def _grouped(rows: Sequence[ScoreRow]) -> dict[str, list[_Group]]:
    """Groups of rows by method, in ascending order of size; methods without rows are left out."""
    groups: dict[str, list[_Group]] = {}
    for method in METHODS:
        for size in sorted({row["size"] for row in rows if row["method"] == method}):
            size_rows = [row for row in rows if row["method"] == method and row["size"] == size]
            dimensions = sorted({row["k"] for row in size_rows})
            items = {(row["sample"], row["k"]): row["items"] for row in size_rows}
            samples = sorted({sample for sample, _ in items})
            values = np.array([[items[sample, k] for k in dimensions] for sample in samples], dtype=float)
            groups.setdefault(method, []).append(_Group(size, dimensions, values, size_rows))
    if "full" not in groups:
        raise ValueError("expected scores of the full corpus")
    return groups


def _measured(group: _Group, samples: NDArray, items: NDArray) -> dict[str, Metric]:
    """The best k and its score for some samples and items, which may repeat; of equal scores the smaller k wins."""
    means = group.values[samples].mean(axis=0)  # [K, M]
    scores = means[:, items].mean(axis=1)
    best = int(scores.argmax())
    return {
        "best": float(scores[best]),
        "k": group.dimensions[best],
        "scores": {str(k): float(score) for k, score in zip(group.dimensions, scores, strict=True)},
        "held_out": _held_out(means, items),
    }


def _held_out(means: NDArray, items: NDArray) -> float | None:
    """The mean score of the half that does not choose the dimensionality, over all `halves` with drawn items in both.

    Copies of an item that was drawn twice are in the same half, and a half counts by its drawn items. So the mean is
    that of the drawn items where there is nothing to choose, and a replicate spreads as theirs does.

    Args:
        means: score of each dimensionality and item [K, M].
        items: drawn indices, which may repeat.
    """
    drawn = np.bincount(items, minlength=means.shape[1])
    choosing = halves(means.shape[1]) * drawn  # [H, M]
    judging = drawn - choosing
    both = choosing.any(axis=1) & judging.any(axis=1)
    if not both.any():
        return None
    choosing, judging = choosing[both], judging[both]
    scores = (choosing @ means.T / choosing.sum(axis=1, keepdims=True)).round(12)  # equal ones are so but for rounding
    judged = (judging @ means.T)[np.arange(len(judging)), scores.argmax(axis=1)]  # sums over the items of each half
    return float(judged.sum() / judging.sum())


@cache
def halves(items: int) -> NDArray[np.bool_]:
    """Which items choose, for each way to halve a test [H, items]: all ways if it is short, else random ones.

    Each half is once the one that chooses and once the one that judges; of an odd number the smaller half comes first.
    """
    if items <= ALL_HALVES:
        firsts = np.array(list(combinations(range(items), items // 2)), int).reshape(
            comb(items, items // 2), items // 2
        )
    else:
        random = np.random.default_rng(0)
        firsts = np.array([random.permutation(items)[: items // 2] for _ in range(RANDOM_HALVES // 2)])
    rows = np.zeros((len(firsts), items), bool)
    np.put_along_axis(rows, firsts, True, axis=1)
    return np.concatenate([rows, ~rows]) if items > ALL_HALVES or items % 2 else rows


def _point(group: _Group) -> dict[str, Metric]:
    samples, _, items = group.values.shape
    point = _measured(group, np.arange(samples), np.arange(items))
    by_sample = group.values.mean(axis=2)  # [S, K]
    standard_errors = {str(k): _standard_error(by_sample[:, column]) for column, k in enumerate(group.dimensions)}
    return point | {
        "standard_error": standard_errors[str(point["k"])],  # DVC takes a metric named "error" for a failure
        "standard_errors": standard_errors,
        "permuted": float(np.mean([row["permuted"] for row in group.rows if row["k"] == point["k"]])),
        "documents": group.rows[0]["documents"],
        "tokens": float(np.mean([row["tokens"] for row in group.rows])),
        "samples": samples,
    }


def _standard_error(values: NDArray) -> float | None:
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None


def _differs(full: _Group, reduced: _Group) -> float | None:
    samples = [group.values.mean(axis=2)[:, group.values.mean(axis=(0, 2)).argmax()] for group in (full, reduced)]
    return float(scipy.stats.ks_2samp(*samples).pvalue) if min(map(len, samples)) > 1 else None
