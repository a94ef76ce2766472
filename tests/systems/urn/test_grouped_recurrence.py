import torch

from repline.systems.urn.grouped_recurrence import grouped_recurrence


def plain(matrices, ids, state, state_mask):
    states = []
    for column in ids.unbind(1):
        state = (matrices[column] @ (state * state_mask)[..., None])[..., 0]
        states.append(state)
    return torch.stack(states, 1)


def test_states_and_derivatives_are_those_of_products_one_by_one():
    torch.manual_seed(0)
    ids = torch.randint(5, (7, 4))
    ids[:, 0] = 2  # a step with one symbol alone
    ids[ids == 4] = 3  # a symbol that no step has
    matrices = torch.randn(5, 6, 6, dtype=torch.float64, requires_grad=True)
    state, state_mask, weights = (torch.randn(*size, dtype=torch.float64) for size in ((7, 6), (7, 6), (7, 4, 6)))
    results = []
    for recurrence in (plain, grouped_recurrence):
        states = recurrence(matrices, ids, state, state_mask)
        (derivative,) = torch.autograd.grad((states * weights).sum(), matrices)
        results.append((states, derivative))
    torch.testing.assert_close(*results)


def test_without_derivatives_nothing_is_kept():
    with torch.inference_mode():
        states = grouped_recurrence(
            torch.eye(3).expand(2, 3, 3), torch.zeros(2, 5, dtype=int), torch.ones(2, 3), torch.ones(2, 3)
        )
    assert states.tolist() == torch.ones(2, 5, 3).tolist()
