"""Tensor product representations against what defines them."""

import pytest
import torch

from repline.algebra.tensor_product import bind, duals, unbind, unbind_blocks


def _random(*size, seed=0):
    return torch.randn(size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_the_worked_example():
    roles, fillers = torch.tensor([[1.0, 0.0], [1.0, 1.0]]), torch.tensor([[2.0, 0.0], [0.0, 3.0]])
    structure, unbinding = bind(fillers, roles), duals(roles)
    torch.testing.assert_close(structure, torch.tensor([[2.0, 0.0], [3.0, 3.0]]))
    torch.testing.assert_close(unbinding, torch.tensor([[1.0, -1.0], [0.0, 1.0]]))
    torch.testing.assert_close(unbind(structure, unbinding), fillers)


def test_fewer_roles_than_dimensions_unbind_exactly():
    roles, fillers = _random(4, 3, 7), _random(4, 3, 5, seed=1)
    torch.testing.assert_close(roles @ duals(roles).mT, torch.eye(3, dtype=torch.float64).expand(4, 3, 3))
    torch.testing.assert_close(unbind(bind(fillers, roles), duals(roles)), fillers)


def test_orthonormal_roles_are_their_own_duals():
    roles = torch.linalg.qr(_random(6, 6)).Q[:4]
    torch.testing.assert_close(duals(roles), roles)


def test_dependent_roles_give_the_fillers_of_least_squares():
    roles, fillers = _random(6, 4), _random(6, 5, seed=1)
    structure = bind(fillers, roles)
    unbound = unbind(structure, duals(roles))  # [6, 5]
    assert (unbound - fillers).abs().max() > 0.1
    least = torch.linalg.lstsq(roles.T, structure.T, driver="gelsd").solution  # F of least norm with S = F' R
    torch.testing.assert_close(unbound, least)


def test_a_structure_keeps_who_does_what_and_a_bag_does_not():
    jay, saw, kay = _random(3, 5)
    roles = _random(3, 4, seed=1)
    sentence, swapped = torch.stack([jay, saw, kay]), torch.stack([kay, saw, jay])
    assert (bind(sentence, roles) - bind(swapped, roles)).abs().max() > 0.1
    torch.testing.assert_close(sentence.sum(0), swapped.sum(0))


def test_blocks_of_the_worked_example():
    structure, unbinding = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 0.0, 0.5, -1.0])
    torch.testing.assert_close(unbind_blocks(structure, unbinding), torch.tensor([1.0, 3.0, -1.5, -2.5]))


def test_blocks_equal_the_block_diagonal_matrix():
    structure, unbinding = _random(3, 4, 5), _random(3, 30, seed=1)
    for block, vector, product in zip(structure, unbinding, unbind_blocks(structure, unbinding), strict=True):
        torch.testing.assert_close(product, torch.block_diag(*[block] * 6) @ vector)
        torch.testing.assert_close(product, torch.kron(torch.eye(6, dtype=block.dtype), block) @ vector)


def test_gradients():
    structure, unbinding, roles = _random(2, 3, 3), _random(2, 9, seed=1), _random(2, 3, seed=2)
    for leaf in (structure, unbinding, roles):
        leaf.requires_grad_()
    assert torch.autograd.gradcheck(unbind_blocks, (structure, unbinding))
    assert torch.autograd.gradcheck(lambda vectors: unbind(bind(vectors, vectors), duals(vectors)), (roles,))


def test_sizes_that_do_not_fit():
    with pytest.raises(ValueError, match="found 2 and 3"):
        bind(_random(2, 4), _random(3, 4))
    with pytest.raises(ValueError, match="blocks of 3 numbers, found 7"):
        unbind_blocks(_random(2, 3), _random(7))
