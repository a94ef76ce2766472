"""What an orthogonal matrix does: how much it moves, through which angles, in which planes.

Source: Bernardy & Lappin 2022, section 3. Two words of care about the paper: its tables print the *un-normalised*
effect |Q - I|^2 (the expected squared move of a random unit state is that divided by n), and its distances are squared.
"""

from typing import NamedTuple

import torch
from torch import Tensor

MINIMUM_ANGLE = 0.01  # degrees: smaller rotations are left out of a signature


class Rotation(NamedTuple):
    """One rotation of an orthogonal matrix: its angle in degrees, (0, 180], and an orthonormal basis, [n, 2]."""

    angle: float
    plane: Tensor


def average_effect(q: Tensor) -> Tensor:
    """|Q - I|_F^2 = 2 (n - tr Q) = 4 sum_j (1 - cos theta_j), over the rotation angles theta_j.

    For a k-truncated symbol it lies in [0, 8k]. E|s - Qs|^2 over random unit states s is this divided by n.

    Args:
        q: [..., n, n], orthogonal.

    Returns:
        [...].
    """
    return 2 * (q.shape[-1] - q.diagonal(dim1=-2, dim2=-1).sum(-1))


def squared_distance(p: Tensor, q: Tensor) -> Tensor:
    """`|P - Q|_F^2 = 2 (n - <P, Q>)`.

    Args:
        p, q: [..., n, n], orthogonal; they broadcast, so `squared_distance(a[:, None], b[None])` is a table.

    Returns:
        [...].
    """
    return 2 * (q.shape[-1] - (p * q).sum((-2, -1)))


def signature(q: Tensor, minimum: float = MINIMUM_ANGLE) -> list[float]:
    """The rotation angles of Q in degrees, increasing, in (0, 180]; angles below `minimum` are omitted.

    An orthogonal matrix is the product of rotations in orthogonal planes; e^{+-i theta} are its eigenvalues.

    Args:
        q: [n, n], orthogonal with determinant +1.
        minimum: degrees.

    Raises:
        ValueError: Q is not a square orthogonal matrix.
    """
    return [rotation.angle for rotation in rotations(q, minimum)]


def rotations(q: Tensor, minimum: float = MINIMUM_ANGLE) -> list[Rotation]:
    """Angle and plane of each rotation of Q, by increasing angle.

    The symmetric part (Q + Q^T)/2 has the eigenvalue cos(theta) twice, on the plane rotated by theta, and commutes
    with the skew part (Q - Q^T)/2, whose singular values are sin(theta). So an orthonormal eigenbasis of the first,
    grouped by equal cosines, splits the space; inside a group with more than one plane, and for angles near 0 and
    180 degrees where the cosine is flat, the skew part does the splitting. Unlike the eigenvectors of Q itself, all
    bases are real and orthonormal.

    Args:
        q: [n, n], orthogonal with determinant +1 (any float type; computed in float64).
        minimum: degrees; rotations below it are left out.

    Returns:
        At most n/2 rotations. The plane of an angle that occurs more than once (180 degrees, say) is not unique.

    Raises:
        ValueError: Q is not a square orthogonal matrix.
    """
    q = q.detach().double()
    n = q.shape[-1]
    if q.shape != (n, n) or (q.mT @ q - torch.eye(n, dtype=q.dtype, device=q.device)).abs().max() > 1e-3:
        raise ValueError(f"rotations need one orthogonal matrix, found a tensor of shape {tuple(q.shape)}")
    cosines, basis = torch.linalg.eigh((q + q.mT) / 2)
    skew = (q - q.mT) / 2
    rotations = []
    start = 0
    for end in range(1, n + 1):
        if end < n and cosines[end] - cosines[end - 1] < 1e-5:
            continue
        group = basis[:, start:end]  # [n, m], all (nearly) of one cosine
        rotations += _planes(group, group.mT @ skew @ group, cosines[start:end].mean())
        start = end
    large = [rotation for rotation in rotations if rotation.angle >= minimum]
    return sorted(large, key=lambda rotation: rotation.angle)


def plane_similarity(a: Tensor, b: Tensor) -> float:
    """Sum of the singular values of A^T B, in [0, 2]: 2 for the same plane, 0 for orthogonal ones.

    Args:
        a, b: [n, 2], orthonormal bases, as in `Rotation.plane`.

    Source: Bernardy & Lappin 2022, table 3.
    """
    return float(torch.linalg.svdvals(a.mT @ b).sum())


def _planes(group: Tensor, skew: Tensor, cosine: Tensor) -> list[Rotation]:
    """Split the span of `group` [n, m] into planes of the skew map [m, m] restricted to it."""
    m = skew.shape[-1]
    left, sines, _ = torch.linalg.svd(skew)  # sines come in equal pairs, largest first
    planes: list[Rotation] = []
    rest = torch.eye(m, dtype=skew.dtype, device=skew.device)  # what no plane has taken yet
    for index in range(m):
        if len(planes) == m // 2:
            break
        first = rest @ left[:, index]
        if first.norm() < 0.5:
            continue
        first = first / first.norm()
        image = rest @ (skew @ first)
        image = image - (image @ first) * first
        if image.norm() < 1e-9:  # an angle of 0 or 180 degrees: any second direction of the group will do
            candidates = rest @ left  # [m, m]
            candidates = candidates - first[:, None] * (first @ candidates)
            image = candidates[:, candidates.norm(dim=0).argmax()]
        second = image / image.norm()
        pair = torch.stack([first, second], dim=-1)
        rest = rest - pair @ pair.mT
        angle = torch.atan2(sines[index], cosine.clamp(-1, 1))
        planes.append(Rotation(float(torch.rad2deg(angle)), group @ pair))
    return planes
