"""Tensor product representations: fillers bound to roles by outer products, and what undoes it.

    bind      S = sum_i f_i r_i'                                  a structure as one matrix
    duals     u_i with r_i' u_j = 1 if i = j, else 0              the unbinding vectors of the roles
    unbind    S u_i = f_i

With R = [r_1 ... r_n], a column a role, the duals are the rows of the pseudo-inverse R^+. Unbinding is exact where the
roles are linearly independent, which takes at least as many dimensions as roles, and orthonormal roles are their own
duals. For dependent roles R^+ gives the fillers with the least squared error of S = F R'.

All functions broadcast over leading dimensions, on any device, with gradients.

Source: Smolensky 1990, "Tensor product variable binding and the representation of symbolic structures in connectionist
systems"; Huang, Smolensky, He, Deng & Wu 2017, section 2 (who want R to be invertible, which it need not be).
"""

import torch
from torch import Tensor


def bind(fillers: Tensor, roles: Tensor) -> Tensor:
    """The sum of the outer products of fillers and their roles, S = sum_i f_i r_i'.

    Args:
        fillers: [..., n, a], a row each.
        roles: [..., n, b].

    Returns:
        [..., a, b].

    Raises:
        ValueError: not as many fillers as roles.

    Source: Huang et al. 2017, equation 2.
    """
    if fillers.shape[-2] != roles.shape[-2]:
        raise ValueError(f"expected a filler for each role, found {fillers.shape[-2]} and {roles.shape[-2]}")
    return fillers.mT @ roles


def duals(roles: Tensor) -> Tensor:
    """The unbinding vector of each role, by the pseudo-inverse.

    Args:
        roles: [..., n, b].

    Returns:
        [..., n, b]; rows u_i with roles @ u_i = e_i where the roles are independent.

    Source: Huang et al. 2017, section 2.
    """
    return torch.linalg.pinv(roles.mT)


def unbind(structure: Tensor, unbinding: Tensor) -> Tensor:
    """The filler of each unbinding vector, S u_i.

    Args:
        structure: S [..., a, b].
        unbinding: [..., n, b], a row each, as of `duals`.

    Returns:
        [..., n, a].
    """
    return unbinding @ structure.mT


def unbind_blocks(structure: Tensor, unbinding: Tensor) -> Tensor:
    """The product of the block-diagonal matrix of n copies of S with one long vector, without that matrix.

        f = diag(S, ..., S) u = (S u^(1), ..., S u^(n)),    u = (u^(1), ..., u^(n))

    n a b multiplications instead of the n^2 a b of the whole matrix, which is never made.

    Args:
        structure: S [..., a, b].
        unbinding: u [..., n b].

    Returns:
        f [..., n a].

    Raises:
        ValueError: u has no whole number of blocks.

    Source: Huang et al. 2017, equation 16.
    """
    width = structure.shape[-1]
    if unbinding.shape[-1] % width:
        raise ValueError(f"expected a vector of blocks of {width} numbers, found {unbinding.shape[-1]} numbers")
    blocks = unbinding.unflatten(-1, (-1, width))  # [..., n, b]
    return unbind(structure, blocks).flatten(-2)
