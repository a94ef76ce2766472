"""Binding and unbinding with gradients, compared with the HRR of torch-hd and of hrr, and with the bare transforms."""

import importlib
from collections.abc import Callable

import torch
from torch import Tensor

from benchmarks.timing import line, paired
from repline.algebra.circular_convolution import bind, unbind

BATCH, DIMENSIONS = 4096, 650


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    role, filler = (torch.randn(BATCH, DIMENSIONS) / DIMENSIONS**0.5 for _ in range(2))
    role.requires_grad_(), filler.requires_grad_()
    print(f"{'one thread, forward and backward':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    what = f"bind and unbind, d={DIMENSIONS}, batch {BATCH}, against"
    ours = _step(lambda x, y: unbind(x, bind(x, y)), role, filler)
    for package, make in (("torch-hd", _torch_hd), ("hrr", _hrr)):
        try:
            peer = make()
        except ImportError as error:
            print(f"{what} {package}: not measured, {error.name or package} is not installed (pip install {package})")
            continue
        torch.testing.assert_close(peer(role, filler), unbind(role, bind(role, filler)), atol=1e-4, rtol=1e-3)
        line(f"{what} {package}", *paired(ours, _step(peer, role, filler)), goal=1.3)
    line(f"{what} the bare 12 transforms", *paired(ours, _bare(role.detach(), filler.detach())), goal=1 / 1.5)


def _step(function: Callable[[Tensor, Tensor], Tensor], role: Tensor, filler: Tensor) -> Callable[[], None]:
    gradient = torch.randn(BATCH, DIMENSIONS)

    def call() -> None:
        role.grad = filler.grad = None
        function(role, filler).backward(gradient)

    return call


def _bare(role: Tensor, filler: Tensor) -> Callable[[], None]:
    """For each of the two products three transforms forward and three backward, and nothing else."""
    spectrum = torch.fft.rfft(role)

    def call() -> None:
        for _ in range(2):
            torch.fft.rfft(role), torch.fft.rfft(filler), torch.fft.irfft(spectrum, DIMENSIONS)
            torch.fft.rfft(filler), torch.fft.irfft(spectrum, DIMENSIONS), torch.fft.irfft(spectrum, DIMENSIONS)

    return call


def _torch_hd() -> Callable[[Tensor, Tensor], Tensor]:
    vectors = importlib.import_module("torchhd").HRRTensor

    def call(role: Tensor, filler: Tensor) -> Tensor:
        role, filler = role.as_subclass(vectors), filler.as_subclass(vectors)
        return role.bind(filler).bind(role.inverse()).as_subclass(Tensor)

    return call


def _hrr() -> Callable[[Tensor, Tensor], Tensor]:
    package = importlib.import_module("HRR.with_pytorch")
    return lambda role, filler: package.unbinding(package.binding(role, filler, -1), role, -1)


if __name__ == "__main__":
    main()
