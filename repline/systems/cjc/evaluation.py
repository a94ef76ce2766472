"""Translations, parallel sentences and analogies: rates of every variant, the mean over its seeds."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.evaluations import Evaluation
from repline.evaluation.replication.bootstrap import bootstrap, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.systems.cjc.corpus import Data, Tests
from repline.systems.cjc.mixed_analogies import Analogies, analogy_scores, by_mix, drawn_questions, questions
from repline.systems.cjc.rates import alignment_scores, directions, synonym_scores, synonyms
from repline.vectors.store import load_matrix

FEWEST = 10  # words or sentences that another origin is tested with


def evaluate(models: Mapping[str, Mapping[str, Sequence[Path]]], data: Data, analogy_pairs: int) -> Evaluation:
    """All tests of all variants; replicates draw seeds and test items, the same ones for all.

    Args:
        models: by method and variant, the folder of each seed's vectors.
        data: what they were trained on.
        analogy_pairs: largest number of pairs of words that analogies are made of.
    """
    analogies = questions(data.vocabulary, max_pairs=analogy_pairs)
    tests = {name: data.tests(name) for name in ("", *data.elsewhere)}
    evaluations = {}
    for method, variants in models.items():
        parts = {
            variant: evaluate_vectors([load_matrix(folder) for folder in folders], data.n, tests, analogies)
            for variant, folders in variants.items()
        }
        evaluations[method] = Evaluation.side_by_side(parts)
    evaluation = Evaluation.side_by_side(evaluations)
    held_out = tests[""]
    counts = {
        "synonyms": len(held_out.lexicon),
        "sharing": int(held_out.sharing.sum()),
        "questions": len(analogies.words),
    }
    return Evaluation(evaluation.metrics | {"data": counts}, evaluation.replicates)


def evaluate_vectors(runs: Sequence[NDArray], n: int, tests: Mapping[str, Tests], analogies: Analogies) -> Evaluation:
    """All tests of one variant.

    Args:
        runs: the vectors of each seed, [n + t, d].
        n: words of the first language.
        tests: by origin; the one of no name is that of the training.
    """
    by_origin = {name: evaluate_tests(runs, n, test) for name, test in tests.items()}
    evaluation = by_origin.pop("")
    elsewhere = Evaluation.side_by_side(by_origin)
    metrics = evaluation.metrics | {"elsewhere": elsewhere.metrics}
    replicates = list(evaluation.replicates)
    if by_origin:
        replicates = _with_part(replicates, "elsewhere", elsewhere.replicates)
    if len(analogies.words):
        for name, exclude in (("analogies", False), ("analogies_excluding", True)):
            scores = [analogy_scores(analogies, vectors, n, exclude=exclude) for vectors in runs]
            metrics[name] = mean_of_runs([by_mix(of_seed) for of_seed in scores])
            parts = bootstrap(
                lambda scores, pairs: by_mix(scores[drawn_questions(analogies, pairs)]),
                scores,
                items=len(np.unique(analogies.pairs)),
            )
            replicates = _with_part(replicates, name, parts)
    return Evaluation(metrics, replicates)


def evaluate_tests(runs: Sequence[NDArray], n: int, test: Tests) -> Evaluation:
    """Synonyms and sentences, where there are enough."""
    metrics: dict[str, Any] = {}
    replicates = {}
    if len(test.lexicon) >= FEWEST:
        scores = [synonym_scores(vectors, n, test.lexicon) for vectors in runs]
        metrics["synonyms"], replicates["synonyms"] = resampled(
            scores, lambda scores, items: synonyms(scores[items], test.sharing[items])
        )
    if len(test.first) >= FEWEST:
        scores = [alignment_scores(vectors, test.first, test.second) for vectors in runs]
        metrics["sentences"], replicates["sentences"] = resampled(
            scores, lambda scores, items: directions(scores[items])
        )
    return Evaluation(metrics, side_by_side(**replicates))


def resampled(
    scores: Sequence[NDArray], means: Callable[[NDArray, NDArray], dict[str, Any]]
) -> tuple[Mapping[str, object], list[Mapping[str, object]]]:
    """The means of item scores, an array a seed, and of drawn seeds and items."""
    items = np.arange(len(scores[0]))
    return mean_of_runs([means(of_seed, items) for of_seed in scores]), bootstrap(means, scores, len(items))


def _with_part(
    replicates: Sequence[Mapping[str, object]], name: str, parts: Sequence[Mapping[str, object]]
) -> list[Mapping[str, Any]]:
    return [{**replicate, name: part} for replicate, part in zip(replicates, parts, strict=True)]
