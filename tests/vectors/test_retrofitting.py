import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from repline.vectors.recipes import Retrofitting
from repline.vectors.retrofitting import distinct_edges, retrofit


def symmetric(pairs):
    pairs = np.array(pairs)
    return np.concatenate([pairs, pairs[:, ::-1]])


def word_by_word(matrix, edges, sweeps, alpha=1.0):
    """The published program's loop, in the order of the rows."""
    neighbours = {}
    for word, neighbour in sorted({(i, j) for i, j in edges.tolist() if i != j}):
        neighbours.setdefault(word, []).append(neighbour)
    vectors = matrix.astype(float)
    for _ in range(sweeps):
        for word, around in neighbours.items():
            pulled = alpha * len(around) * matrix[word] + sum(vectors[j] for j in around)
            vectors[word] = pulled / ((alpha + 1) * len(around))
    return vectors


@pytest.fixture(params=[0, 1, 2], ids="seed {}".format)
def lexicon(request):
    random = np.random.default_rng(request.param)
    return random.normal(size=(60, 5)), random.integers(0, 50, size=(150, 2))


def test_two_synonyms_by_hand():
    matrix, edges = np.eye(2), symmetric([(0, 1)])
    assert_array_equal(retrofit(matrix, edges, Retrofitting(sweeps=1)), [[1 / 2, 1 / 2], [1 / 4, 3 / 4]])
    assert_allclose(retrofit(matrix, edges, Retrofitting(sweeps=60)), [[2 / 3, 1 / 3], [1 / 3, 2 / 3]], atol=1e-15)


@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_a_sweep_in_waves_is_the_loop_over_words(lexicon, alpha):
    matrix, edges = lexicon
    for sweeps in (1, 2, 10):
        ours = retrofit(matrix, edges, Retrofitting(sweeps=sweeps, alpha=alpha))
        assert_allclose(ours, word_by_word(matrix, edges, sweeps, alpha), rtol=0, atol=1e-13)


def test_a_clique_and_a_chain_too():
    matrix = np.random.default_rng(0).normal(size=(30, 3))
    clique = np.array([(i, j) for i in range(10) for j in range(10)])
    chain = np.array([(i, i + 1) for i in range(10, 29)])
    for edges in (clique, chain, chain[:, ::-1], np.concatenate([clique, symmetric(chain)])):
        assert_allclose(
            retrofit(matrix, edges, Retrofitting(sweeps=3)), word_by_word(matrix, edges, 3), rtol=0, atol=1e-13
        )


def test_the_fixed_point_is_half_the_original_and_half_the_neighbours(lexicon):
    matrix, edges = lexicon
    vectors = retrofit(matrix, edges, Retrofitting(sweeps=60))
    for word in np.unique(distinct_edges(edges, 60)[:, 0]):
        around = distinct_edges(edges, 60)
        around = around[around[:, 0] == word, 1]
        assert_allclose((vectors[around].mean(0) + matrix[word]) / 2, vectors[word], atol=1e-8)


def test_words_outside_the_lexicon_are_unchanged_exactly(lexicon):
    matrix, edges = lexicon
    outside = np.setdiff1d(np.arange(60), edges[edges[:, 0] != edges[:, 1], 0])
    assert len(outside) >= 10
    assert_array_equal(retrofit(matrix, edges)[outside], matrix[outside])


def _objective(vectors, original, edges):
    """sum_i |N(i)| ||q_i - q^_i||^2 + sum_{unordered {i, j}} ||q_i - q_j||^2: Faruqui et al. 2015, eq. (1).

    A pair of synonyms counts once: counted in both directions, it would need twice the weight in the update.
    """
    edges = distinct_edges(edges, len(original))
    degree = np.bincount(edges[:, 0], minlength=len(original))
    distance_to_original = (degree * ((vectors - original) ** 2).sum(1)).sum()
    return distance_to_original + ((vectors[edges[:, 0]] - vectors[edges[:, 1]]) ** 2).sum() / 2


def test_every_update_lowers_the_objective_of_a_symmetric_lexicon():
    random = np.random.default_rng(3)
    matrix, edges = random.normal(size=(20, 4)), symmetric(random.integers(0, 20, size=(30, 2)))
    neighbours = distinct_edges(edges, 20)
    vectors, values = matrix.copy(), [_objective(matrix, matrix, edges)]
    for _ in range(3):
        for word in np.unique(neighbours[:, 0]):
            around = neighbours[neighbours[:, 0] == word, 1]
            vectors[word] = (matrix[word] + vectors[around].mean(0)) / 2
            values.append(_objective(vectors, matrix, edges))
    assert (np.diff(values) <= 1e-12).all()
    assert values[-1] < values[0]
    assert _objective(retrofit(matrix, edges, Retrofitting(sweeps=3)), matrix, edges) == pytest.approx(
        values[-1], abs=1e-12
    )


def test_the_type_of_the_matrix_stays_and_the_input_is_only_read():
    matrix = np.eye(3, dtype=np.float32)
    matrix.setflags(write=False)
    vectors = retrofit(matrix, symmetric([(0, 1)]), Retrofitting(sweeps=60))
    assert vectors.dtype == np.float32
    assert_array_equal(matrix, np.eye(3))
    assert_array_equal(vectors[0], np.array([2 / 3, 1 / 3, 0], np.float32))


def test_an_empty_lexicon_changes_nothing():
    matrix = np.random.default_rng(0).normal(size=(4, 3))
    assert_array_equal(retrofit(matrix, np.empty((0, 2), int)), matrix)
    assert_array_equal(retrofit(matrix, np.array([(2, 2)])), matrix)
    assert_array_equal(retrofit(matrix, symmetric([(0, 1)]), Retrofitting(sweeps=0)), matrix)


def test_repeated_edges_count_once():
    matrix = np.random.default_rng(0).normal(size=(4, 3))
    edges = np.array([(0, 1), (0, 2), (0, 1), (1, 0)])
    assert_array_equal(retrofit(matrix, edges), retrofit(matrix, edges[[1, 3, 0]]))


@pytest.mark.parametrize(
    ("edges", "sweeps", "alpha", "words"),
    [
        ([(0, 4)], 1, 1.0, "row 4 of 4"),
        ([(-1, 0)], 1, 1.0, "row -1 of 4"),
        ([(0, 1, 2)], 1, 1.0, r"\(1, 3\)"),
        ([(0.0, 1.0)], 1, 1.0, "float64"),
        ([(0, 1)], -1, 1.0, "greater than or equal to 0"),
        ([(0, 1)], 1, 0.0, "greater than 0"),
    ],
)
def test_wrong_input_is_refused(edges, sweeps, alpha, words):
    with pytest.raises(ValueError, match=words):
        retrofit(np.eye(4), np.array(edges), Retrofitting(sweeps=sweeps, alpha=alpha))
