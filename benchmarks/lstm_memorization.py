"""An epoch of the memorisation probe and its regression, compared with a plain PyTorch loop and scikit-learn."""

import shutil
import tempfile
from collections.abc import Callable

import numpy as np
import torch
from sklearn.linear_model import LinearRegression
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Adam
from torch.utils.data import DataLoader, TensorDataset

from benchmarks.timing import line, paired
from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization.counting import StepRegression
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.systems.lstm_memorization.training import BATCHES_PER_TURN, Windows, middle_token_loss, targets
from repline.training.batches import batches
from repline.training.fit import fit
from repline.training.recipes import CPU

TYPES, SIZE, LENGTH, BATCH = 1000, 50, 20, 32


def main() -> None:
    torch.set_num_threads(1)
    print(f"{'one thread':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    stream = torch.from_numpy(np.random.default_rng(0).integers(TYPES, size=400 * BATCH * LENGTH, dtype=np.int32))
    starts = torch.from_numpy(middle_token.starts(len(stream), LENGTH))
    ours, peer = paired(_ours(stream, starts), _plain_loop(stream, starts), rounds=3)
    line("epoch of 400 batches of 32 x 20, d = 50, against a plain PyTorch loop", ours, peer)
    _bound(ours / 400)
    states = torch.randn(2000, LENGTH, SIZE).cumsum(1).numpy()
    line("R² of the step, all units and each, 2,000 x 20 states", *paired(lambda: _sums(states), lambda: _each(states)))


def _ours(stream: Tensor, starts: Tensor) -> Callable[[], None]:
    def epoch() -> None:
        torch.manual_seed(0)
        folder = tempfile.mkdtemp()
        fit(
            MiddleTokenLSTM(TYPES, SIZE),
            middle_token_loss,
            batches((Windows(stream, starts, LENGTH),), BATCH),
            epochs=1,
            learning_rate=0.003,
            seed=0,
            checkpoints=folder,
            optimizer=lambda weights, rate: Adam(weights, rate, fused=True),
            batches_per_turn=BATCHES_PER_TURN,
            hardware=CPU,
        )
        shutil.rmtree(folder)

    return epoch


def _plain_loop(stream: Tensor, starts: Tensor) -> Callable[[], None]:
    """What one would write: a frozen nn.Embedding, an nn.Linear that shares its weight, a DataLoader of pairs."""
    ids = stream.view(-1, LENGTH).long()

    def epoch() -> None:
        torch.manual_seed(0)
        embedding = nn.Embedding(TYPES, SIZE)
        embedding.weight.requires_grad_(False)
        output = nn.Linear(SIZE, TYPES, bias=False)
        output.weight = embedding.weight
        lstm = nn.LSTM(SIZE, SIZE, batch_first=True)
        optimiser = Adam(lstm.parameters(), 0.003)
        for inputs, labels in DataLoader(TensorDataset(ids, ids[:, LENGTH // 2]), BATCH, shuffle=True):
            optimiser.zero_grad()
            states, _ = lstm(embedding(inputs))
            cross_entropy(output(states[:, -1]), labels).backward()
            optimiser.step()

    return epoch


def _bound(step: float) -> None:
    """A training step without loader and loop: the fused layer of PyTorch, its backward pass and the fused Adam."""
    model, ids = MiddleTokenLSTM(TYPES, SIZE), torch.randint(TYPES, (BATCH, LENGTH))
    optimiser = Adam(model.parameters(), 0.003, fused=True)

    def bare() -> None:
        optimiser.zero_grad()
        cross_entropy(model(ids), targets(ids)).backward()
        optimiser.step()

    seconds, _ = paired(lambda: [bare() for _ in range(100)], lambda: None)
    print(f"a step takes {step * 1e3:.2f} ms, of which the layer, its gradient and Adam are {seconds * 10:.2f} ms")


def _sums(states: np.ndarray) -> None:
    regression = StepRegression()
    for start in range(0, len(states), 500):
        regression.add(states[start : start + 500])
    regression.whole()
    regression.units()


def _each(states: np.ndarray) -> None:
    rows = states.reshape(-1, SIZE)
    steps = np.tile(np.arange(LENGTH), len(states))
    LinearRegression().fit(rows, steps).score(rows, steps)
    for unit in range(SIZE):
        LinearRegression().fit(rows[:, unit : unit + 1], steps).score(rows[:, unit : unit + 1], steps)


if __name__ == "__main__":
    main()
