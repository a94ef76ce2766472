"""Circular convolution: the binding of Holographic Reduced Representations, and what undoes it.

Indices are taken mod d, from 0; X = rfft(x) is the spectrum of x, d // 2 + 1 complex numbers:

    bind        (x * y)_i = sum_k x_k y_{i-k}  = irfft(X Y)             circular convolution
    unbind      (x # y)_i = sum_k x_k y_{i+k}  = irfft(conj(X) Y)       circular correlation; x is the cue
    adjoint     <x # h, e> = <h, x * e>                                 so decoding a trace is scoring a binding
    inverse     x # (x * y) = y   exactly if |X| = 1 everywhere (a unitary x), else nearly for random x

All functions broadcast over leading dimensions, on any device, and have first and second derivatives. The gradients
are convolutions and correlations themselves, taken from the spectra of the forward pass: three transforms forward and
three backward, where the chain of the single transforms would need complex ones of full length.

Source: Plate 1995, "Holographic Reduced Representations", sections II and III (printed there, and in the papers that
follow it, with various slips in the indices; (1, 2, 3) * (4, 5, 6) = (31, 31, 28) and (1, 2, 3) # (4, 5, 6) =
(32, 29, 29)).
"""

import torch
from torch import Tensor

from repline.algebra.full_precision import full_precision


def bind(x: Tensor, y: Tensor) -> Tensor:
    """Circular convolution, (x * y)_i = sum_k x_k y_{i-k}: commutative, associative, distributive over sums.

    Args:
        x, y: [..., d] of one floating type; leading dimensions broadcast.

    Returns:
        [..., d].

    Raises:
        ValueError: the last dimensions differ.

    Source: Plate 1995, equation 1.
    """
    return _product(x, y, False)


def unbind(cue: Tensor, trace: Tensor) -> Tensor:
    """Circular correlation, (x # y)_i = sum_k x_k y_{i+k}: what was bound to the cue in the trace, with noise.

    Not commutative: the cue comes first. Exact when the cue is unitary and the trace holds one binding.

    Args:
        cue, trace: [..., d] of one floating type; leading dimensions broadcast.

    Returns:
        [..., d].

    Raises:
        ValueError: the last dimensions differ.

    Source: Plate 1995, equation 2.
    """
    return _product(cue, trace, True)


def exact_inverse(x: Tensor) -> Tensor:
    """The y with x * y = (1, 0, ..., 0): bind(exact_inverse(x), bind(x, z)) = z.

    For a unitary x it is the involution (x_0, x_{d-1}, ..., x_1), which is what `unbind` uses for every x; for others
    it magnifies noise wherever |X| is small, and is infinite where X = 0.

    Args:
        x: [..., d].

    Source: Plate 1995, section II.D.
    """
    return torch.fft.irfft(1 / torch.fft.rfft(x), x.shape[-1]) if x.numel() else x


def involution(x: Tensor) -> Tensor:
    """(x_0, x_{d-1}, ..., x_1): unbind(x, y) = bind(involution(x), y)."""
    return x.flip(-1).roll(1, -1)


def unitary(x: Tensor) -> Tensor:
    """The unitary vector nearest to x: its spectrum with every absolute value made 1 (where it is 0: 1 itself).

    Args:
        x: [..., d].

    Returns:
        [..., d], of Euclidean norm 1.

    Source: Plate 1995, section IV.A.
    """
    if not x.numel():
        return x
    spectrum = torch.fft.rfft(x)
    size = spectrum.abs()
    spectrum = torch.where(size > 0, spectrum / size.clamp_min(torch.finfo(size.dtype).tiny), 1)
    return torch.fft.irfft(spectrum, x.shape[-1])


def random_unitary(*size: int, generator: torch.Generator | None = None) -> Tensor:
    """Unitary vectors of random direction; the last of `size` is d. Unbinding with them is exact."""
    return unitary(torch.randn(size, generator=generator))


def near_orthogonal(*size: int, generator: torch.Generator | None = None) -> Tensor:
    """Vectors of N(0, 1/d), the last of `size` being d: of norm near 1, their inner products of rms 1/sqrt(d).

    Source: Plate 1995, section II: the distribution under which unbinding works.
    """
    return torch.randn(size, generator=generator) / size[-1] ** 0.5


