"""SSKIP and CWIN: what they come to when the matrices of all offsets are the same, and their gradients."""

from itertools import pairwise

import numpy as np
import pytest

from repline.systems.name_typing.order_aware import trained_vectors
from repline.systems.name_typing.order_updates import CWIN, SSKIP, step, train_sentences
from repline.vectors.negative_sampling import alias_table, keep_probabilities
from repline.vectors.recipes import Word2Vec

WORDS = np.array([0, 1, 2, 3, 1, 0, 4, 2], np.int32)
SENTENCES = np.array([0, 5, 8])


def logistic(x):
    return 1 / (1 + np.exp(-x))


def by_hand(h, outputs, rows):
    """The objective, its gradient by h, and by the outputs of the rows."""
    dots = outputs[rows] @ h
    signs = np.where(np.arange(len(rows)) == 0, 1.0, -1.0)
    wrong = signs * (1 - logistic(signs * dots))
    return np.log(logistic(signs * dots)).sum(), wrong @ outputs[rows], wrong[:, None] * h


def test_a_step_goes_up_the_gradient():
    rng = np.random.default_rng(0)
    h, outputs = rng.normal(size=6).astype(np.float32), rng.normal(size=(5, 6)).astype(np.float32)
    rows, change = np.array([3, 0, 4, 1]), np.zeros(6, np.float32)
    value, by_h, by_outputs = by_hand(h.astype(float), outputs.astype(float), rows[:3])
    moved = outputs.copy()
    assert step(h, moved, rows, 3, np.float32(0.1), change, True) == pytest.approx(value, rel=1e-6)
    assert change == pytest.approx(0.1 * by_h, abs=1e-6)
    assert moved[rows[:3]] - outputs[rows[:3]] == pytest.approx(0.1 * by_outputs, abs=1e-6)
    assert (moved[[1, 2]] == outputs[[1, 2]]).all()
    # and it is the gradient: finite differences
    for dimension in range(6):
        ends = [by_hand(h + sign * 1e-5 * np.eye(6)[dimension], outputs.astype(float), rows[:3])[0] for sign in (1, -1)]
        assert (ends[0] - ends[1]) / 2e-5 == pytest.approx(by_h[dimension], rel=1e-4, abs=1e-6)


def skip_gram(d, window, negative, rate, seed):
    """The skip-gram of word2vec in plain numpy, with the draws of the compiled loop: vectors and outputs."""
    from repline.vectors.negative_sampling import below, drawn_word

    rng = np.random.default_rng(seed)
    counts = np.bincount(WORDS)
    inputs = ((rng.random((5, d), dtype=np.float32) - 0.5) / d).astype(np.float64)
    outputs, table = np.zeros((5, d)), alias_table(counts**0.75)
    state = rng.integers(1, 1 << 63, size=1, dtype=np.uint64)
    seen = 0
    for start, end in pairwise(SENTENCES):
        sentence = WORDS[start:end]
        now = rate * (1 - seen / (len(WORDS) + 1))
        seen += len(sentence)
        for position, centre in enumerate(sentence):
            reach = window - below(state, window)
            for context in range(max(0, position - reach), min(len(sentence), position + reach + 1)):
                if context == position:
                    continue
                drawn = [drawn_word(state, *table) for _ in range(negative)]
                rows = [sentence[context], *(word for word in drawn if word != sentence[context])]
                _, by_h, by_outputs = by_hand(inputs[centre], outputs, rows)
                np.add.at(outputs, rows, now * by_outputs)
                inputs[centre] += now * by_h
    return inputs


def test_sskip_with_one_matrix_is_the_skip_gram_of_word2vec():
    recipe = Word2Vec(dimensions=4, window=2, negative=1, sample=0, epochs=1, learning_rate=0.5, seed=3)
    counts = np.bincount(WORDS)

    def batches():
        yield WORDS, SENTENCES

    tied = trained_vectors(batches, counts, recipe, tied=True)
    assert tied == pytest.approx(skip_gram(4, 2, 1, 0.5, 3), abs=1e-6)
    apart = trained_vectors(batches, counts, recipe)
    assert np.abs(apart - tied).max() > 1e-4


def first_tables(kind, window=2, d=3):
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(5, d)).astype(np.float32)
    width = d if kind == SSKIP else 2 * window * d
    outputs = rng.normal(size=(5 * (2 * window if kind == SSKIP else 1), width)).astype(np.float32)
    return inputs, outputs


def test_cwin_with_equal_blocks_scores_as_cbow_with_the_sum_of_the_context():
    window, d = 2, 3
    inputs, _ = first_tables(CWIN)
    block = np.random.default_rng(2).normal(size=(5, d)).astype(np.float32)
    outputs = np.tile(block, 2 * window)
    context = [0, 1, 3]  # of a word at the second place: one before, two after, one outside
    h = np.zeros((2 * window, d), np.float32)
    h[[1, 2, 3]] = inputs[context]
    summed = inputs[context].sum(0)
    rows = np.array([2, 4, 0])
    change = np.zeros(2 * window * d, np.float32)
    expected, by_sum, _ = by_hand(summed.astype(float), block.astype(float), rows)
    objective = step(h.ravel().copy(), outputs.copy(), rows, 3, np.float32(1), change, True)
    assert objective == pytest.approx(expected, rel=1e-5)
    for part in change.reshape(2 * window, d):  # every word of the context moves as in CBOW
        assert part == pytest.approx(by_sum, rel=1e-4, abs=1e-5)


def test_the_loop_of_cwin_takes_the_whole_window_with_zeros_outside():
    inputs, outputs = first_tables(CWIN)
    before = inputs.copy(), outputs.copy()
    sentence = np.array([0, 1, 2], np.int32)
    table = alias_table(np.array([0.0, 0, 0, 0, 1]))  # the wrong word is always 4
    keep = keep_probabilities(np.ones(5), 0)
    options, progress, state = (2, 1, 0.1), np.array([0, 3]), np.array([9], np.uint64)
    train_sentences(
        np.array([0, 3]), sentence, keep, *table, inputs, outputs, CWIN, np.arange(4), options, progress, state
    )
    expected_in, expected_out = (part.astype(float) for part in before)
    for position, offsets in enumerate(([(2, 1), (3, 2)], [(1, 0), (2, 2)], [(0, 0), (1, 1)])):  # (place in h, word)
        h = np.zeros((4, 3))
        for slot, word in offsets:
            h[slot] = expected_in[word]
        _, by_h, by_outputs = by_hand(h.ravel(), expected_out, [position, 4])
        np.add.at(expected_out, [position, 4], 0.1 * by_outputs)
        for slot, word in offsets:
            expected_in[word] += 0.1 * by_h.reshape(4, 3)[slot]
    assert inputs == pytest.approx(expected_in, abs=1e-5)
    assert outputs == pytest.approx(expected_out, abs=1e-5)
    assert progress[0] == 3


def test_a_rate_that_is_too_high_is_told():
    def batches():
        yield WORDS, SENTENCES

    recipe = Word2Vec(dimensions=4, window=2, negative=2, sample=0, epochs=60, learning_rate=1e30, seed=3)
    with pytest.raises(FloatingPointError, match="lower learning_rate"):
        trained_vectors(batches, np.bincount(WORDS), recipe)
