"""Tests of one vector space, as numbers and on resampled items: analogies, whose pairs are drawn, and similarity.

Every number is computed for many weights of the test items at once, [R]: the first row of weights counts each item
once and gives the number itself, the others are replicates (`repline.evaluation.replication.weighted_draws`).

The questions of a section are made of few pairs (30 capitals make 870 questions), and those that share a pair are not
independent. So a replicate draws pairs, and a question counts as often as its two pairs together: the product.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric
from repline.evaluation.replication.bootstrap import REPLICATES, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.evaluation.replication.weighted_draws import (
    mean_of_draws,
    numbers,
    question_weights,
    replicates,
    spearman_of_draws,
    weights_of,
)
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.analogy import answer_ranks
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines
from repline.systems.chinese_hybrid.training import LOSSES
from repline.vectors.store import words_and_matrix

# the sections of the published analogies have short names, as in the paper
SECTIONS = {"capital-common-countries": "capital", "city-in-state": "state", "family": "family"}
MADE_TESTS = "word_benchmarks_zh_made"


@dataclass(frozen=True)
class Questions:
    """One section of analogy questions, those with an unknown word only counted.

    Attributes:
        rows: [n, 4] of an embedding, of the questions that can be answered.
        total: how many questions there are, answerable or not.
        weights: [1 + R, n].
    """

    rows: NDArray[np.int64]
    total: int
    weights: NDArray[np.int64]


class Pairs(NamedTuple):
    """Pairs of words with people's scores [n], and the draws of the pairs [1 + R, n]."""

    words: list[tuple[str, str]]
    scores: NDArray[np.float64]
    weights: NDArray[np.int64]


class Tests(NamedTuple):
    """Sections of analogies, and tests of similarity, by short names."""

    questions: dict[str, Questions]
    pairs: dict[str, Pairs]

    def counts(self) -> dict[str, dict[str, Metric]]:
        """How many questions and pairs each test has."""
        return {name: counts(questions) for name, questions in self.questions.items()} | {
            name: {"pairs": len(pairs.words)} for name, pairs in self.pairs.items()
        }


def evaluate(models: Mapping[str, Sequence[Path]], benchmarks: Sequence[Path], language: str, word: str) -> Evaluation:
    """All tests of all models: the mean over a model's runs, and replicates of drawn items and runs.

    Args:
        models: by name, the folder of each run; all have the same words.
        benchmarks: folders with the tests of a source, by which they are called.
        language: of the words, as zh or zh-tw.
        word: whose neighbours are among the details, `nearest` by model, of the first run.
    """
    first = Embedding(*words_and_matrix(next(iter(models.values()))[0]), ignore_case=False)
    tests = read_tests(benchmarks, language, first)
    metrics: Metrics = {"tests": tests.counts()}
    parts, nearest = {}, {}
    for name, folders in models.items():
        embeddings = [Embedding(*words_and_matrix(folder), ignore_case=False) for folder in folders]
        runs = [results_of(embedding, tests) for embedding in embeddings]
        losses = [json.loads((folder / LOSSES).read_text(encoding="utf-8")) for folder in folders]
        metrics[name] = numbers(runs) | {"losses": mean_of_runs(losses), "runs": len(runs)}
        parts[name] = replicates(runs)
        nearest[name] = neighbours(embeddings[0], word)
    return Evaluation(metrics, side_by_side(**parts), {"nearest": nearest})


def read_tests(benchmarks: Sequence[Path], language: str, embedding: Embedding) -> Tests:
    """The tests in some folders that are in a language, with the draws of their items."""
    sections: dict[str, list] = {}
    pairs: dict[str, Pairs] = {}
    for folder in dict.fromkeys(benchmarks):
        for test in suite.tests_of(folder.name, language):
            items = suite.read(test, folder)
            if test.task == "similarity":
                pairs[_key(test.name)] = Pairs(items[0], np.asarray(items[1]), weights_of(len(items[0])))
            elif test.task == "analogy":
                for question, section in zip(*items, strict=True):
                    name = f"made_{section}" if folder.name == MADE_TESTS else SECTIONS.get(section, _key(section))
                    sections.setdefault(name, []).append(question)
    return Tests({name: answerable(embedding, questions) for name, questions in sections.items()}, pairs)


def results_of(embedding: Embedding, tests: Tests) -> dict[str, dict[str, NDArray[np.float64]]]:
    """The measures of one run in every test: [1 + R] each."""
    analogies = {name: analogies_of(embedding, questions) for name, questions in tests.questions.items()}
    return analogies | {name: similarity_of(embedding, *pairs) for name, pairs in tests.pairs.items()}


def answerable(embedding: Embedding, questions: Sequence[Sequence[str]], replicates: int = REPLICATES) -> Questions:
    """The questions of a section whose four words are known, with the draws of their pairs."""
    rows = embedding.rows(word for question in questions for word in question).reshape(-1, 4)
    rows = rows[(rows >= 0).all(1)]
    return Questions(rows, len(questions), question_weights(rows.tolist(), replicates))


def analogies_of(embedding: Embedding, questions: Questions) -> dict[str, NDArray[np.float64]]:
    """Accuracy by 3CosAdd and 3CosMul, and the mean reciprocal rank of the answers by 3CosAdd: [1 + R] each.

    "add", "mul" and "mrr" are of the questions that can be answered; "add_all" and "mul_all" are shares of all, those
    that cannot be answered being wrong, as in the paper.
    """
    ranks = {method: answer_ranks(embedding, questions.rows, method=method) for method in ("add", "mul")}
    accuracies = {method: mean_of_draws(rank == 1, questions.weights) for method, rank in ranks.items()}
    answerable_share = len(questions.rows) / questions.total
    return {
        **accuracies,
        "mrr": mean_of_draws(1 / ranks["add"], questions.weights),
        **{f"{method}_all": np.nan_to_num(value) * answerable_share for method, value in accuracies.items()},
    }


def similarity_of(
    embedding: Embedding, pairs: Sequence[tuple[str, str]], scores: NDArray, weights: NDArray
) -> dict[str, NDArray[np.float64]]:
    """Spearman's correlation over the pairs whose words are both known: [1 + R].

    Args:
        scores: [n]. weights: [1 + R, n].
    """
    cosines, have_vectors = pair_cosines(embedding, pairs)
    return {"spearman": spearman_of_draws(cosines[have_vectors], scores[have_vectors], weights[:, have_vectors])}


def neighbours(embedding: Embedding, word: str, number: int = 10) -> list[str]:
    """The nearest words by cosine, the nearest first; none for an unknown word."""
    (row,) = embedding.rows([word])
    if row < 0:
        return []
    everything = np.arange(len(embedding))
    cosines = embedding.cosines(np.full(len(embedding), row), everything)
    order = np.argsort(-cosines, kind="stable")
    return [embedding.words[neighbour] for neighbour in order[: number + 1] if neighbour != row][:number]


def counts(questions: Questions) -> dict[str, Metric]:
    """How many questions there are, and how many can be answered."""
    return {"questions": questions.total, "kept": len(questions.rows)}


def _key(name: str) -> str:
    return re.sub(r"\W", "_", name.lower())
