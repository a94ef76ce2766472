"""Adam by rows: torch's own where every row is used, no other row moves, marked rows stay unit, and it goes on."""

import torch

from repline.training.row_adam import RowAdam, mark_unit_rows


def trained(optimizer_of, sparse, steps=6, rows=(0, 1, 2, 3)):
    torch.manual_seed(0)
    table, dense = torch.nn.Embedding(4, 3, sparse=sparse), torch.nn.Linear(3, 1)
    parameters = [*table.parameters(), *dense.parameters()]
    optimizer = optimizer_of(parameters)
    for step in range(steps):
        optimizer.zero_grad()
        (dense(table(torch.tensor(rows))) - step).square().sum().backward()
        optimizer.step()
    return parameters


def test_it_is_adam_where_every_row_is_used():
    ours = trained(lambda parameters: RowAdam(parameters, 0.1, epsilon=1e-8), sparse=True)
    theirs = trained(lambda parameters: torch.optim.Adam(parameters, 0.1, eps=1e-8), sparse=False)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)


def test_rows_that_are_not_used_stay_and_their_moments_with_them():
    torch.manual_seed(0)
    before = torch.nn.Embedding(4, 3).weight
    after = trained(lambda parameters: RowAdam(parameters, 0.1), sparse=True, rows=(1, 3, 3))[0]
    assert torch.equal(after[[0, 2]], before[[0, 2]])
    assert (after[[1, 3]] != before[[1, 3]]).all()


def test_marked_rows_are_unit_whether_the_gradient_is_sparse_or_not():
    def marked(parameters):
        mark_unit_rows(parameters[0])
        return RowAdam(parameters, 0.1)

    for sparse in (True, False):
        norms = trained(marked, sparse)[0].norm(dim=1)
        torch.testing.assert_close(norms, torch.ones(4), atol=1e-5, rtol=0)


def test_a_step_runs_a_closure():
    parameter = torch.nn.Parameter(torch.ones(2))
    optimizer = RowAdam([parameter], 0.1)

    def closure():
        loss = parameter.square().sum()
        loss.backward()
        return loss

    assert optimizer.step(closure) == 2
    assert (parameter < 1).all()
