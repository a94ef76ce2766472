import numpy as np
import pytest

from repline.vectors.windows import around, stretches, window_counts


def counted(sentences, words, window):
    """Count pairs in windows by a loop."""
    counts = np.zeros((words, words))
    for sentence in sentences:
        for i, word in enumerate(sentence):
            for j, neighbour in enumerate(sentence):
                if word >= 0 and neighbour >= 0 and 0 < abs(i - j) <= window:
                    counts[word, neighbour] += 1 / abs(i - j)
    return counts


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_pairs_count_by_one_over_their_distance_within_sentences(block):
    rng = np.random.default_rng(0)
    sentences = [rng.integers(-1, 6, size=size).tolist() for size in (1, 9, 4, 12, 2)]
    ids = np.concatenate(sentences).astype(np.int64)
    numbers = np.repeat(np.arange(5), [1, 9, 4, 12, 2])
    counts = window_counts(ids, numbers, 6, 3, block).toarray()
    np.testing.assert_allclose(counts, counted(sentences, 6, 3), rtol=1e-12)
    np.testing.assert_allclose(counts, counts.T, rtol=1e-12)


def test_of_no_word_nothing_is_counted():
    assert window_counts(np.full(4, -1), np.zeros(4, int), 3, 2).nnz == 0
    assert window_counts(np.zeros(0, int), np.zeros(0, int), 3, 2).nnz == 0


def test_neighbours_weigh_the_same_without_distances():
    rows = around(np.array([0, 1, 2]), np.zeros(3, int), 3, 2, False).toarray()
    assert rows.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_stretches_hold_how_often_each_word_occurs():
    assert stretches(np.array([0, 1, 1, 2]), np.array([0, 3, 3, 4]), 3).toarray().tolist() == [
        [1, 2, 0],
        [0, 0, 0],
        [0, 0, 1],
    ]
