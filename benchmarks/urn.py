"""The exponential and the recurrence of the URN, compared with the dense matrix exponential and a product per token."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from benchmarks.timing import line, paired
from repline.algebra.orthogonal import exponential, low_rank_exponential, parameter_count
from repline.systems.urn.model import URN


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(f"{'one thread, forward and backward':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    for symbols, n, goal in ((5000, 50, 20), (250, 200, None)):
        parameters = _parameters(symbols, n, 3)
        ours, peer = paired(
            _call(lambda p, n=n: low_rank_exponential(p, n, 3), parameters),
            _call(lambda p, n=n: (exponential(p, n, 3),), parameters),
            rounds=3 if n == 50 else 1,
        )
        line(f"exp of {symbols} symbols, n={n}, k=3, against torch.matrix_exp", ours, peer, goal)
    base = None
    for n in (50, 100, 200, 400):
        parameters = _parameters(2000, n, 3)
        ours, _ = paired(_call(lambda p, n=n: low_rank_exponential(p, n, 3), parameters), lambda: None)
        base = base or ours
        print(f"exp of 2000 symbols, n={n}, k=3: {ours * 1e3:.1f} ms, {ours / base:.1f}x n=50 (linear: {n / 50:g}x)")
    _training_step()


def _training_step() -> None:
    symbols = [str(number) for number in range(12)]
    model = URN(symbols, symbols, 50, 3)
    ids = torch.randint(0, 12, (512, 20))

    def ours() -> None:
        nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten()).backward()

    def peer() -> None:  # the plain way: dense exponentials, one matrix gathered and multiplied per token
        q = exponential(model.embedding, 50, 3)
        state = torch.zeros(512, 50)
        state[:, 0] = 1
        states = []
        for column in ids.unbind(1):
            state = (q[column] @ state[..., None])[..., 0]
            states.append(state)
        logits = model.readout(torch.stack(states, 1))
        nn.functional.cross_entropy(logits.flatten(0, 1), ids.flatten()).backward()

    line("training step, 512 strings of 20, 3-TURN, against a matrix per token", *paired(ours, peer))


def _parameters(symbols: int, n: int, k: int) -> Tensor:
    return torch.empty(symbols, parameter_count(n, k)).uniform_(-0.5, 0.5).requires_grad_()


def _call(build: Callable[[Tensor], tuple[Tensor, ...]], parameters: Tensor) -> Callable[[], None]:
    def call() -> None:
        parameters.grad = None
        sum(part.square().sum() for part in build(parameters)).backward()

    return call


if __name__ == "__main__":
    main()
