"""A training step of HRRLM, compared with the tied LSTM of the same size and with a decoder that works word by word."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, embedding

from benchmarks.timing import line, paired
from repline.algebra.circular_convolution import bind
from repline.systems.hrrlm.model import HRRLM, TiedLSTM
from repline.training.language_models import total_nats


def main() -> None:
    torch.set_num_threads(1)
    print(f"{'one thread, a training step with clipping and SGD':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    for d, width, layers, words, batch in ((96, 45, 1, 4000, 40), (650, 320, 2, 10_000, 20)):
        torch.manual_seed(0)
        names = [str(word) for word in range(words)]
        ids = torch.randint(0, words, (batch, 36))
        size = {"dimensions": d, "layers": layers, "dropout": 0.2}
        ours, tied = (
            _step(model.train(), ids) for model in (HRRLM(names, width=width, **size), TiedLSTM(names, **size))
        )
        what = f"d={d}, 2 x {width} basis fillers, {words:,} words, {batch} x 35 tokens"
        line(f"{what}, tied LSTM", *paired(ours, tied), goal=1 / 1.15)
        if d == 96:
            by_word = _step(_WordByWord(names, width=width, **size).train(), ids)
            line(f"{what}, binding word by word", *paired(ours, by_word, rounds=3))


class _WordByWord(HRRLM):
    """The equations as they are printed: every word read is bound, every output decoded, and all fillers are made."""

    def forward(self, inputs: Tensor, state: tuple[Tensor, Tensor]) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        coefficients = embedding(inputs, self.coefficients).unflatten(-1, (len(self.roles), -1))  # [B, T, N, d']
        filled = torch.einsum("btnw,ndw->btnd", coefficients, self.fillers)
        outputs, state = self._read(bind(self.roles, filled).sum(-2), state)
        return outputs, state

    def decode(self, hidden: Tensor) -> Tensor:
        scores = 0
        for filler, alpha in enumerate(self.alpha()):
            role = self.roles[filler]
            decoded = torch.fft.irfft(torch.fft.rfft(role).conj() * torch.fft.rfft(hidden), hidden.shape[-1])
            scores = scores + alpha * decoded @ self.filler_vectors(filler).mT
        return scores + self.bias


def _step(model: nn.Module, ids: Tensor) -> Callable[[], None]:
    optimizer = torch.optim.SGD(model.parameters(), 1.0)
    inputs, targets = ids[:, :-1], ids[:, 1:]
    state = model.initial_state(len(ids))

    def call() -> None:
        optimizer.zero_grad()
        hidden, _ = model(inputs, state)
        if isinstance(model, _WordByWord):
            nats = cross_entropy(model.decode(hidden).flatten(0, 1), targets.flatten(), reduction="sum")
        else:
            nats = total_nats(model, hidden.flatten(0, 1), targets.flatten())
        (nats / targets.numel() + model.penalty()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()

    return call


if __name__ == "__main__":
    main()
