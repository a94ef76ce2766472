"""Analogies and similarity: an oracle and chance, unknown words, resampled pairs, ranks by both methods."""

import numpy as np
import pytest

from repline.evaluation.word_vectors.analogy import answer_ranks, solve
from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.chinese_hybrid import evaluation

PAIRS = [(f"城{number}", f"国{number}") for number in range(30)]
QUESTIONS = [(*first, *second) for first in PAIRS for second in PAIRS if first != second]


def space(random, oracle):
    """Cities and countries; an oracle has every country at the same distance from its city."""
    cities = random.normal(size=(30, 40))
    countries = cities + 5 * np.eye(40)[0] if oracle else random.normal(size=(30, 40))
    words = [word for pair in PAIRS for word in pair] + [f"字{number}" for number in range(300)]
    matrix = np.stack([cities, countries], axis=1).reshape(60, 40)
    return Embedding(words, np.concatenate([matrix, random.normal(size=(300, 40))]).astype(np.float32))


def test_an_oracle_answers_everything_and_chance_nothing():
    random = np.random.default_rng(0)
    for oracle in (True, False):
        embedding = space(random, oracle)
        questions = evaluation.answerable(embedding, QUESTIONS, replicates=20)
        accuracies = evaluation.analogies_of(embedding, questions)
        assert accuracies["add"].shape == (21,)
        if oracle:
            assert min(accuracies["add"][0], accuracies["mul"][0], accuracies["mrr"][0], accuracies["add"].min()) > 0.99
        else:
            assert max(accuracies["add"][0], accuracies["mul"][0]) < 0.03


def test_questions_with_an_unknown_word_are_wrong_among_all():
    embedding = space(np.random.default_rng(1), oracle=True)
    questions_asked = [*QUESTIONS[:100], *[("缺", "国0", "城1", "国1")] * 100]
    questions = evaluation.answerable(embedding, questions_asked, replicates=2)
    assert evaluation.counts(questions) == {"questions": 200, "kept": 100}
    accuracies = evaluation.analogies_of(embedding, questions)
    assert accuracies["add_all"][0] == pytest.approx(accuracies["add"][0] / 2)


def test_replicates_draw_pairs_and_not_questions():
    embedding = space(np.random.default_rng(2), oracle=True)
    questions = evaluation.answerable(embedding, QUESTIONS, replicates=5)
    weights = questions.weights[1]
    pairs, pair_numbers = np.unique(questions.rows.reshape(-1, 2), axis=0, return_inverse=True)
    first, second = pair_numbers.reshape(-1, 2).T
    for missing in np.flatnonzero([weights[(first == pair) | (second == pair)].sum() == 0 for pair in range(30)]):
        assert not weights[(first == missing) | (second == missing)].any()
    assert (weights[first == 0] == 0).all() or len(set(weights[first == 0])) > 1
    assert len(pairs) == 30 and (questions.weights[0] == 1).all()


@pytest.mark.parametrize("method", ["add", "mul"])
def test_ranks_agree_with_the_best_answers(method):
    random = np.random.default_rng(3)
    embedding = Embedding([f"w{number}" for number in range(50)], random.normal(size=(50, 5)).astype(np.float32))
    questions = np.stack([random.permutation(50)[:4] for _ in range(80)])
    best = solve(embedding, questions[:, :3], method=method, best=47)
    expected = [1 + list(row).index(answer) for row, answer in zip(best, questions[:, 3], strict=True)]
    assert answer_ranks(embedding, questions, method=method, block=7).tolist() == expected


def test_the_offset_of_unit_vectors_is_the_sum_of_cosines():
    random = np.random.default_rng(4)
    embedding = Embedding([f"w{number}" for number in range(40)], random.normal(size=(40, 6)).astype(np.float32))
    units = embedding.matrix / np.linalg.norm(embedding.matrix, axis=1, keepdims=True)
    a, b, c, expected = 3, 8, 21, 30
    scores = units @ (units[b] - units[a] + units[c])
    scores[[a, b, c]] = -np.inf
    rank = 1 + (scores > scores[expected]).sum()
    assert answer_ranks(embedding, np.array([[a, b, c, expected]])) == [rank]


def test_similarity_and_neighbours():
    angles = np.deg2rad([0, 10, 40, 90])
    embedding = Embedding(list("甲乙丙丁"), np.stack([np.cos(angles), np.sin(angles)], axis=1))
    assert evaluation.neighbours(embedding, "甲", 2) == ["乙", "丙"]
    assert evaluation.neighbours(embedding, "无") == []
    pairs, weights = [("甲", "乙"), ("甲", "丙"), ("甲", "丁"), ("甲", "无")], np.ones((2, 4), dtype=np.int64)
    scores = evaluation.similarity_of(embedding, pairs, np.array([9.0, 5.0, 1.0, 10.0]), weights)
    assert scores["spearman"] == pytest.approx([1, 1])
