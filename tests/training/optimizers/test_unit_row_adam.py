"""Adam with unit rows: torch's own for tables that are not marked, the norm 1 for those that are, zeros stay."""

import torch

from repline.training.optimizers.unit_row_adam import UnitRowAdam, mark_unit_rows, unit


def trained(optimizer_of, steps=6, rows=(0, 1, 3)):
    torch.manual_seed(0)
    table, dense = torch.nn.Embedding(4, 3), torch.nn.Linear(3, 1)
    parameters = [*table.parameters(), *dense.parameters()]
    optimizer = optimizer_of(parameters)
    for step in range(steps):
        optimizer.zero_grad()
        (dense(table(torch.tensor(rows))) - step).square().sum().backward()
        optimizer.step()
    return parameters


def test_it_is_adam_where_nothing_is_marked():
    ours = trained(lambda parameters: UnitRowAdam(parameters, 0.1, eps=1e-8))
    theirs = trained(lambda parameters: torch.optim.Adam(parameters, 0.1))
    for our_value, their_value in zip(ours, theirs, strict=True):
        torch.testing.assert_close(our_value, their_value, atol=1e-5, rtol=1e-4)


def test_marked_rows_are_unit_and_others_are_not():
    def marked(parameters):
        mark_unit_rows(parameters[0])
        return UnitRowAdam(parameters, 0.1)

    table, weight, _ = trained(marked)
    torch.testing.assert_close(table.norm(dim=1), torch.ones(4), atol=1e-6, rtol=0)
    assert abs(weight.norm() - 1) > 0.01


def test_a_row_of_zeros_stays_one():
    rows = unit(torch.tensor([[0.0, 0.0], [3.0, 4.0]]))
    torch.testing.assert_close(rows, torch.tensor([[0.0, 0.0], [0.6, 0.8]]))
