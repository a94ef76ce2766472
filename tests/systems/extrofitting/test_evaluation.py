"""The control vectors that extrofitting is compared with."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from repline.systems.extrofitting import model
from repline.systems.extrofitting.evaluation import controls

ORDERS = (3, 4)
WORDS, SIZE = 60, 5


@pytest.fixture(scope="module")
def matrix():
    return np.random.default_rng(0).normal(1, 2, (WORDS, SIZE))


@pytest.fixture(scope="module")
def edges():
    """Pairs among the first 40 words."""
    return np.random.default_rng(1).integers(0, 40, (50, 2))


@pytest.fixture(scope="module")
def variants(matrix, edges):
    return controls(matrix, edges, ORDERS)


def test_each_order_of_the_words_is_extrofitted_and_the_others_are_made_of_the_first(matrix, edges, variants):
    alone = controls(matrix, edges, ORDERS[:1])
    assert variants.keys() - alone.keys() == {f"order_{ORDERS[1]}"}
    for name, vectors in alone.items():
        assert_array_equal(variants[name], vectors, err_msg=name)
    for seed in ORDERS:
        assert_allclose(variants[f"order_{seed}"], model.extrofit(matrix, edges, seed=seed), atol=1e-9)


def test_centred_vectors_are_only_centred_and_whitened_ones_have_no_correlation(matrix, variants):
    assert_allclose(variants["centred"], matrix - matrix.mean(0), atol=1e-9)
    covariance = np.cov(variants["whitened"].T)
    assert_allclose(covariance, np.eye(SIZE) * covariance[0, 0], atol=1e-9)


def test_the_controls_differ(variants):
    names = list(variants)
    for index, name in enumerate(names):
        for earlier in names[:index]:
            assert not np.allclose(variants[name][:, :SIZE], variants[earlier][:, :SIZE]), (name, earlier)
