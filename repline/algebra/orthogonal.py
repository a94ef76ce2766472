"""Orthogonal matrices as exponentials of skew-symmetric ones, at the price of their rank.

Notation: n is the size of the matrix, k the number of its non-zero rows (k-truncation), P = nk - k(k+1)/2 the number
of free parameters. A k-truncated skew-symmetric matrix is

    S = [[A, B], [-B^T, 0]],    A in R^{k x k} skew, B in R^{k x (n-k)}.

It has rank 2k at most, so its exponential Q = exp(S) moves only a subspace of that dimension:

    Q = I + U V,    U in R^{n x 2k}, V in R^{2k x n}.

Computing U and V costs O(n k^2 + k^3), applying them O(nk); the n x n matrix is never needed.

Source: Bernardy & Lappin 2022, section 2 (the truncation; the parameter count printed there ends one term early: the
first k rows hold (n-1) + (n-2) + ... + (n-k) numbers above the diagonal, as the paper's own 3 x 3 example shows).
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor

_TAYLOR_DEGREE = {torch.float32: 9, torch.float64: 16}
_TAYLOR_RADIUS = 1.0


def parameter_count(n: int, k: int | None = None) -> int:
    """Free parameters of a k-truncated skew-symmetric n x n matrix: nk - k(k+1)/2; n(n-1)/2 without truncation.

    >>> parameter_count(50, 3), parameter_count(32, 3), parameter_count(50)
    (144, 90, 1225)

    Raises:
        ValueError: k outside 1..n, or n < 2.
    """
    k = _checked(n, k)
    return n * k - k * (k + 1) // 2


def skew_symmetric(parameters: Tensor, n: int, k: int | None = None) -> Tensor:
    """The dense S of `parameters`, row-major over the upper triangle of the first k rows.

    Args:
        parameters: [..., P].
        n: size of the matrix.
        k: non-zero rows; None for no truncation.

    Returns:
        [..., n, n], S^T = -S.

    Raises:
        ValueError: the last dimension is not P.
    """
    rows, columns = _upper_triangle(n, _checked(n, k), parameters)
    dense = parameters.new_zeros(*parameters.shape[:-1], n, n)
    dense[..., rows, columns] = parameters
    return dense - dense.mT


def exponential(parameters: Tensor, n: int, k: int | None = None) -> Tensor:
    """Q = exp(S) by the dense matrix exponential: O(n^3) a matrix. The reference, and the way without truncation.

    Args:
        parameters: [..., P]; n, k as in `skew_symmetric`.

    Returns:
        [..., n, n], orthogonal with determinant +1.
    """
    return torch.matrix_exp(skew_symmetric(parameters, n, k))


class LowRankUpdate(NamedTuple):
    """Q = I + U V, with U: [..., n, 2k] and V: [..., 2k, n]."""

    u: Tensor
    v: Tensor

    def dense(self) -> Tensor:
        """Q itself, [..., n, n]."""
        return self.u @ self.v + torch.eye(self.u.shape[-2], dtype=self.u.dtype, device=self.u.device)


def low_rank_exponential(parameters: Tensor, n: int, k: int) -> LowRankUpdate:
    """Q = exp(S) of a k-truncated S as a low-rank update of the identity, O(n k^2 + k^3) a matrix.

    With E the first k columns of I, X = [A, B] (k x n), Y = [0; -B^T] (n x k) and any c > 0,

        S = F G,  F = [E, Y/c],  G = [X; c E^T],   Z = G F = [[A, -B B^T / c], [c I, 0]]   (2k x 2k)
        Q = I + F phi(Z) G,  phi(z) = (e^z - 1) / z.

    The result does not depend on c; c = |B| balances Z, whose norm is then that of S. phi(Z) is its Taylor series on
    Z / 2^s, doubled s times by phi(2z) = phi(z) (e^z + 1) / 2 with e^z = 1 + z phi(z). No factorisation is involved,
    so the gradient is smooth everywhere.

    Args:
        parameters: [..., P], as in `skew_symmetric`.

    Returns:
        U = F phi(Z): [..., n, 2k] and V = G: [..., 2k, n].

    Raises:
        ValueError: the last dimension is not P.
    """
    rows, columns = _upper_triangle(n, _checked(n, k), parameters)
    x = parameters.new_zeros(*parameters.shape[:-1], k, n)  # [..., k, n], the first k rows of S above the diagonal
    x[..., rows, columns] = parameters
    b = x[..., k:]  # [..., k, n-k]
    a = x[..., :k] - x[..., :k].mT  # [..., k, k]
    norm = b.detach().norm(dim=(-2, -1), keepdim=True).clamp_min(torch.finfo(b.dtype).tiny ** 0.25)  # c, [..., 1, 1]
    identity = torch.eye(k, dtype=x.dtype, device=x.device).expand_as(a)

    z = torch.cat(
        [torch.cat([a, -(b / norm) @ b.mT], dim=-1), torch.cat([norm * identity, torch.zeros_like(a)], dim=-1)], dim=-2
    )  # [..., 2k, 2k]
    v = torch.cat([torch.cat([a, b], dim=-1), norm * torch.eye(k, n, dtype=x.dtype, device=x.device)], dim=-2)
    phi = _phi(z)  # [..., 2k, 2k]
    u = torch.cat([phi[..., :k, :], -(b.mT / norm) @ phi[..., k:, :]], dim=-2)  # [..., n, 2k]
    return LowRankUpdate(u, v)


def _phi(z: Tensor) -> Tensor:
    """(e^z - 1) / z of a batch of small matrices."""
    identity = torch.eye(z.shape[-1], dtype=z.dtype, device=z.device)
    largest = z.detach().abs().sum(-1).amax().item() if z.numel() else 0.0
    if not math.isfinite(largest):
        return z + math.nan
    doublings = max(0, math.ceil(math.log2(largest / _TAYLOR_RADIUS))) if largest > 0 else 0
    z = z / 2**doublings
    degree = _TAYLOR_DEGREE.get(z.dtype, 9)
    phi = identity / degree + z / (degree * (degree + 1))
    for term in range(degree - 1, 0, -1):  # Horner: phi = (I + z (I + z (...) / 3) / 2)
        phi = (z @ phi + identity) / term if term > 1 else z @ phi + identity
    for _ in range(doublings):
        step = z @ phi  # e^z - 1
        phi = phi + 0.5 * (phi @ step)
        z = 2 * z
    return phi


def _checked(n: int, k: int | None) -> int:
    k = n - 1 if k is None else k
    if n < 2 or not 1 <= k <= n:
        raise ValueError(f"a k-truncated n x n matrix needs n >= 2 and 1 <= k <= n, found n={n}, k={k}")
    return k


def _upper_triangle(n: int, k: int, parameters: Tensor) -> tuple[Tensor, Tensor]:
    expected = parameter_count(n, k)
    if parameters.shape[-1] != expected:
        raise ValueError(f"n={n}, k={k} takes {expected} parameters, found {parameters.shape[-1]}")
    rows, columns = torch.triu_indices(k, n, offset=1, device=parameters.device)
    return rows, columns
