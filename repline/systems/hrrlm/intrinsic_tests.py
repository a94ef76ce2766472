"""The paper's tests of word vectors: the score of each, and what its replicates are made of.

Missing words have the mean vector of the vocabulary, as in the paper's tool, so that every pair of a test of similarity
or of SemEval 2012 is judged. Analogies leave out questions with a missing word.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.evaluations import Metrics
from repline.evaluation.leaderboards.shared_items import Statistic, correlation
from repline.evaluation.nested_measures import Metric
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.analogy import analogy
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.semeval_relations import Relation
from repline.evaluation.word_vectors.similarity import pair_cosines
from repline.evaluation.word_vectors.suite_records import Task
from repline.systems.hrrlm.settings import Measurement

QUESTIONS = Path("word_benchmarks") / "questions-words.txt"  # of Google, in data/raw
SCORES: dict[Task, str] = {
    "similarity": "spearman_penalised",
    "categorization": "purity_penalised",
    "relations": "spearman_penalised",
}
PAPER_TESTS = (  # Table 7, by the suite's names where it has them; ESSLLI 2008 is ESSLI.2c
    *("ap", "bless", "battig", "essli_1a", "essli_2b", "esslli_2008"),
    *("men", "mturk_287", "rg_65", "rw", "simlex_999", "tr9856", "wordsim_353", "wordsim_353_rel", "wordsim_353_sim"),
    *("google", "msr", "semeval_2012_2"),
)


class PairAnswers(NamedTuple):
    """What word vectors answer to the pairs of a test, and how answers become its score.

    Attributes:
        answers: [n], a cosine for each pair.
        statistic: the score, for several weights of the pairs.
    """

    answers: NDArray[np.floating]
    statistic: Statistic


_items = functools.cache(suite.read)  # of a test


def intrinsic_scores(embedding: Embedding, measurement: Measurement, google: Metrics, raw: Path) -> dict[str, Metric]:
    """Every test at hand, as the paper scores them.

    Args:
        google: the result of Google's analogies by 3CosMul.
        raw: the folder of the tests.

    Returns:
        intrinsic {test: score}; intrinsic_mean, over the paper's 18 tests, None unless all are there; and the mean over
        those of them that are, with their number.
    """
    scores: dict[str, float | None] = {}
    for source in measurement.benchmarks:
        for test in suite.tests_of(source):
            if test.task not in (*SCORES, "analogy"):
                continue
            items = _items(test, raw / source)
            if Path(source) / test.files[0] == QUESTIONS:
                value = google["accuracy"]
            elif test.task == "analogy":
                value = analogy(embedding, *items, method="mul", vocabulary=measurement.vocabulary)["accuracy"]
            else:
                value = suite.measure(embedding, test.task, items, seed=measurement.seed)[SCORES[test.task]]
            scores[metric_of(test)] = value
    scores_at_hand = {name: scores[name] for name in PAPER_TESTS if scores.get(name) is not None}
    mean = float(np.mean(list(scores_at_hand.values()))) if scores_at_hand else None
    return {
        "intrinsic": scores,
        "intrinsic_mean": mean if len(scores_at_hand) == len(PAPER_TESTS) else None,
        "intrinsic_mean_at_hand": mean,
        "intrinsic_tests_at_hand": len(scores_at_hand),
    }


def metric_of(test: suite.Test) -> str:
    """The name of a test among the scores."""
    return test.name.lower().replace("-", "_")


def pair_answers(embedding: Embedding, measurement: Measurement, raw: Path) -> dict[str, PairAnswers]:
    """The answers to each test of similarity and of relations, from which its score can be resampled.

    Purities have no replicates: resampled words do not say how far chance moves the clusters.
    """
    answered: dict[Task, Callable[..., PairAnswers]] = {"similarity": _to_pairs, "relations": _to_relations}
    return {
        metric_of(test): answered[test.task](embedding, *_items(test, raw / source))
        for source in measurement.benchmarks
        for test in suite.tests_of(source)
        if test.task in answered
    }


def _to_pairs(embedding: Embedding, pairs: list[tuple[str, str]], scores: list[float]) -> PairAnswers:
    return PairAnswers(pair_cosines(embedding, pairs)[0], correlation(np.asarray(scores), by_rank=True))


def _to_relations(embedding: Embedding, relations: Mapping[str, Relation]) -> PairAnswers:
    """The cosine of each pair's offset with that of the prototypes; the score is a mean over relations."""
    cosines, scores, numbers = [np.zeros(0)], [np.zeros(0)], [np.zeros(0, dtype=np.int64)]
    for number, relation in enumerate(relations.values()):
        offsets, prototype = _offsets(embedding, relation.pairs), _offsets(embedding, relation.prototypes).mean(axis=0)
        lengths = np.linalg.norm(offsets, axis=1) * np.linalg.norm(prototype)
        cosines.append(np.divide(offsets @ prototype, lengths, out=np.zeros(len(offsets)), where=lengths > 0))
        scores.append(np.asarray(relation.scores, dtype=np.float64))
        numbers.append(np.full(len(offsets), number))
    statistic = correlation(np.concatenate(scores), by_rank=True, files=np.concatenate(numbers))
    return PairAnswers(np.concatenate(cosines), statistic)


def _offsets(embedding: Embedding, pairs: Sequence[tuple[str, str]]) -> NDArray[np.floating]:
    """The difference of the directions of each pair [n, d]."""
    first, second = (embedding.rows(pair[side] for pair in pairs) for side in (0, 1))
    return embedding.directions(first) - embedding.directions(second)
