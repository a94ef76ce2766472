import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from repline.errors import InputError
from repline.systems.lexical_contrast import counter_fitting
from repline.systems.lexical_contrast.counter_fitting import counter_fit, neighbours
from repline.systems.lexical_contrast.settings import CounterFitting


def pair_by_pair(matrix, synonyms, antonyms, epochs, delta=1.0, gamma=0.0, rho=0.2, weight=0.1):
    """The published program's loop over pairs."""
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    repelled = {tuple(sorted(pair)) for pair in antonyms}
    near = {
        (i, j): 1 - unit[i] @ unit[j]
        for i in range(len(unit))
        for j in range(i + 1, len(unit))
        if 1 - unit[i] @ unit[j] < rho and (i, j) not in repelled
    }
    vectors = unit.copy()
    for _ in range(epochs):
        updates, counts = np.zeros_like(vectors), np.zeros(len(vectors))
        for pairs, active, sign in (
            (antonyms, lambda pair, distance: distance < delta, 1),
            (synonyms, lambda pair, distance: distance > gamma, -1),
            (near, lambda pair, distance: distance >= near[pair] - 1e-14, -1),  # all of them in the first epoch
        ):
            for i, j in pairs:
                cosine = vectors[i] @ vectors[j]
                if active((i, j), 1 - cosine):
                    for row, partner in ((i, j), (j, i)):
                        updates[row] += sign * weight * (vectors[row] * cosine - vectors[partner])
                        counts[row] += 1
        moved = counts > 0
        vectors[moved] += updates[moved] / counts[moved, None]
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


@pytest.fixture
def space():
    random = np.random.default_rng(0)
    matrix = random.normal(size=(40, 4)) + 1
    return matrix, [(0, 1), (2, 3), (4, 5), (0, 6)], [(0, 7), (8, 9), (2, 10)]


@pytest.mark.parametrize("rho", [0.0, 0.2])
def test_sparse_products_are_the_loop_over_pairs(space, rho):
    matrix, synonyms, antonyms = space
    ours = counter_fit(matrix, np.array(synonyms), np.array(antonyms), CounterFitting(epochs=5, rho=rho))
    assert_allclose(ours, pair_by_pair(matrix, synonyms, antonyms, 5, rho=rho), atol=1e-12)


def test_antonyms_that_are_near_go_apart(space):
    matrix = space[0]
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    first, second = neighbours(unit, 0.1)[0]
    two = matrix[[first, second]]
    apart = counter_fit(two, np.empty((0, 2), int), np.array([[1, 0]]))  # they would hold each other as neighbours
    assert apart[0] @ apart[1] < unit[first] @ unit[second] - 0.1


def test_synonyms_come_nearer_antonyms_go_apart_and_others_stay(space):
    matrix, synonyms, antonyms = space
    before = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    after = counter_fit(matrix, np.array(synonyms), np.array(antonyms))
    for pairs, sign in ((synonyms, 1), (antonyms, -1)):
        assert sign * np.mean([after[i] @ after[j] - before[i] @ before[j] for i, j in pairs]) > 0.02
    after = counter_fit(matrix, np.array(synonyms), np.array(antonyms), CounterFitting(rho=0.04))
    near = np.unique(neighbours(before, 0.04))
    alone, held = np.setdiff1d(np.arange(11, 40), near), np.intersect1d(np.arange(11, 40), near)
    assert len(alone) > 5 < len(held)
    assert_allclose(after[alone], before[alone], rtol=1e-15)
    assert (np.abs(after[held] - before[held]).max(1) > 1e-4).all()  # drawn by neighbours
    none = np.empty((0, 2), int)
    assert_allclose(counter_fit(matrix, none, none), before, rtol=1e-15)


def test_neighbours_hold_vectors_together(space):
    matrix, synonyms, antonyms = space
    free, held = (
        counter_fit(matrix, np.array(synonyms), np.array(antonyms), CounterFitting(weights=[0.1, 0.1, weight]))
        for weight in (0, 0.1)
    )
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    near = neighbours(unit[:11], 0.2)
    lost = [sum(unit[i] @ unit[j] - vectors[i] @ vectors[j] for i, j in near) for vectors in (free, held)]
    assert lost[1] < lost[0]


def test_neighbours_do_not_depend_on_the_block(space, monkeypatch):
    unit = space[0] / np.linalg.norm(space[0], axis=1, keepdims=True)
    pairs = neighbours(unit, 0.2)
    expected = [(i, j) for i in range(40) for j in range(i + 1, 40) if unit[i] @ unit[j] > 0.8]
    assert_array_equal(pairs, expected)
    monkeypatch.setattr(counter_fitting, "BLOCK", 7)
    assert_array_equal(neighbours(unit, 0.2), pairs)


def test_vectors_that_are_all_near_each_other_are_refused(space, monkeypatch):
    monkeypatch.setattr(counter_fitting, "MAX_NEIGHBOURS", 700)
    matrix, synonyms, antonyms = space
    with pytest.raises(InputError, match=r"more than 700 pairs of words are nearer than 0\.2; take fewer words"):
        counter_fit(matrix + 100, np.array(synonyms), np.array(antonyms))  # 780 pairs
