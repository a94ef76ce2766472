import numpy as np
import pytest
from scipy import sparse

from repline.algebra import walks
from repline.errors import InputError


def graph(edges, nodes, directed=False):
    matrix = np.zeros((nodes, nodes))
    for a, b in edges:
        matrix[a, b] = 1
        matrix[b, a] = matrix[b, a] if directed else 1
    return sparse.csr_matrix(matrix)


def random_graph(nodes, seed=0, directed=False):
    rng = np.random.default_rng(seed)
    matrix = (rng.random((nodes, nodes)) < 4 / nodes) * rng.integers(1, 4, (nodes, nodes)).astype(float)
    matrix = np.triu(matrix, 1)
    matrix = matrix if directed else matrix + matrix.T
    matrix[0] = 0
    matrix[:, 0] = 0  # a word without neighbours
    return sparse.csr_matrix(matrix)


PATH = walks.row_stochastic(graph([(0, 1), (1, 2)], 3))


def test_all_walks_on_a_path():
    matrix = walks.all_walks(PATH, 0.75)
    expected = [[1.642857, 1.714286, 0.642857], [0.857143, 2.285714, 0.857143], [0.642857, 1.714286, 1.642857]]
    np.testing.assert_allclose(matrix, expected, atol=5e-7)
    np.testing.assert_allclose(matrix.sum(axis=1), 4)
    np.testing.assert_allclose(matrix.sum(axis=0), [3.142857, 5.714286, 3.142857], atol=5e-7)


def test_the_literal_inverse_on_a_triangle_is_negative_and_refused():
    triangle = graph([(0, 1), (1, 2), (0, 2)], 3)
    with pytest.raises(InputError, match=r"decay 0.75 times the spectral radius 2 .* take a decay below 0.5"):
        walks.all_walks(triangle, 0.75)
    literal = walks.all_walks(triangle, 0.75, diverging=True)
    np.testing.assert_allclose(literal, np.where(np.eye(3) > 0, -0.2857, -0.8571), atol=5e-5)
    stochastic = walks.all_walks(walks.row_stochastic(triangle), 0.75)
    np.testing.assert_allclose(stochastic, np.where(np.eye(3) > 0, 1.8182, 1.0909), atol=5e-5)


def test_a_singular_system_is_named():
    with pytest.raises(InputError, match="is singular"):
        walks.all_walks(graph([(0, 1)], 2) * 2, 0.5, diverging=True)


def truncated(steps, alpha, longest):
    """I + alpha P + ... + alpha^n P^n."""
    total = np.eye(steps.shape[0])
    for _ in range(longest):
        total = np.eye(steps.shape[0]) + alpha * (steps @ total)
    return total


def test_an_adjacency_matrix_with_a_small_decay_has_a_sum():
    triangle = graph([(0, 1), (1, 2), (0, 2)], 3)
    np.testing.assert_allclose(walks.all_walks(triangle, 0.4), truncated(triangle, 0.4, 200))


@pytest.mark.parametrize("directed", [False, True])
def test_rows_sum_to_the_geometric_series_where_no_walk_ends(directed):
    stochastic = walks.row_stochastic(random_graph(60, directed=directed))
    matrix = walks.all_walks(stochastic, 0.75)
    filled = np.diff(stochastic.indptr) > 0
    reached = matrix @ ~filled > 1e-12  # rows from which a node without edges can be reached
    assert (matrix >= 0).all()
    assert (np.diag(matrix) >= 1).all()
    np.testing.assert_allclose(matrix[~reached].sum(axis=1), 4)
    assert matrix[0].tolist() == [1] + [0] * 59
    if directed:
        assert (matrix[reached].sum(axis=1) < 4).all()
    else:
        assert (~reached).sum() > 40


def test_forty_terms_are_the_inverse_to_four_digits():
    stochastic = walks.row_stochastic(random_graph(60))
    difference = np.abs(truncated(stochastic, 0.75, 40) - walks.all_walks(stochastic, 0.75))
    assert 1e-9 < difference.sum(axis=1).max() <= 0.75**41 / 0.25 * 1.000001
    assert difference.max() < 1e-4


