"""Words as states and sentences as density matrices, in complex numbers.

    |t> = sum_k w_k exp(i theta_k) |k>,  sum_k w_k^2 = 1
    mixture         rho = 1/m sum_l |t_l><t_l|
    superposition   rho = |S><S|,  |S> = sum_l |t_l> / || sum_l |t_l> ||

A density matrix is Hermitian, has no negative eigenvalue and the trace 1. Notation: B sentences of m places, n latent
concepts, C labels. Source throughout: Li, Uprety, Wang and Song 2018, sections 2 and 3.
"""

import torch
from torch import Tensor

EPSILON = 1e-12  # below the squared norm of a sum of states, which may be zero


def states(amplitudes: Tensor, phases: Tensor) -> Tensor:
    """Complex states [..., n] from amplitudes and phases [..., n], the latter in radians."""
    return torch.polar(torch.ones_like(phases), phases) * amplitudes


def mixture(words: Tensor, is_word: Tensor | None = None) -> Tensor:
    """The mixture of the words' projectors: complex [B, m, n] -> [B, n, n].

    No number of the size B m n n is made. A sentence without a word has the zero matrix.

    Args:
        is_word: bool [B, m], false at padding; None for no padding.
    """
    words, count = _masked(words, is_word)
    return torch.einsum("bmj,bmk->bjk", words, words.conj()) / count[:, None, None]


def superposition(words: Tensor, is_word: Tensor | None = None) -> Tensor:
    """The projector of the words' normalised sum: complex [B, m, n] -> [B, n, n]; words that cancel give zero."""
    state = superposed(_masked(words, is_word)[0].sum(dim=1))
    return state[:, :, None] * state.conj()[:, None, :]


def superposed(total: Tensor) -> Tensor:
    """The normalised state |S> of the sum of a sentence's words [B, n].

    Args:
        total: complex [B, n], or real [B, 2n], real parts and then imaginary parts.
    """
    return total / (total.abs().square().sum(dim=-1, keepdim=True) + EPSILON).sqrt()


def projectors(free: Tensor, labels: int) -> Tensor:
    """Projectors on C orthogonal subspaces whose sum is the identity: complex [n, n] of full rank -> [C, n, n].

        free = Q R,  P_c = V_c V_c^dagger for C slices V_c of the columns of Q

    P = P^2 = P^dagger; the paper prints P = P^T, which is not a projector of complex vectors.
    """
    unitary = torch.linalg.qr(free).Q
    return torch.stack([part @ part.mH for part in unitary.tensor_split(labels, dim=1)])


def measured(observables: Tensor, rho: Tensor) -> Tensor:
    """Tr(O_c rho) [B, C] for Hermitian O [C, n, n] and density matrices [B, n, n]: Born's rule where O is a projector.

    >>> state = torch.tensor([[1, 1j]]) / 2**0.5
    >>> rho = superposition(state[None])
    >>> measured(rho, rho).round(decimals=5), measured(rho.mT, rho).round(decimals=5)
    (tensor([[1.]]), tensor([[0.]]))
    """
    return torch.einsum("cjk,bkj->bc", observables, rho).real


def purity(rho: Tensor) -> Tensor:
    """Tr(rho^2) [B]: 1 for a superposition, at least 1/m for a mixture of m words."""
    return torch.einsum("bjk,bkj->b", rho, rho).real


def _masked(words: Tensor, is_word: Tensor | None) -> tuple[Tensor, Tensor]:
    """The words, zero at padding [B, m, n], and the number of words of each sentence, at least 1 [B]."""
    if is_word is None:
        return words, torch.full(words.shape[:1], max(words.shape[1], 1), device=words.device)
    return words * is_word[..., None], is_word.sum(dim=1).clamp(min=1)
