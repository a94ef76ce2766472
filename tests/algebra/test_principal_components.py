import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import PCA

from repline.algebra.principal_components import principal_components
from repline.errors import InputError


def falling(rows, columns, seed=0):
    """Singular values that halve every few steps, and a mean that is not zero."""
    rng = np.random.default_rng(seed)
    left, _ = np.linalg.qr(rng.standard_normal((rows, columns)))
    right_vectors, _ = np.linalg.qr(rng.standard_normal((columns, columns)))
    return (left * 0.8 ** np.arange(columns)) @ right_vectors + rng.standard_normal(columns)


@pytest.mark.parametrize("oversampling", [10, 1000])  # randomised, and the whole decomposition
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_scores_axes_and_values_are_those_of_scikit_learn(form, oversampling):
    matrix = falling(90, 70)
    peer = PCA(12, svd_solver="full").fit(matrix)
    scores, axes, values = principal_components(form(matrix), 12, oversampling=oversampling)
    np.testing.assert_allclose(np.abs(axes.T), np.abs(peer.components_), atol=1e-6)
    np.testing.assert_allclose(np.abs(scores), np.abs(peer.transform(matrix)), atol=1e-6)
    np.testing.assert_allclose(values, peer.singular_values_, rtol=1e-7)
    assert (axes.max(axis=0) >= -axes.min(axis=0)).all()


@pytest.mark.parametrize("oversampling", [10, 1000])
def test_without_centring_it_is_the_singular_value_decomposition(oversampling):
    matrix = falling(90, 70)
    scores, _, values = principal_components(matrix, 8, centre=False, oversampling=oversampling)
    left, singular, _ = np.linalg.svd(matrix)
    np.testing.assert_allclose(values, singular[:8], rtol=1e-7)
    np.testing.assert_allclose(np.abs(scores), np.abs(left[:, :8] * singular[:8]), atol=1e-6)


def test_at_full_rank_inner_products_are_kept_and_below_the_discarded_values_are_lost():
    matrix = falling(40, 15)
    centred = matrix - matrix.mean(axis=0)
    scores, axes, values = principal_components(matrix, 15)
    np.testing.assert_allclose(scores @ scores.T, centred @ centred.T, atol=1e-10)
    for count in (1, 5, 14):
        lost = ((centred - scores[:, :count] @ axes[:, :count].T) ** 2).sum()
        assert lost == pytest.approx((values[count:] ** 2).sum(), rel=1e-9)


def test_sparse_and_dense_agree_for_any_number_of_threads():
    rng = np.random.default_rng(1)
    matrix = sparse.random(300, 200, 0.05, rng=rng, dtype=np.float32, format="csr")
    dense, _, _ = principal_components(matrix.toarray(), 20, oversampling=10)
    by_one, _, _ = principal_components(matrix, 20, oversampling=10)
    by_three, _, _ = principal_components(matrix, 20, oversampling=10, threads=3)
    assert by_one.dtype == np.float32
    assert (by_one == by_three).all()
    np.testing.assert_allclose(dense, by_one, atol=2e-4)


@pytest.mark.parametrize("dimensions", [0, 6])
def test_dimensions_that_are_not_there_are_named(dimensions):
    with pytest.raises(InputError, match=f"a matrix of 9 x 5 has 1 to 5 components, not {dimensions}"):
        principal_components(np.ones((9, 5)), dimensions)
