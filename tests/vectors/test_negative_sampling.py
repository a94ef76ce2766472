"""What training with negative sampling draws."""

import numpy as np
import pytest

from repline.vectors.negative_sampling import alias_table, drawn_word, keep_probabilities


def test_words_are_drawn_by_their_weights():
    weights = np.array([5.0, 1.0, 3.0, 0.0, 1.0])
    threshold, alias = alias_table(weights)
    state = np.array([12345], np.uint64)
    drawn = np.bincount([drawn_word(state, threshold, alias) for _ in range(20_000)], minlength=5) / 20_000
    assert drawn == pytest.approx(weights / weights.sum(), abs=0.02)
    # the table holds the weights exactly
    held = threshold / 5
    np.add.at(held, alias, (1 - threshold) / 5)
    assert held == pytest.approx(weights / weights.sum(), abs=1e-6)


def test_the_program_word2vec_keeps_frequent_words_this_often():
    counts = np.array([900, 99, 1])
    shares = keep_probabilities(counts, 1e-2)
    assert shares == pytest.approx([(np.sqrt(0.9 / 1e-2) + 1) * 1e-2 / 0.9, (np.sqrt(9.9) + 1) / 9.9, 1])
    assert keep_probabilities(counts, 0).tolist() == [1, 1, 1]
