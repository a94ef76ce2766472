"""Roles by rewriting: batches, a batched beam and copy keys once a sentence, compared with doing each singly."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import random

import torch
from torch import Tensor

from benchmarks.timing import line, paired
from repline.corpora.srl.linearisation import source_of, target_of
from repline.corpora.srl.propositions import Argument
from repline.layers.generation.beam_search import beam_search
from repline.layers.generation.copying_decoder import CopyMemory, CopyState
from repline.systems.srl_seq2seq.model import END, NOTHING, RoleSeq2Seq, Search, sequence_loss
from repline.systems.srl_seq2seq.numbering import numbers
from repline.training.batches import batches

SENTENCES, BATCH, VOCABULARY, WORDS = 64, 32, 2_000, 3_000
EMBEDDING, UNITS, BEAM, ROUNDS = 50, 64, 5, 5
TRAINING, SEARCH, KEYS = 3, 5, 1  # goals


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(f"{SENTENCES} sentences of 5 to 20 words, {VOCABULARY:,} known, d = {2 * UNITS}, one thread")
    model = RoleSeq2Seq(["A0", "A1", "V"], [f"w{number}" for number in range(VOCABULARY)], EMBEDDING, UNITS)
    pairs = list(_pairs(random.Random(0)))
    sources, targets, _ = numbers(model, pairs)
    lengths = (targets != NOTHING).sum(1)
    rows = list(batches((sources, targets), BATCH, seed=0, lengths=lengths, padded=(0, 1)))
    tokens = int(lengths.sum())
    ours, peer = paired(lambda: _train(model, rows), lambda: _train_singly(model, sources, targets), ROUNDS)
    line(f"training, {tokens:,} tokens, against a loop over sentences", ours, peer, TRAINING)
    print(f"{tokens / ours:,.0f} tokens a second")
    model.eval()
    with torch.no_grad():
        few = sources[:16, : int((sources[:16] != NOTHING).sum(1).max())]
        batched, expected = _beam(model, few, model.step), _beam(model, few, _Singly(model))
        assert [output.symbols for output in batched] == [output.symbols for output in expected]
        in_batches = lambda: _beam(model, few, model.step)  # noqa: E731
        singly = lambda: [_beam(model, row[row != NOTHING][None], _Singly(model)) for row in few]  # noqa: E731
        line(f"beam search, beam {BEAM}, against one hypothesis at a time", *paired(in_batches, singly, ROUNDS), SEARCH)
        again = lambda: _beam(model, few, _KeysEachStep(model))  # noqa: E731
        line("beam search, copy keys once a sentence against at each step", *paired(in_batches, again, ROUNDS), KEYS)


def _pairs(generator: random.Random):
    for _ in range(SENTENCES):
        words = [f"w{generator.randrange(WORDS)}" for _ in range(generator.randint(5, 20))]
        predicate = generator.randrange(1, len(words) - 1)
        spans = [("A0", 0, predicate - 1), ("V", predicate, predicate), ("A1", predicate + 1, len(words) - 1)]
        yield source_of(words, predicate), target_of(words, [Argument(*span) for span in spans])


def _train(model: RoleSeq2Seq, rows: list[tuple[Tensor, ...]]) -> None:
    for batch in rows:
        model.zero_grad()
        sequence_loss(model, batch).backward()


def _train_singly(model: RoleSeq2Seq, sources: Tensor, targets: Tensor) -> None:
    for source, target in zip(sources, targets, strict=True):
        model.zero_grad()
        sequence_loss(model, (source[None], target[target != NOTHING][None])).backward()


def _beam(model: RoleSeq2Seq, sources: Tensor, step) -> list:
    longest = 2 * sources.shape[1]
    return beam_search(
        step, model.search(sources), len(sources), begin=NOTHING, end=END, beam=BEAM, longest=longest, length_power=1.0
    )


class _Singly:
    """One hypothesis at a time."""

    def __init__(self, model: RoleSeq2Seq):
        self.model = model

    def __call__(self, symbols: Tensor, search: Search) -> tuple[Tensor, Search]:
        steps = [
            self.model.step(symbols[row : row + 1], search.rows(torch.tensor([row]))) for row in range(len(symbols))
        ]
        state = CopyState(*(torch.cat(parts) for parts in zip(*(row.state for _, row in steps), strict=True)))
        return torch.cat([scores for scores, _ in steps]), search._replace(state=state)


class _KeysEachStep:
    """Compute tanh(h W_c) of all positions again at every step."""

    def __init__(self, model: RoleSeq2Seq):
        self.model = model

    def __call__(self, symbols: Tensor, search: Search) -> tuple[Tensor, Search]:
        memory = search.memory
        keys = torch.tanh(self.model.decoder.copied(memory.states))
        recomputed = CopyMemory(memory.states, keys, memory.padding, memory.uncopied)
        return self.model.step(symbols, search._replace(memory=recomputed))


if __name__ == "__main__":
    main()
