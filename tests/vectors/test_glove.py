import numpy as np
import pytest
from scipy import sparse

from repline.errors import InputError
from repline.vectors.glove import loss, train_glove, weight
from repline.vectors.recipes import Glove


def test_rare_cells_weigh_less():
    np.testing.assert_allclose(weight(np.array([1, 50, 100, 400])), [0.0316228, 0.594604, 1, 1], rtol=1e-6)


def test_a_step_is_half_the_derivative_of_the_loss():
    d, rate, count = 4, 1e-3, 37.0
    counts = sparse.coo_array(([count], ([1], [2])), shape=(3, 3))
    rng = np.random.default_rng(0)
    start = [((rng.random((3, d + 1)) - 0.5) / (d + 1)).astype(np.float32).astype(np.float64) for _ in range(2)]

    def at(x, y):
        return loss(x[:, :-1], y[:, :-1], x[:, -1], y[:, -1], counts)

    x, y, b, c = train_glove(counts, Glove(dimensions=d, iterations=1, learning_rate=rate))
    ends = np.column_stack([x, b]), np.column_stack([y, c])
    for side, end in enumerate(ends):
        steps = np.zeros((3, d + 1))
        for index in np.ndindex(3, d + 1):
            moved = [[table.copy() for table in start] for _ in range(2)]
            moved[0][side][index] += 1e-5
            moved[1][side][index] -= 1e-5
            steps[index] = -rate * (at(*moved[0]) - at(*moved[1])) / 2e-5 / 2
        np.testing.assert_allclose(end - start[side], steps, rtol=1e-3, atol=1e-8)
        assert np.abs(steps).max() > 1e-6


def test_counts_that_factorise_are_fitted_exactly():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 30, 3)) / 2
    b, c = rng.normal(size=(2, 30))
    counts = sparse.coo_array(np.exp(x @ y.T + b[:, None] + c + 2))
    losses = []
    recipe = Glove(dimensions=6, iterations=400, maximum=10.0, learning_rate=0.1)
    tables = train_glove(counts, recipe, report=lambda _, value: losses.append(value))
    assert losses[-1] < 1e-3 * losses[0]
    assert loss(*tables, counts, maximum=10.0) / counts.nnz == pytest.approx(losses[-1], rel=0.2)


def test_a_seed_gives_the_same_vectors():
    counts = sparse.random_array((20, 20), density=0.3, rng=np.random.default_rng(2))
    recipe = Glove(dimensions=5, iterations=3)
    first, again, other_seed = (train_glove(counts, recipe, seed=seed)[0] for seed in (3, 3, 4))
    assert np.array_equal(first, again) and not np.array_equal(first, other_seed)


@pytest.mark.parametrize("values", [[], [-1.0], [np.nan]])
def test_counts_have_to_be_above_zero(values):
    counts = sparse.coo_array((values, ([0] * len(values), [1] * len(values))), shape=(2, 2))
    with pytest.raises(InputError, match="counts above zero"):
        train_glove(counts)
