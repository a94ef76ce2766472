"""Binding, unbinding and their inverses against the sums that define them."""

import pytest
import torch
from scipy.linalg import circulant
from torch.autograd import gradcheck, gradgradcheck

from repline.algebra import circular_convolution as hrr
from repline.algebra.circular_convolution import bind, unbind

X, Y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0, 6.0])


def _random(*size, seed=0, dtype=torch.float32):
    return torch.randn(size, generator=torch.Generator().manual_seed(seed)).to(dtype)


def _summed(x, y, sign):
    """sum_k x_k y_{i - sign k}, over every i."""
    d = len(x)
    return torch.stack([sum(x[k] * y[(i - sign * k) % d] for k in range(d)) for i in range(d)])


def test_small_examples():
    torch.testing.assert_close(bind(X, Y), torch.tensor([31.0, 31.0, 28.0]))
    torch.testing.assert_close(unbind(X, Y), torch.tensor([32.0, 29.0, 29.0]))


@pytest.mark.parametrize("d", [1, 2, 7, 16, 45])
def test_transforms_equal_the_sums(d):
    x, y = _random(2, d)
    torch.testing.assert_close(bind(x, y), _summed(x, y, 1), atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(unbind(x, y), _summed(x, y, -1), atol=1e-5, rtol=1e-5)


def test_binding_commutes_and_has_a_one_and_correlation_does_not():
    x, y = _random(2, 50)
    identity = torch.zeros(50)
    identity[0] = 1
    torch.testing.assert_close(bind(x, y), bind(y, x))
    torch.testing.assert_close(bind(identity, y), y, atol=1e-6, rtol=0)
    assert (unbind(x, y) - unbind(y, x)).abs().max() > 0.1
    torch.testing.assert_close(unbind(x, y), hrr.involution(unbind(y, x)), atol=1e-5, rtol=1e-5)


def test_correlation_is_the_adjoint_of_convolution():
    role, trace, filler = _random(3, 20, 650)
    decoded = (unbind(role, trace) * filler).sum(-1)
    torch.testing.assert_close(decoded, (trace * bind(role, filler)).sum(-1), atol=1e-2, rtol=1e-5)
    role, trace, filler = (torch.nn.functional.normalize(part, dim=-1) for part in (role, trace, filler))
    decoded = (unbind(role, trace) * filler).sum(-1)
    torch.testing.assert_close(decoded, (trace * bind(role, filler)).sum(-1), atol=1e-5, rtol=0)


@pytest.mark.parametrize("d", [96, 97])
def test_unbinding_a_unitary_role_is_exact(d):
    role, filler = hrr.random_unitary(5, d), _random(5, d)
    torch.testing.assert_close(torch.fft.rfft(role).abs(), torch.ones(5, d // 2 + 1), atol=1e-5, rtol=0)
    torch.testing.assert_close(role.norm(dim=-1), torch.ones(5), atol=1e-5, rtol=0)
    torch.testing.assert_close(unbind(role, bind(role, filler)), filler, atol=1e-5, rtol=0)
    torch.testing.assert_close(hrr.exact_inverse(role), hrr.involution(role), atol=1e-5, rtol=0)


def test_the_exact_inverse_undoes_any_binding():
    x, y = _random(2, 64, dtype=torch.float64)
    torch.testing.assert_close(bind(hrr.exact_inverse(x), bind(x, y)), y)


def test_a_spectrum_of_zero_has_a_unitary_neighbour_too():
    torch.testing.assert_close(hrr.unitary(torch.zeros(8)), torch.eye(8)[0])


@pytest.mark.parametrize(("pairs", "cosine"), [(1, 0.71), (2, 0.57)])
def test_random_roles_decode_with_the_noise_that_theory_gives(pairs, cosine):
    generator = torch.Generator().manual_seed(1)
    roles, fillers = (hrr.near_orthogonal(200, pairs, 650, generator=generator) for _ in range(2))
    trace = bind(roles, fillers).sum(1)  # [200, 650]
    decoded = unbind(roles[:, 0], trace)
    measured = torch.cosine_similarity(decoded, fillers[:, 0]).mean()
    assert measured == pytest.approx(cosine, abs=0.015)


@pytest.mark.parametrize("operation", [bind, unbind])
@pytest.mark.parametrize("shapes", [((6,), (6,)), ((7,), (3, 7)), ((2, 1, 5), (4, 5)), ((3, 4, 5), (5,))])
def test_gradients_of_both_orders_also_where_shapes_broadcast(operation, shapes):
    x, y = (_random(*shape, seed=seed, dtype=torch.float64).requires_grad_() for seed, shape in enumerate(shapes))
    assert gradcheck(operation, (x, y))
    assert gradgradcheck(operation, (x, y))


@pytest.mark.parametrize("operation", [bind, unbind])
@pytest.mark.parametrize("shapes", [((6,), (6,)), ((7,), (3, 7)), ((2, 1, 5), (4, 5)), ((3, 4, 5), (5,))])
def test_a_gradient_that_is_differentiated_again_is_the_same_gradient(operation, shapes):
    """Another way computes it; a wrong one whose own derivative is right would pass the check of second derivatives."""
    x, y = (_random(*shape, seed=seed, dtype=torch.float64).requires_grad_() for seed, shape in enumerate(shapes))
    result = operation(x, y)
    weights = _random(*result.shape, seed=2, dtype=torch.float64)
    plain = torch.autograd.grad(result, (x, y), weights, retain_graph=True)
    again = torch.autograd.grad(result, (x, y), weights, create_graph=True)
    assert all(gradient.requires_grad for gradient in again)
    torch.testing.assert_close(again, plain)


def test_a_gradient_is_only_computed_where_it_is_wanted():
    x, y = _random(2, 9)
    y.requires_grad_()
    unbind(x, y).sum().backward()
    torch.testing.assert_close(y.grad, torch.full((9,), float(x.sum())), atol=1e-5, rtol=0)
    assert x.grad is None


def test_half_precision_keeps_its_type():
    x, y = _random(2, 10).to(torch.bfloat16)
    assert bind(x, y).dtype == torch.bfloat16


@pytest.mark.parametrize("operation", [bind, unbind])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_no_vectors_have_no_bindings_and_no_gradient(operation, dtype):
    x, y = (torch.ones(size, dtype=dtype, requires_grad=True) for size in ((2, 4), (0, 2, 4)))
    for result in (operation(x, y), operation(y, x)):
        assert result.shape == (0, 2, 4) and result.dtype == dtype
        result.sum().backward()
    assert not x.grad.any() and y.grad.shape == (0, 2, 4)
    with pytest.raises(ValueError, match="expected vectors of one length"):
        operation(torch.ones(3), y)


def test_no_vectors_have_no_inverses():
    assert hrr.exact_inverse(torch.ones(0, 4)).shape == hrr.random_unitary(0, 4).shape == (0, 4)


def test_vectors_of_different_length_do_not_bind():
    with pytest.raises(ValueError, match="expected vectors of one length, found 3 and 4 numbers"):
        bind(torch.ones(3), torch.ones(4))


def test_the_structured_basis_is_circulants_times_fillers():
    roles, fillers = _random(2, 12), _random(2, 12, 5)
    expected = torch.cat([torch.from_numpy(circulant(roles[i].numpy())) @ fillers[i] for i in range(2)], 1)
    torch.testing.assert_close(hrr.structured_basis(roles, fillers), expected, atol=1e-5, rtol=0)


def test_blocks_are_orthonormal_together_and_must_fit():
    blocks = hrr.orthonormal_blocks(2, 13, 6)
    columns = blocks.transpose(0, 1).flatten(1)
    torch.testing.assert_close(columns.mT @ columns, torch.eye(12), atol=1e-5, rtol=0)
    with pytest.raises(ValueError, match="2 orthogonal subspaces of 7 dimensions do not fit into 13"):
        hrr.orthonormal_blocks(2, 13, 7)
