"""Replicates of what is measured at word level: perplexities on resampled rows, other tests on resampled pairs.

A replicate draws the runs (seeds) of a variant, then the test items: rows of a split, verb pairs of a category, or
pairs of a test of word vectors. All variants read the same items, so that differences between them are paired.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.perplexity import RowLikelihoods
from repline.evaluation.replication.bootstrap import REPLICATES, bootstrap, merge_replicates
from repline.evaluation.replication.weighted_draws import as_parts, draws, mean_of_drawn_runs
from repline.systems.hrrlm.decomposition import TRUTHS, PairSpace, resampled_areas
from repline.systems.hrrlm.intrinsic_tests import PairAnswers


class WordRun(NamedTuple):
    """What one trained model of words gives for every test item, from which scores are resampled.

    Attributes:
        rows: of each split.
        spaces: {category: {space: its verb pairs}}.
        tests: by test of word vectors, what the composite vectors answer to its pairs.
    """

    rows: Mapping[str, RowLikelihoods]
    spaces: Mapping[str, Mapping[str, PairSpace]]
    tests: Mapping[str, PairAnswers]


def word_replicates(variants: Mapping[str, Sequence[WordRun]], replicates: int = REPLICATES) -> list[Replicate]:
    """For each variant `<split>_perplexity`, `decomposition`, `margins` and `intrinsic`, as in the metrics.

    Args:
        variants: the runs of each.
        replicates: how many.
    """
    replicate_parts: list[dict[str, Metric]] = [{} for _ in range(replicates)]
    for variant, runs in variants.items():
        parts = [_perplexities(split, [run.rows[split] for run in runs], replicates) for split in runs[0].rows]
        parts.append(_decomposition([run.spaces for run in runs], replicates))
        parts.append(_intrinsic([run.tests for run in runs], replicates))
        for whole, part in zip(replicate_parts, merge_replicates(*parts), strict=True):
            whole[variant] = part
    return [*replicate_parts]


def perplexity_replicates(name: str, runs: Sequence[RowLikelihoods], replicates: int = REPLICATES) -> list[Replicate]:
    """{name: the mean of the runs' perplexities}, a replicate each."""

    def measure(run: RowLikelihoods, items: NDArray) -> Replicate:
        return {name: run.total(items).perplexity}

    return bootstrap(measure, runs, len(runs[0].nats), replicates)


def margins(parts: Mapping[str, Mapping[str, float | None]]) -> Replicate | None:
    """How much better filler 1 is with forms than filler 2, and filler 2 with meanings; None without two fillers."""
    if "filler_2" not in parts:
        return None
    differences = {}
    for truth, first, second in (("syntactic", "filler_1", "filler_2"), ("semantic", "filler_2", "filler_1")):
        better, worse = parts[first][truth], parts[second][truth]
        differences[truth] = None if better is None or worse is None else better - worse
    return differences


def _perplexities(split: str, runs: Sequence[RowLikelihoods], replicates: int) -> list[Replicate]:
    return perplexity_replicates(f"{split}_perplexity", runs, replicates)


def _decomposition(runs: Sequence[Mapping[str, Mapping[str, PairSpace]]], replicates: int) -> list[Replicate]:
    categories = []
    for category, spaces in runs[0].items():
        pairs = len(next(iter(spaces.values())).words)
        if not pairs:
            return [{} for _ in range(replicates)]
        category_spaces = [run[category] for run in runs]
        categories.append(bootstrap(_areas, category_spaces, pairs, replicates))
    decomposed: list[Replicate] = []
    for row in zip(*categories, strict=True):
        parts: dict[str, dict[str, float | None]] = {
            space: {truth: _mean([areas[space][truth] for areas in row]) for truth in TRUTHS} for space in row[0]
        }
        decomposed.append({"decomposition": parts, "margins": margins(parts)})
    return decomposed


def _intrinsic(runs: Sequence[Mapping[str, PairAnswers]], replicates: int) -> list[Replicate]:
    scores: dict[str, NDArray[np.float64]] = {}
    for test, (answers, _) in runs[0].items():
        if not len(answers):
            continue
        weights = draws(len(answers), replicates)
        by_run = [run[test].statistic(run[test].answers, weights) for run in runs]
        scores[test] = mean_of_drawn_runs(by_run)
    return as_parts({"intrinsic": scores}) if scores else [{} for _ in range(replicates)]


def _areas(spaces: Mapping[str, PairSpace], pairs: NDArray) -> Replicate:
    return {name: resampled_areas(space, pairs) for name, space in spaces.items()}


def _mean(values: Sequence[float | None]) -> float | None:
    measured = [value for value in values if value is not None]
    return float(np.mean(measured)) if len(measured) == len(values) else None