def orthonormal_blocks(blocks: int, dimensions: int, width: int, generator: torch.Generator | None = None) -> Tensor:
    """Bases of `blocks` orthogonal random subspaces.

    Args:
        dimensions: d, of the space.
        width: d', of each subspace; blocks * width <= d.

    Returns:
        [blocks, d, d']; [F_1 ... F_blocks] has orthonormal columns.

    Raises:
        ValueError: the subspaces do not fit into the space.
    """
    if blocks * width > dimensions:
        raise ValueError(f"{blocks} orthogonal subspaces of {width} dimensions do not fit into {dimensions} dimensions")
    columns, triangle = torch.linalg.qr(torch.randn(dimensions, blocks * width, generator=generator))
    columns = columns * triangle.diagonal().sign()  # which makes the distribution uniform
    return columns.unflatten(1, (blocks, width)).transpose(0, 1).contiguous()


def structured_basis(roles: Tensor, fillers: Tensor) -> Tensor:
    """B = [C(r_1) F_1 ... C(r_N) F_N]: sums of bindings r_i * (F_i s_i) as one product B s.

    C(r) is the circulant matrix of r: C(r) x = r * x.

    N d' transforms of length d for all of a vocabulary, instead of some per word. By the adjoint, B^T h holds the
    inner products of what h decodes to, r_i # h, with the columns of F_i.

    Args:
        roles: [N, d].
        fillers: [N, d, d'].

    Returns:
        [d, N d'].

    Source: the identity `<r # h, e> = <h, r * e>`; see repline.systems.hrrlm.model.
    """
    bound = bind(roles[:, None], fillers.mT)  # [N, d', d]
    return bound.flatten(0, 1).mT


def _product(x: Tensor, y: Tensor, correlate: bool) -> Tensor:
    if x.shape[-1] != y.shape[-1]:
        raise ValueError(f"expected vectors of one length, found {x.shape[-1]} and {y.shape[-1]} numbers")
    if not x.numel() or not y.numel():
        return x * y  # no vectors, which no transform takes
    if x.dtype in (torch.float16, torch.bfloat16):  # no transform of half precision everywhere
        return _Product.apply(x.float(), y.float(), correlate).to(x.dtype)
    return _Product.apply(x, y, correlate)


@full_precision
class _Product(torch.autograd.Function):
    """irfft(X Y), or irfft(conj(X) Y) of a correlation, and their gradients.

        z = x * y:    dx = y # dz,    dy = x # dz
        z = x # y:    dx = dz # y,    dy = x * dz

    Second derivatives are rare: for them the gradients are computed by `bind` and `unbind` again.
    """

    @staticmethod
    def forward(ctx, x: Tensor, y: Tensor, correlate: bool) -> Tensor:
        x_spectrum, y_spectrum = torch.fft.rfft(x), torch.fft.rfft(y)  # [..., d // 2 + 1]
        ctx.save_for_backward(x, y, x_spectrum, y_spectrum)
        ctx.correlate = correlate
        return torch.fft.irfft((x_spectrum.conj() if correlate else x_spectrum) * y_spectrum, x.shape[-1])

    @staticmethod
    def backward(ctx, gradient: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        x, y, x_spectrum, y_spectrum = ctx.saved_tensors
        if torch.is_grad_enabled():
            by_x = _product(gradient, y, True) if ctx.correlate else _product(y, gradient, True)
            by_y = _product(x, gradient, not ctx.correlate)
            return by_x.sum_to_size(x.shape), by_y.sum_to_size(y.shape), None
        spectrum, d = torch.fft.rfft(gradient), x.shape[-1]
        x_gradient: Tensor | None = None
        y_gradient: Tensor | None = None
        if ctx.needs_input_grad[0]:
            product = spectrum.conj() * y_spectrum if ctx.correlate else y_spectrum.conj() * spectrum
            x_gradient = torch.fft.irfft(product.sum_to_size(x_spectrum.shape), d)
        if ctx.needs_input_grad[1]:
            product = (x_spectrum if ctx.correlate else x_spectrum.conj()) * spectrum
            y_gradient = torch.fft.irfft(product.sum_to_size(y_spectrum.shape), d)
        return x_gradient, y_gradient, None
