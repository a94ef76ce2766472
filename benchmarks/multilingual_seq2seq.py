"""Bucketed batches, batched beam search and retrieval in blocks, compared with doing each singly or in whole tables."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import tracemalloc

import numpy as np
import torch
from torch import Tensor

from benchmarks.timing import keep, line, paired
from repline.layers.generation.beam_search import beam_search
from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder
from repline.systems.multilingual_seq2seq.pair_batches import cut, pair_batches
from repline.systems.multilingual_seq2seq.retrieval import translations_found, unit_rows
from repline.systems.multilingual_seq2seq.training import JointLoss
from repline.systems.multilingual_seq2seq.vocabulary import END, language_token

LANGUAGES, WORDS, PAIRS, BATCH, ROUNDS = ("en", "de"), 4000, 256, 64, 3
SENTENCES, DIMENSIONS, MANY = 5000, 1024, ("de", "en", "es", "fr", "it", "pt")
TRAINING, SEARCH, BEAM = 3, 5, 5  # goals, and hypotheses


def main() -> None:
    torch.set_num_threads(1)
    model, sides = _model(), _pairs()
    tokens = 2 * int(sum((side != 0).sum() for side in sides[1:]))
    print(f"{PAIRS} pairs of sentences, {tokens} tokens to read and to write, one thread")
    ours, alone = paired(lambda: _epoch(model, sides, BATCH, True), lambda: _epoch(model, sides, 1, False), ROUNDS)
    line(f"an epoch in buckets of {BATCH} pairs, against a pair at a time", ours, alone, TRAINING)
    print(f"{tokens / ours:,.0f} tokens a second against {tokens / alone:,.0f}")
    unsorted = paired(lambda: _epoch(model, sides, BATCH, True), lambda: _epoch(model, sides, BATCH, False), ROUNDS)
    line("the same, against batches in any order", *unsorted)
    ids = cut(sides[1][:32])
    model.eval()
    line(
        f"beam search of {BEAM}, 32 sentences, against one hypothesis at a time",
        *paired(lambda: model.translate(ids, "de", beam=BEAM, longest=20), lambda: _in_turn(model, ids, 20), ROUNDS),
        SEARCH,
    )
    _retrieval()


def _model() -> MultilingualEncoderDecoder:
    torch.manual_seed(0)
    words = ["<pad>", "<unk>", "<end>", *map(language_token, LANGUAGES), *(f"word{n}" for n in range(WORDS))]
    half = WORDS // 2
    rows = {"en": [1, 2, *range(5, 5 + half)], "de": [1, 2, *range(5 + half, 5 + WORDS)]}
    return MultilingualEncoderDecoder(words, rows, "lstm", 128, 128, 1)


def _pairs() -> tuple[Tensor, Tensor, Tensor]:
    """Sentences of 3 to 40 words, and translations about as long."""
    rng = np.random.default_rng(0)
    lengths = rng.integers(3, 41, PAIRS)
    sides = []
    for first in (5, 5 + WORDS // 2):
        ids = rng.integers(first, first + WORDS // 2, (PAIRS, 44))
        side_lengths = np.clip(lengths + rng.integers(-2, 3, PAIRS), 1, 44)
        sides.append(torch.from_numpy(np.where(np.arange(44) < side_lengths[:, None], ids, 0).astype(np.int32)))
    return torch.zeros(PAIRS, dtype=torch.long), *sides


def _epoch(model: MultilingualEncoderDecoder, sides: tuple[Tensor, ...], size: int, bucketed: bool) -> None:
    loss = JointLoss([LANGUAGES], 1.0)
    model.train()
    for batch in pair_batches(*sides, size, bucketed=bucketed):
        model.zero_grad()
        loss(model, batch)[0].backward()


@torch.no_grad()
def _in_turn(model: MultilingualEncoderDecoder, ids: Tensor, longest: int) -> None:
    """Beam search with a call of the decoder for each hypothesis of each sentence."""
    begin = model.words.index(language_token("de"))

    class Rows(list):
        """States of single hypotheses."""

        def rows(self, indices: Tensor) -> "Rows":
            return Rows(self[row] for row in indices.tolist())

    def step(symbols: Tensor, states: Rows) -> tuple[Tensor, Rows]:
        states = Rows(
            model.decoder.step(model.embedding(symbol[None]), state)
            for symbol, state in zip(symbols, states, strict=True)
        )
        return torch.cat([model.output(state.hidden).log_softmax(-1) for state in states]), states

    for row in range(len(ids)):
        sentence = cut(ids[row : row + 1])
        state = Rows([model.decoder.begin(model.encode(sentence))])
        beam_search(step, state, 1, begin=begin, end=END, beam=BEAM, longest=longest, length_power=0.9)


def _retrieval() -> None:
    """Six languages, 5,000 sentences each: in blocks, compared with all cosines of two languages at once."""
    rng = np.random.default_rng(0)
    vectors = {name: rng.normal(size=(SENTENCES, DIMENSIONS)).astype(np.float32) for name in MANY}

    def whole() -> None:
        for queries in vectors.values():
            for candidates in vectors.values():
                (unit_rows(queries) @ unit_rows(candidates).T).argmax(1)

    peaks = []
    for call in (lambda: translations_found(vectors), whole):
        tracemalloc.start()
        call()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    ours, peer = paired(lambda: translations_found(vectors), whole, 1)
    line(f"retrieval of {SENTENCES} sentences in {len(MANY)} languages, against whole tables", ours, peer)
    print(f"peak memory {peaks[0] / 2**20:.0f} MiB against {peaks[1] / 2**20:.0f} MiB")
    keep("memory of retrieval, whole tables in parts of blocks", peaks[1] / peaks[0])


if __name__ == "__main__":
    main()
