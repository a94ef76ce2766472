"""Exponentials of skew-symmetric matrices, against the dense matrix exponential and hand-computed values."""

import pytest
import torch

from repline.algebra.orthogonal import exponential, low_rank_exponential, parameter_count, skew_symmetric


def test_two_by_two_rotation():
    q = exponential(torch.tensor([0.7]), 2)
    torch.testing.assert_close(q, torch.tensor([[0.764842, 0.644218], [-0.644218, 0.764842]]), atol=1e-6, rtol=0)


def test_three_by_three_of_one_row():
    q = low_rank_exponential(torch.tensor([0.3, 0.4]), 3, 1).dense()
    expected = torch.tensor(
        [[0.877583, 0.287655, 0.383540], [-0.287655, 0.955930, -0.058760], [-0.383540, -0.058760, 0.921653]]
    )
    torch.testing.assert_close(q, expected, atol=1e-6, rtol=0)
    torch.testing.assert_close(q[:, 0], torch.tensor([0.877583, -0.287655, -0.383540]), atol=1e-6, rtol=0)
    assert float(q.trace()) == pytest.approx(2.755165, abs=1e-5)


@pytest.mark.parametrize(("n", "k", "count"), [(50, 3, 144), (32, 3, 90), (50, None, 1225), (3, 1, 2), (6, 6, 15)])
def test_parameter_count(n, k, count):
    assert parameter_count(n, k) == count


def test_parameters_are_row_major_over_the_upper_triangle():
    s = skew_symmetric(torch.arange(1.0, 6.0), 4, 2)
    assert s.tolist() == [[0, 1, 2, 3], [-1, 0, 4, 5], [-2, -4, 0, 0], [-3, -5, 0, 0]]


@pytest.mark.parametrize("scale", [0.0, 1e-8, 0.05, 0.5, 2.0])
@pytest.mark.parametrize(("n", "k"), [(50, 3), (32, 3), (10, 1), (6, 6), (50, 7)])
def test_low_rank_equals_dense_with_gradients(n, k, scale):
    torch.manual_seed(1)
    parameters = (torch.randn(5, parameter_count(n, k)) * scale).requires_grad_()
    weight = torch.randn(5, n, n)
    low_rank = low_rank_exponential(parameters, n, k).dense()
    exact = parameters.detach().double().requires_grad_()  # the float32 dense exponential itself is off by 3e-5
    dense = exponential(exact, n, k)
    torch.testing.assert_close(low_rank.double(), dense, atol=1e-5, rtol=0)
    (gradient,) = torch.autograd.grad((low_rank * weight).sum(), parameters)
    (reference,) = torch.autograd.grad((dense * weight.double()).sum(), exact)
    assert (gradient - reference).abs().max() <= 1e-5 * reference.abs().max().clamp_min(1)


def test_gradient_in_double_precision():
    torch.manual_seed(2)
    parameters = torch.randn(2, parameter_count(7, 2), dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda p: low_rank_exponential(p, 7, 2).dense(), parameters)


def test_orthogonal_with_determinant_one():
    torch.manual_seed(3)
    for n, k in ((50, 3), (50, None)):
        parameters = torch.randn(20, parameter_count(n, k))
        q = exponential(parameters, n) if k is None else low_rank_exponential(parameters, n, k).dense()
        assert (q.mT @ q - torch.eye(n)).abs().max() < 1e-5
        torch.testing.assert_close(torch.linalg.det(q.double()), torch.ones(20).double(), atol=1e-4, rtol=0)


def test_exponential_of_a_sum_is_not_the_product():
    torch.manual_seed(4)
    a, b = torch.randn(2, parameter_count(6, 2))
    of_sum, product = exponential(a + b, 6, 2), exponential(a, 6, 2) @ exponential(b, 6, 2)
    assert (of_sum - product).abs().max() > 0.1


def test_nan_parameters_give_nan_and_do_not_hang():
    assert low_rank_exponential(torch.full((144,), float("nan")), 50, 3).dense().isnan().any()


@pytest.mark.parametrize(("n", "k"), [(50, 0), (50, 51), (1, 1)])
def test_impossible_truncations(n, k):
    with pytest.raises(ValueError, match="k-truncated"):
        parameter_count(n, k)


def test_wrong_number_of_parameters():
    with pytest.raises(ValueError, match="takes 144 parameters, found 97"):
        low_rank_exponential(torch.zeros(97), 50, 3)
