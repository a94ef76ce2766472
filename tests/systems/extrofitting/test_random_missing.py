import numpy as np
import pytest

from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import similarity
from repline.systems.extrofitting.random_missing import spearman_with_random_missing

WORDS = [f"w{number}" for number in range(40)]
EMBEDDING = Embedding(WORDS, np.random.default_rng(0).normal(size=(40, 5)), ignore_case=False)
PAIRS = list(zip(WORDS[:20], WORDS[20:], strict=True))
SCORES = np.random.default_rng(1).normal(size=20)


def test_without_missing_words_it_is_the_plain_correlation():
    plain = similarity(EMBEDDING, PAIRS, SCORES)["spearman"]
    assert spearman_with_random_missing(EMBEDDING, PAIRS, SCORES) == pytest.approx(plain, abs=1e-12)


def test_a_missing_word_is_random_but_the_same_for_a_seed():
    pairs = [("W0", second) if row % 2 else (first, second) for row, (first, second) in enumerate(PAIRS)]
    correlations = [spearman_with_random_missing(EMBEDDING, pairs, SCORES, seed) for seed in (0, 0, 1)]
    assert correlations[0] == correlations[1] != correlations[2]
    assert correlations[0] != similarity(EMBEDDING, pairs, SCORES)["spearman"]


def test_too_few_pairs_say_nothing():
    assert spearman_with_random_missing(EMBEDDING, PAIRS[:2], SCORES[:2]) is None
