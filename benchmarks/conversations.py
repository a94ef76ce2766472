"""Training a DAN on replies, its tables updated by rows, compared with dense tables; its sentences a second.

A step is a batch of 128 pairs. The peer is the same model with dense gradients of its tables and torch's Adam; its
fused kernels where torch has them. Sizes are those of the default run, and the tables of the paper's full size. Words
follow Zipf's law, as in text. Encoding is compared with averages of word vectors by gensim and by `UntrainedEncoder`.
A transformer's step on sentences with the lengths of chat is compared with a step on one padded batch.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from gensim.models import KeyedVectors
from torch import nn

from benchmarks.timing import line, paired
from repline.evaluation.sentences.untrained import UntrainedEncoder
from repline.systems.conversations import encoders
from repline.systems.conversations.encoder import SentenceEncoder
from repline.systems.conversations.model import ConversationEncoder
from repline.systems.conversations.task_batches import REPLY, Batch
from repline.systems.conversations.training import task_loss
from repline.training.optimizers.row_adam import RowAdam

PAIRS, LONGEST, STEPS, ROUNDS, GOAL = 128, 24, 4, 5, 3
FULL = 50_000  # words; the goal holds for this size, because small tables cost a dense step little
SENTENCES, DIMENSIONS = 4000, 64
SIZES = {
    "15,000 words, 20,000 bigrams, 64-d": (
        15_000,
        {"dimensions": 64, "buckets": 20_000, "layers": [128, 128, 128], "replies": [128, 128]},
    ),
    "50,000 words, 200,000 bigrams, 300-d": (FULL, {}),
}


def main() -> None:
    torch.set_num_threads(1)
    print(f"{STEPS} steps of {PAIRS} pairs, sentences of up to {LONGEST} words, one thread")
    for name, (words, sizes) in SIZES.items():
        sides = [_training(words, sizes, sparse) for sparse in (True, False)]
        goal = GOAL if words == FULL else None
        line(f"training, {name}, against dense Adam", *paired(*sides, ROUNDS), goal)
    _transformer()
    _encoding()


def _training(words: int, sizes: dict, sparse: bool):
    torch.manual_seed(0)
    model = ConversationEncoder([f"w{number}" for number in range(words)], **sizes)
    for table in model.modules():
        if isinstance(table, nn.EmbeddingBag):
            table.sparse = sparse
    optimizer = (
        RowAdam(model.parameters(), 0.001) if sparse else torch.optim.Adam(model.parameters(), 0.001, fused=True)
    )
    batches = [_batch(words, seed) for seed in range(STEPS)]

    def train() -> None:
        for batch in batches:
            optimizer.zero_grad()
            task_loss(model, batch)[0].backward()
            optimizer.step()

    return train


def _transformer() -> None:
    torch.manual_seed(0)
    model = encoders.Transformer(15_000, 64, layers=2, heads=2, inner=128, size=128, dropout=0.1)
    random = np.random.default_rng(0)
    lengths = torch.from_numpy(random.lognormal(np.log(11), 0.85, 2 * PAIRS).clip(1, 150).astype(np.int64))
    tokens = torch.from_numpy(_zipf(15_000, int(lengths.sum()), random))
    by_length = encoders.padded_group_sizes

    def step(groups) -> None:
        encoders.padded_group_sizes = groups
        try:
            model(tokens, lengths).sum().backward()
        finally:
            encoders.padded_group_sizes = by_length

    sides = (lambda: step(by_length), lambda: step(lambda ascending: [len(ascending)]))
    name = f"a step of a transformer, {2 * PAIRS} sentences of 1 to {int(lengths.max())} words"
    line(f"{name}, against all padded to the longest", *paired(*sides, ROUNDS), GOAL)


def _batch(words: int, seed: int) -> Batch:
    random = np.random.default_rng(seed)
    lengths = random.integers(4, LONGEST + 1, 2 * PAIRS)
    tokens = _zipf(words, lengths.sum(), random)
    return torch.tensor([REPLY]), torch.from_numpy(tokens + 1), torch.from_numpy(lengths), torch.arange(PAIRS)


def _zipf(words: int, count: int, random: np.random.Generator) -> np.ndarray:
    frequency = 1 / np.arange(1, words + 1)
    return random.choice(words, count, p=frequency / frequency.sum())


def _encoding() -> None:
    random = np.random.default_rng(0)
    words = [f"w{number}" for number in range(15_000)]
    model = ConversationEncoder(words, **SIZES["15,000 words, 20,000 bigrams, 64-d"][1])
    encode = SentenceEncoder(model)
    lengths = random.integers(4, LONGEST + 1, SENTENCES)
    drawn = [words[number] for number in _zipf(len(words), lengths.sum(), random)]
    split = [part.tolist() for part in np.split(np.array(drawn), lengths.cumsum()[:-1])]
    sentences = [" ".join(words_of_sentence) for words_of_sentence in split]
    vectors = random.random((len(words), DIMENSIONS), np.float32)
    average = UntrainedEncoder("average", {word: row for row, word in enumerate(words)}, vectors)
    keyed = KeyedVectors(DIMENSIONS)
    keyed.add_vectors(words, vectors)

    def ours() -> None:
        with torch.no_grad():
            encode(sentences)

    def by_gensim() -> None:
        for sentence in sentences:
            keyed.get_mean_vector(sentence.split(), pre_normalize=False)

    line(f"encoding {SENTENCES} sentences by a DAN, against gensim's averages", *paired(ours, by_gensim, ROUNDS))
    line("the same, against repline's averages", *paired(ours, lambda: average(sentences), ROUNDS))


if __name__ == "__main__":
    main()
