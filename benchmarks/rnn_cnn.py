"""A training step that predicts all words at once, compared with decoders that go word by word; sentence encoding.

Equal encoders, words and batches. The peers of the decoder are torch's GRU with the true words as input, which is given
all positions in one call, and the same with words that it draws itself. The peer of the fused output loss stores all
logits. The peer of the encoder is the average of word vectors, as `repline.evaluation.sentences.untrained` takes it.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from benchmarks.timing import line, paired
from repline.evaluation.sentences.untrained import UntrainedEncoder
from repline.systems.rnn_cnn.encoder import SentenceEncoder
from repline.systems.rnn_cnn.model import ContextModel

WORDS_PER_SENTENCE, SENTENCES = 20, 2_000  # words of a sentence; sentences that are encoded
SIZES = {  # vocabulary, dimensions, units, units of the GRU decoder, batch, rounds
    "real": (5_000, 50, 100, 150, 64, 9),
    "paper, small encoder": (20_000, 300, 300, 600, 16, 3),
}
TARGETS = {"real": (10, 30), "paper, small encoder": (30,)}


def main() -> None:
    torch.set_num_threads(1)
    print(f"one thread, sentences of {WORDS_PER_SENTENCE} words")
    for name, size in SIZES.items():
        for targets in TARGETS[name]:
            _decoders(name, targets, *size)
    _encoders()


def _decoders(name: str, targets: int, vocabulary: int, dimensions: int, units: int, gru: int, batch: int, rounds: int):
    words = [f"word{number}" for number in range(vocabulary)]
    rng = np.random.default_rng(0)
    frequency = 1 / np.arange(1, vocabulary + 1)  # Zipf
    drawn = rng.choice(vocabulary, (batch, WORDS_PER_SENTENCE + targets), p=frequency / frequency.sum()) + 1
    sentences, following = torch.from_numpy(drawn).split([WORDS_PER_SENTENCE, targets], 1)
    lengths = torch.full((batch,), WORDS_PER_SENTENCE)

    def model(**kind: str) -> ContextModel:
        torch.manual_seed(0)
        return ContextModel(words, dimensions, units, targets, decoder_units=gru, **kind)

    def step(network: ContextModel) -> None:
        network.zero_grad()
        network.losses(network(sentences, lengths, following), following)[0].backward()

    ours, teacher = model(decoder="cnn"), model(decoder="ar_rnn")
    sampled = model(decoder="ar_rnn", feed="sampled")
    what = f"a step, {targets} words at once, sizes of {name}"
    line(f"{what}, against a GRU with a teacher", *paired(lambda: step(ours), lambda: step(teacher), rounds), 1)
    line(f"{what}, against a GRU that samples", *paired(lambda: step(ours), lambda: step(sampled), rounds))
    outputs = torch.randn(batch, targets, dimensions)

    def fused() -> Tensor:
        ours.zero_grad()
        total, _ = ours.losses(outputs, following)
        total.backward()
        return total.detach()

    def stored() -> Tensor:
        ours.zero_grad()
        total = cross_entropy(ours.logits(outputs).flatten(0, 1), following.flatten() - 1, reduction="sum")
        total.backward()
        return total.detach()

    torch.testing.assert_close(fused(), stored(), rtol=1e-4, atol=1e-4)
    line(f"output loss, {targets} words, sizes of {name}, against stored logits", *paired(fused, stored, rounds))


def _encoders() -> None:
    vocabulary, dimensions, units, *_ = SIZES["real"]
    rng = np.random.default_rng(0)
    words = [f"word{number}" for number in range(vocabulary)]
    matrix = rng.normal(size=(vocabulary, dimensions)).astype(np.float32)
    index = {word: row for row, word in enumerate(words)}
    torch.manual_seed(0)
    encode = SentenceEncoder(ContextModel(words, dimensions, units, 10), index, matrix)
    average = UntrainedEncoder("average", index, matrix)
    text = [" ".join(rng.choice(words, rng.integers(5, 2 * WORDS_PER_SENTENCE))) for _ in range(SENTENCES)]
    ours, peer = paired(lambda: encode(text), lambda: average(text), 3)
    print(f"{SENTENCES / ours:,.0f} sentences a second here, {SENTENCES / peer:,.0f} by the average")
    line(f"{SENTENCES:,} sentences to vectors, {4 * units} dimensions, against the average of vectors", ours, peer)


if __name__ == "__main__":
    main()
