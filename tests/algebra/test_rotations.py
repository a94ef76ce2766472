"""Effects, distances, angles and planes of orthogonal matrices."""

import math

import pytest
import torch

from repline.algebra.orthogonal import exponential, low_rank_exponential, parameter_count, skew_symmetric
from repline.algebra.rotations import average_effect, plane_similarity, rotations, signature, squared_distance


def _random(n, k, scale, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(parameter_count(n, k), generator=generator, dtype=torch.float64) * scale


def test_worked_example():
    q = low_rank_exponential(torch.tensor([0.3, 0.4], dtype=torch.float64), 3, 1).dense()
    assert float(average_effect(q)) == pytest.approx(0.489670, abs=1e-6)
    assert float(average_effect(q)) == pytest.approx(4 * (1 - math.cos(0.5)), abs=1e-9)
    assert signature(q) == pytest.approx([math.degrees(0.5)])


def test_effect_over_n_is_the_mean_squared_move():
    q = low_rank_exponential(torch.tensor([0.3, 0.4], dtype=torch.float64), 3, 1).dense()
    states = torch.randn(400_000, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    states = states / states.norm(dim=1, keepdim=True)
    assert float((states - states @ q.mT).square().sum(1).mean()) == pytest.approx(0.16322, abs=5e-4)


def test_distance_is_the_squared_frobenius_norm_and_broadcasts():
    q = exponential(torch.stack([_random(8, 2, 1.0, seed) for seed in range(3)]), 8, 2)
    table = squared_distance(q[:, None], q[None])
    expected = (q[:, None] - q[None]).square().sum((-2, -1))
    torch.testing.assert_close(table, expected)


@pytest.mark.parametrize(
    ("n", "k", "scale"), [(50, 3, 0.3), (50, 3, 1.0), (50, None, 0.2), (8, 1, 0.001), (12, 3, 5.0)]
)
def test_angles_are_the_singular_values_of_s(n, k, scale):
    parameters = _random(n, k, scale)
    sines = torch.linalg.svdvals(skew_symmetric(parameters, n, k))
    torch.testing.assert_close(sines[::2], sines[1::2])  # equal pairs
    wrapped = torch.rad2deg(torch.atan2(sines[::2].sin().abs(), sines[::2].cos()))
    angles = signature(exponential(parameters, n, k))
    torch.testing.assert_close(
        torch.tensor(angles, dtype=torch.float64), wrapped[wrapped > 0.01].sort().values, atol=1e-4, rtol=0
    )
    assert len(angles) <= (n // 2 if k is None else k)


def test_planes_are_orthonormal_invariant_and_rebuild_q():
    q = exponential(_random(10, 3, 1.0), 10, 3)
    symmetric = torch.eye(10, dtype=torch.float64)
    for angle, plane in rotations(q):
        torch.testing.assert_close(plane.mT @ plane, torch.eye(2, dtype=torch.float64))
        torch.testing.assert_close(q @ plane, plane @ (plane.mT @ q @ plane))
        symmetric += (math.cos(math.radians(angle)) - 1) * plane @ plane.mT
    torch.testing.assert_close(symmetric, (q + q.mT) / 2)


def test_half_turns_and_identity():
    assert signature(torch.eye(4)) == []
    assert signature(torch.diag(torch.tensor([-1.0, -1, -1, -1, 1, 1]))) == [180.0, 180.0]


def test_rank_of_the_move():
    q = low_rank_exponential(_random(50, 3, 1.0), 50, 3).dense()
    assert torch.linalg.matrix_rank(q - torch.eye(50), tol=1e-6) <= 6


def test_plane_similarity_bounds():
    eye = torch.eye(6, dtype=torch.float64)
    assert plane_similarity(eye[:, :2], eye[:, :2]) == pytest.approx(2)
    assert plane_similarity(eye[:, :2], eye[:, 2:4]) == pytest.approx(0)
    turned = torch.linalg.qr(torch.randn(2, 2, dtype=torch.float64)).Q
    assert plane_similarity(eye[:, :2], eye[:, :2] @ turned) == pytest.approx(2)  # whatever the basis


def test_only_orthogonal_matrices():
    with pytest.raises(ValueError, match="orthogonal"):
        signature(torch.ones(3, 3))
