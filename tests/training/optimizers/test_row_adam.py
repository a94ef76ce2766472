"""Adam by rows equals torch's, compiled and not, and leaves rows alone that a step has not used."""

import numpy as np
import pytest
import torch
from torch import nn

from repline.training.optimizers.row_adam import RowAdam, update_by_tensors, update_on_cpu, update_rows

CONSTANTS = (0.01, 0.9, 0.999, 1e-8)


def _gradient(rows=(3, 1, 3, 3), dimensions=4, seed=0):
    values = torch.randn(len(rows), dimensions, generator=torch.Generator().manual_seed(seed))
    return torch.sparse_coo_tensor(torch.tensor([rows]), values, (6, dimensions), check_invariants=True)


@pytest.mark.parametrize("table_rate", [1.0, 2.0])
def test_a_table_is_trained_as_by_torch(table_rate):
    torch.manual_seed(0)
    ours = nn.EmbeddingBag(6, 4, mode="sum", sparse=True)
    theirs = nn.EmbeddingBag(6, 4, mode="sum", sparse=True)
    theirs.load_state_dict(ours.state_dict())
    by_rows = RowAdam(ours.parameters(), 0.01, table_rate)
    by_torch = torch.optim.SparseAdam(list(theirs.parameters()), 0.01 * table_rate)
    for bags in ([[0, 1], [1, 1]], [[2, 0], [5, 5]], [[1, 3], [0, 4]]):
        for bag, optimizer in ((ours, by_rows), (theirs, by_torch)):
            optimizer.zero_grad()
            bag(torch.tensor(bags)).square().sum().backward()
            optimizer.step()
    torch.testing.assert_close(ours.weight, theirs.weight)


def test_what_is_not_sparse_is_trained_as_by_adam():
    torch.manual_seed(0)
    ours, theirs = nn.Linear(3, 2), nn.Linear(3, 2)
    theirs.load_state_dict(ours.state_dict())
    optimizers = RowAdam(ours.parameters(), 0.01, table_rate=5.0), torch.optim.Adam(theirs.parameters(), 0.01)
    for _ in range(3):
        for layer, optimizer in zip((ours, theirs), optimizers, strict=True):
            optimizer.zero_grad()
            layer(torch.ones(4, 3)).square().sum().backward()
            optimizer.step()
    torch.testing.assert_close(ours.weight, theirs.weight)


def test_unused_rows_keep_weights_and_moments():
    bag = nn.EmbeddingBag(6, 4, mode="sum", sparse=True)
    before = bag.weight.detach().clone()
    optimizer = RowAdam(bag.parameters(), 0.01)
    bag(torch.tensor([[1, 3]])).sum().backward()
    optimizer.step()
    changed = (bag.weight != before).any(1)
    assert changed.tolist() == [False, True, False, True, False, False]
    moments = optimizer.state[bag.weight]["exp_avg"].abs().sum(1) > 0
    assert moments.tolist() == changed.tolist()


def test_the_loop_equals_tensors_and_plain_python():
    gradient = _gradient()
    start = torch.randn(6, 4, generator=torch.Generator().manual_seed(1))
    results = []
    for update in (update_by_tensors, update_on_cpu):
        table, means, squares = start.clone(), torch.full((6, 4), 0.1), torch.full((6, 4), 0.2)
        update(table, gradient, means, squares, *CONSTANTS)
        results.append((table, means, squares))
    for first, second in zip(*results, strict=True):
        torch.testing.assert_close(first, second)
    table, means, squares = start.numpy().copy(), np.full((6, 4), 0.1, np.float32), np.full((6, 4), 0.2, np.float32)
    rows, values = gradient._indices()[0].numpy(), gradient._values().numpy()
    update_rows.py_func(table, means, squares, rows, values, np.array(CONSTANTS, np.float32))
    np.testing.assert_allclose(table, results[1][0].numpy(), rtol=1e-6)
    np.testing.assert_allclose(squares, results[1][2].numpy(), rtol=1e-6)
