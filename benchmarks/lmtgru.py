"""The recurrence of the LMTGRU compared with a Python loop over its groups and with the GRU of PyTorch."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import torch
from torch import Tensor, nn

from benchmarks.timing import keep, line, paired
from repline.systems.lmtgru.recurrence import MultipleTimescaleGRU, step_as_written

FASTER = 3  # goal; at the paper's sizes in batches, matrix products take most of the time in both ways
SHAPES = {  # texts of a batch, steps, inputs, units of each of the two groups, goal
    "hybrid": (64, 10, 96, 32, FASTER),  # of the default parameters
    "words": (64, 40, 64, 32, FASTER),  # without convolutions
    "paper": (64, 10, 384, 150, None),
    "paper, one text": (1, 10, 384, 150, FASTER),
}
REPEATS = 3  # passes of one timing
LIMIT = (
    "In batches a step of the loop over groups is long enough to hide its calls: elementwise work on states takes half "
    "of the fused training, products 8 to 21 %. With one text at a time the ratio is above the goal."
)


def main() -> None:
    torch.set_num_threads(1)
    for name, shape in SHAPES.items():
        _compare(name, *shape)


def _compare(name: str, batch: int, steps: int, inputs: int, units: int, goal: float | None) -> None:
    torch.manual_seed(0)
    model = MultipleTimescaleGRU(inputs, units, [1.0, 1.25], 1e-5)
    peer = nn.GRU(inputs, 2 * units, batch_first=True)
    sequences = torch.randn(batch, steps, inputs, requires_grad=True)
    ends = torch.randint(1, steps + 1, (batch,))
    print(f"{name}: {batch} texts, {steps} steps, {inputs} inputs, 2 groups of {units} units, one thread")
    fused, loop = paired(lambda: _train(model, sequences, ends), lambda: _train_loop(model, sequences, ends))
    line(f"{name}: training, fused, against a loop over groups and steps", fused, loop, goal, LIMIT)
    fused, loop = paired(lambda: _read(model, sequences, ends), lambda: _read_loop(model, sequences, ends))
    line(f"{name}: reading, fused, against a loop over groups and steps", fused, loop)
    fused, library = paired(lambda: _train(model, sequences, ends), lambda: _train_gru(peer, sequences))
    line(f"{name}: training, fused, against nn.GRU of as many units", fused, library)
    with torch.no_grad():
        gap = float((model(sequences, ends) - _loop(model, sequences, ends)).abs().max())
    assert gap < 1e-4, f"the two ways differ by {gap}"
    keep(f"{name}: largest difference of a state between both ways, in parts of 1e-4 allowed", gap / 1e-4)


def _train(model: MultipleTimescaleGRU, sequences: Tensor, ends: Tensor) -> None:
    for _ in range(REPEATS):
        model(sequences, ends).sum().backward()


def _train_loop(model: MultipleTimescaleGRU, sequences: Tensor, ends: Tensor) -> None:
    for _ in range(REPEATS):
        _loop(model, sequences, ends).sum().backward()


def _train_gru(peer: nn.GRU, sequences: Tensor) -> None:
    for _ in range(REPEATS):
        peer(sequences)[1].sum().backward()


@torch.inference_mode()
def _read(model: MultipleTimescaleGRU, sequences: Tensor, ends: Tensor) -> None:
    for _ in range(REPEATS):
        model(sequences, ends)


@torch.inference_mode()
def _read_loop(model: MultipleTimescaleGRU, sequences: Tensor, ends: Tensor) -> None:
    for _ in range(REPEATS):
        _loop(model, sequences, ends)


def _loop(model: MultipleTimescaleGRU, sequences: Tensor, ends: Tensor) -> Tensor:
    """Group by group, step by step, as the equations are written."""
    states = []
    for group, timescale in enumerate(model.timescales):
        state = sequences.new_zeros(len(sequences), model.units)
        weights = model.kernel[group].transpose(0, 1).flatten(1), model.recurrent[group], model.bias[group].flatten()
        for step in range(sequences.shape[1]):
            moved = step_as_written(sequences[:, step], state, *weights, timescale)
            state = torch.where((step < ends)[:, None], moved, state)
        states.append(state)
    return torch.cat(states, dim=1)


if __name__ == "__main__":
    main()