def test_column_sums_come_without_the_matrix():
    for directed in (False, True):
        stochastic = walks.row_stochastic(random_graph(60, directed=directed))
        expected = walks.all_walks(stochastic, 0.85).sum(axis=0)
        np.testing.assert_allclose(walks.walk_column_sums(stochastic, 0.85), expected, rtol=1e-12)


@pytest.mark.parametrize("block", [1, 7, 16, 100])
@pytest.mark.parametrize("alpha", [0.0, 0.65, 0.85])
def test_blocks_of_rows_are_the_rows_of_the_inverse(block, alpha):
    stochastic = walks.row_stochastic(random_graph(60))
    matrix = np.zeros((60, 60))
    for first, rows in walks.walk_rows(stochastic, alpha, block=block, tolerance=1e-9, dtype=np.float64):
        matrix[first : first + rows.shape[1]] = rows.T
    assert np.abs(matrix - walks.all_walks(stochastic, alpha)).sum(axis=1).max() <= 1e-9


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_iterates_are_those_of_chebyshev_s_polynomials(steps):
    """y_k = (I - T_k(P') / T_k(1 / alpha)) y, of which the iteration makes y_1 without a step."""
    alpha, stochastic = 0.75, walks.row_stochastic(random_graph(40))
    transposed = (stochastic.T * alpha).tocsr()
    iterate, enough = walks._chebyshev(transposed, alpha, np.arange(40), 0.0, 1, steps)
    assert enough is None
    last, now = np.eye(40), stochastic.T.toarray()  # T_0, T_1
    last_scale, scale = 1.0, 1 / alpha
    for _ in range(steps):
        last, now = now, 2 * stochastic.T @ now - last
        last_scale, scale = scale, 2 / alpha * scale - last_scale
    solution = np.linalg.inv(np.eye(40) - transposed.toarray())
    np.testing.assert_allclose(iterate, solution - now @ solution / scale, atol=1e-12)


def test_directed_graphs_are_summed_to_the_same_bound():
    ring = sparse.csr_matrix(np.roll(np.eye(50), 1, axis=1))  # its eigenvalues lie on the whole unit circle
    for stochastic in (ring, walks.row_stochastic(random_graph(50, directed=True))):
        exact = walks.all_walks(stochastic, 0.75)
        for first, rows in walks.walk_rows(stochastic, 0.75, tolerance=1e-6, dtype=np.float64):
            assert np.abs(rows.T - exact[first : first + rows.shape[1]]).sum(axis=1).max() <= 1e-6


def test_an_order_that_helps_the_cache_does_not_change_the_rows(monkeypatch):
    stochastic = walks.row_stochastic(random_graph(60))
    monkeypatch.setattr(walks, "CACHED", 10)
    blocks = [rows for _, rows in walks.walk_rows(stochastic, 0.75, tolerance=1e-9, dtype=np.float64)]
    np.testing.assert_allclose(np.concatenate(blocks, axis=1).T, walks.all_walks(stochastic, 0.75), atol=1e-9)


def test_threads_change_nothing():
    stochastic = walks.row_stochastic(random_graph(200))
    by_one, by_three = (
        np.concatenate([rows for _, rows in walks.walk_rows(stochastic, 0.75, threads=threads)], axis=1)
        for threads in (1, 3)
    )
    assert by_one.dtype == np.float32
    assert (by_one == by_three).all()


def test_the_spectral_radius():
    for edges, nodes, expected in (([(0, 1)], 2, 1.0), ([(0, i) for i in range(1, 10)], 10, 3.0)):
        assert walks.spectral_radius(graph(edges, nodes)) == pytest.approx(expected, abs=1e-4)
    weighted = random_graph(40)
    largest = np.abs(np.linalg.eigvals(weighted.toarray())).max()
    assert walks.spectral_radius(weighted) == pytest.approx(largest, rel=1e-4)


@pytest.mark.parametrize("alpha", [-0.1, 1.0, 2.0])
def test_a_decay_out_of_range_is_named(alpha):
    for call in (walks.all_walks, walks.walk_column_sums, lambda p, a: next(walks.walk_rows(p, a))):
        with pytest.raises(InputError, match="a decay alpha from 0 to below 1"):
            call(PATH, alpha)
