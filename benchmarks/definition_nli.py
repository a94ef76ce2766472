"""Definitions encoded once a batch or at each occurrence; the bi-SRU compared with a loop over time and a GRU."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.timing import line, paired
from repline.layers.sru import BiSRU
from repline.systems.definition_nli.model import DefinitionNLI
from repline.systems.definition_nli.training import label_loss

BATCH, WORDS, DEFINITION, DIMENSIONS = 32, 12, 32, 50
VOCABULARY, ROUNDS = 2_000, 7
ONCE_GOAL, LOOP_GOAL = 3, 2  # goals
LIMIT = "402 words of the batch have 139 definitions, 2.9 times fewer; sentences and decoder take a fifth of a step."


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(f"batches of {BATCH} pairs, {WORDS} words a sentence, definitions of {DEFINITION} words, one thread")
    model, batch = _model()
    logits = model(torch.cat(batch[:2]))
    model.deduplicate = False
    torch.testing.assert_close(model(torch.cat(batch[:2])), logits, rtol=1e-4, atol=1e-4)
    line(
        f"a step of training, {BATCH} pairs, against definitions encoded at each occurrence",
        *paired(lambda: _step(model, batch, True), lambda: _step(model, batch, False), ROUNDS),
        ONCE_GOAL,
        LIMIT,
    )
    for units, sequences, time in ((50, 200, 32), (100, 64, 20)):
        layer, states = BiSRU(units, units), torch.randn(sequences, time, units)
        mask = torch.ones(sequences, time, dtype=torch.bool)
        gru = nn.GRU(units, units, 2, batch_first=True, bidirectional=True)
        torch.testing.assert_close(_loop(layer, states), layer(states, mask), rtol=1e-4, atol=1e-4)
        what = f"bi-SRU, 2 layers of {units} units, [{sequences}, {time}], forward and backward"
        ours = lambda layer=layer, states=states, mask=mask: _gradient(layer, layer(states, mask))  # noqa: E731
        loop = lambda layer=layer, states=states: _gradient(layer, _loop(layer, states))  # noqa: E731
        gru_gradient = lambda gru=gru, states=states: _gradient(gru, gru(states)[0])  # noqa: E731
        line(f"{what}, against a loop", *paired(ours, loop, ROUNDS), LOOP_GOAL)
        line(f"{what}, against torch's GRU", *paired(ours, gru_gradient, ROUNDS))


def _model() -> tuple[DefinitionNLI, tuple[Tensor, ...]]:
    """A model, and a batch whose words are as frequent as those of text are (Zipf)."""
    rng = np.random.default_rng(0)
    words = [f"word{number}" for number in range(VOCABULARY)]
    model = DefinitionNLI(["entailment", "neutral", "contradiction"], words, DIMENSIONS, dropout=0.0)
    model.begin(torch.randn(VOCABULARY, DIMENSIONS), torch.ones(VOCABULARY, dtype=torch.bool))
    frequency = 1 / np.arange(1, VOCABULARY + 1)
    drawn = rng.choice(VOCABULARY, (2 * BATCH, WORDS), p=frequency / frequency.sum())
    drawn[BATCH:, : WORDS // 2] = drawn[:BATCH, : WORDS // 2]  # half of a premise is repeated
    headwords = {words[number] for number in range(0, VOCABULARY, 2)}
    model.define({word: rng.choice(words, DEFINITION).tolist() for word in headwords})
    first, second = (torch.from_numpy(drawn + 1)).split(BATCH)
    return model, (first, second, torch.from_numpy(rng.integers(0, 3, BATCH)))


def _step(model: DefinitionNLI, batch: tuple[Tensor, ...], deduplicate: bool) -> None:
    model.deduplicate = deduplicate
    model.zero_grad()
    label_loss(model, batch).backward()


def _gradient(layer: nn.Module, states: Tensor) -> None:
    layer.zero_grad()
    states.sum().backward()


def _loop(layer: BiSRU, states: Tensor) -> Tensor:
    """The layers of a `BiSRU`, with all products at once and the recurrence one position after the other."""
    for weight, bias in zip(layer.weights, layer.biases, strict=True):
        products = torch.einsum("bti,dkni->btdkn", states, weight)
        skips = states.unflatten(2, (2, -1)) if weight.shape[1] == 3 else products[:, :, :, 3]
        both = []
        for direction in range(2):
            positions = range(states.shape[1])
            c, outputs = torch.zeros(len(states), layer.units), {}
            for t in positions if direction == 0 else reversed(positions):
                new, forget, reset = products[:, t, direction, :3].unbind(1)
                forget, reset = torch.sigmoid(forget + bias[direction, 0]), torch.sigmoid(reset + bias[direction, 1])
                c = forget * c + (1 - forget) * new
                outputs[t] = reset * torch.tanh(c) + (1 - reset) * skips[:, t, direction]
            both.append(torch.stack([outputs[t] for t in positions], 1))
        states = torch.cat(both, 2)
    return states


if __name__ == "__main__":
    main()
