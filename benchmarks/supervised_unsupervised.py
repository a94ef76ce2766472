"""The second loss of a batch, compared with a loop over sentences; sentence vectors, with averages of word vectors.

The loop is what the authors' program does: for each sentence of the batch, its states times the map, the error to its
words, and the sum of these. The quality is in `data/evaluation/supervised_unsupervised/metrics.json`.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from gensim.models import KeyedVectors
from torch import Tensor
from torch.nn.functional import mse_loss

from benchmarks.timing import line, paired
from repline.systems.supervised_unsupervised.corpus import Data, Split, lengths_of
from repline.systems.supervised_unsupervised.encoder import MaximumOfStates
from repline.systems.supervised_unsupervised.training import Recipe, TwoLosses, begin, two_losses

DIMENSIONS, UNITS, HIDDEN, PAIRS, LONGEST = 50, 64, 128, 64, 40
VOCABULARY, SENTENCES, ROUNDS = 2_000, 1_000, 5
LABELS = ["contradiction", "entailment", "neutral"]
LOOP = 3  # goal
MAX_RATIO = 1.25  # times a step without the second loss; at the paper's sizes it is 3.2 % more multiplications


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    data, batch = _data()
    options = {"epochs": 1, "learning_rate": 0.1, "batch": PAIRS, "units": UNITS, "hidden": HIDDEN}
    plain, network = (begin(data, Recipe(**options, **knobs), 0) for knobs in ({}, {"kind": "bi_ae", "weight": 0.01}))
    numbers = torch.cat(batch[:2])
    read = network.model.states(network.vectors[numbers], lengths_of(numbers)).detach(), network.vectors[numbers]
    lengths = lengths_of(numbers)
    torch.testing.assert_close(_loop(network, *read, lengths), network.reconstruction(*read, lengths).sum())
    ours = lambda: _step(network, network.reconstruction(*read, lengths).sum())  # noqa: E731
    loop = lambda: _step(network, _loop(network, *read, lengths))  # noqa: E731
    line(f"the second loss of {PAIRS} pairs, against a loop over sentences", *paired(ours, loop, ROUNDS), LOOP)
    step = lambda: _step(network, two_losses(network, batch)[0])  # noqa: E731
    bare = lambda: _step(plain, two_losses(plain, batch)[0])  # noqa: E731
    line(f"a step of {PAIRS} pairs, against one without the second loss", *paired(step, bare, ROUNDS), 1 / MAX_RATIO)
    _encoding(network)


def _encoding(network: TwoLosses) -> None:
    words = [f"word{number}" for number in range(VOCABULARY)]
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(VOCABULARY, DIMENSIONS)).astype(np.float32)
    keyed = KeyedVectors(DIMENSIONS)
    keyed.add_vectors(words, vectors)
    encode = MaximumOfStates(network.model, keyed.key_to_index, vectors)
    sentences = [" ".join(rng.choice(words, length)) for length in _lengths(rng, SENTENCES)]
    one_by_one = lambda: np.vstack([encode([sentence]) for sentence in sentences])  # noqa: E731
    np.testing.assert_allclose(encode(sentences), one_by_one(), atol=1e-5)
    what = f"{SENTENCES} sentences to vectors, {UNITS} units"
    ours = lambda: encode(sentences)  # noqa: E731
    line(f"{what}, against one at a time", *paired(ours, one_by_one, ROUNDS), LOOP)
    averages = lambda: [keyed.get_mean_vector(sentence.split(), pre_normalize=False) for sentence in sentences]  # noqa: E731
    line(f"{what}, against gensim's average of word vectors", *paired(ours, averages, ROUNDS))


def _data() -> tuple[Data, tuple[Tensor, ...]]:
    rng = np.random.default_rng(0)
    lengths = _lengths(rng, 2 * PAIRS)
    numbers = torch.zeros(2 * PAIRS, LONGEST, dtype=torch.long)
    for row, length in enumerate(lengths):
        numbers[row, :length] = torch.from_numpy(rng.integers(1, VOCABULARY, length))
    labels = torch.from_numpy(rng.integers(0, 3, PAIRS))
    split = Split(*numbers.split(PAIRS), [LABELS[label] for label in labels], ["made"] * PAIRS)
    return Data({"train": split}, torch.randn(VOCABULARY, DIMENSIONS), LABELS), (split.first, split.second, labels)


def _lengths(rng: np.random.Generator, number: int) -> np.ndarray:
    """Lengths of sentences as in SNLI and reviews: 3 to 40 words, median 14."""
    return np.clip(rng.lognormal(2.6, 0.5, number).astype(int), 3, LONGEST)


def _loop(network: TwoLosses, states: Tensor, vectors: Tensor, lengths: Tensor) -> Tensor:
    """The second loss of all sentences, one by one."""
    total = states.new_zeros(())
    for row, length in enumerate(lengths.tolist()):
        halves = states[row, :length].chunk(2, 1)
        for linear, half in zip(network.reconstruction.maps.values(), halves, strict=True):
            total = total + 0.5 * mse_loss(linear(half), vectors[row, :length], reduction="sum")
    return total


def _step(network: TwoLosses, loss: Tensor) -> None:
    network.zero_grad()
    loss.backward()


if __name__ == "__main__":
    main()
