"""A training step of TPGN compared with an LSTM of equal size, and unbinding compared with the whole block matrix."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, linear

from benchmarks.timing import line, paired
from repline.algebra.tensor_product import unbind_blocks
from repline.layers.linear_cross_entropy import linear_cross_entropy
from repline.systems.tpgn.model import TPGN, CaptionGenerator, Weights, matched_units, parameter_count

BATCH, STEPS = 64, 12
SIZES = {  # words, features, numbers of a word's vector, d
    "Flickr8k": (2507, 1000, 64, 16),
    "the paper's sizes": (8791, 2048, 25, 25),
}
WIDTH = 25


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(f"{'one thread':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    for name, (*sizes, d) in SIZES.items():
        ours = TPGN(*sizes, d)
        peer = PlainLSTM(*sizes, matched_units(parameter_count(ours), *sizes))
        words, features = torch.randint(sizes[0], (BATCH, STEPS + 1)), torch.randn(BATCH, sizes[1])
        what = f"a step of training, {name}, d={d}, against nn.LSTM({peer.units})"
        line(what, *paired(_step(ours, words, features, True), _step(peer, words, features, True)), goal=1 / 1.6)
        slow = _step(peer, words, features, False)
        line(f"{what}, softmax by torch", *paired(_step(ours, words, features, True), slow))
    for batch in (1, BATCH):
        structure, unbinding = torch.randn(batch, WIDTH, WIDTH), torch.randn(batch, WIDTH**2)
        whole = torch.stack([torch.block_diag(*[block] * WIDTH) for block in structure])  # [B, d^2, d^2]
        torch.testing.assert_close(unbind_blocks(structure, unbinding), _dense(whole, unbinding), atol=1e-4, rtol=1e-3)
        ours = _often(lambda s=structure, u=unbinding: unbind_blocks(s, u))
        peer = _often(lambda w=whole, u=unbinding: _dense(w, u))
        what = f"unbinding, d={WIDTH}, batch {batch}, against the {WIDTH**2} x {WIDTH**2} matrix"
        # of one vector it is mostly the calls that take time
        line(what, *paired(ours, peer), goal=10 if batch == BATCH else None)


class PlainLSTM(CaptionGenerator):
    """The captioning LSTM over torch.nn.LSTM."""

    def __init__(self, words: int, features: int, embedding: int, units: int):
        super().__init__(words, features, embedding, units, units, 0.0)
        self.first = nn.Linear(features, units)
        self.layer = nn.LSTM(embedding, units, batch_first=True)

    def forward(self, words: Tensor, state: tuple[Tensor, Tensor], weights: None = None) -> tuple[Tensor, tuple]:
        """Hidden states and the last state, see `CaptionGenerator.forward`."""
        hidden, after = self.layer(self.embedding(words), tuple(part[None] for part in state))
        return hidden, after

    def weights(self) -> Weights:
        """The weights of the recurrence, see `CaptionGenerator.weights`."""
        layer = self.layer
        return Weights(layer.weight_ih_l0, layer.weight_hh_l0, layer.bias_ih_l0 + layer.bias_hh_l0)

    def predictors(self, hidden: Tensor) -> Tensor:
        """The states themselves."""
        return hidden

    readout = predictors


def _step(model: CaptionGenerator, words: Tensor, features: Tensor, fused: bool) -> Callable[[], None]:
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)

    def call() -> None:
        optimizer.zero_grad()
        hidden, _ = model(words[:, :-1], model.begin(features))
        predictors, targets = model.predictors(hidden).flatten(0, 1), words[:, 1:].flatten()
        if fused:
            loss = linear_cross_entropy(predictors, *model.softmax_layer(), targets)
        else:
            loss = cross_entropy(linear(predictors, *model.softmax_layer()), targets, reduction="sum")
        (loss / len(targets)).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()

    return call


def _dense(whole: Tensor, unbinding: Tensor) -> Tensor:
    return (whole @ unbinding[:, :, None])[:, :, 0]


def _often(call: Callable[[], object], times: int = 50) -> Callable[[], None]:
    def repeated() -> None:
        for _ in range(times):
            call()

    return repeated


if __name__ == "__main__":
    main()
