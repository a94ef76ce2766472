"""Decode labelled sentences from sources: greedy or beam search, free or with words and brackets held in order."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from repline.corpora.srl.linearisation import CLOSE, MARK, OPEN
from repline.layers.generation.beam_search import beam_search
from repline.systems.srl_seq2seq.model import END, NOTHING, RoleSeq2Seq, Search
from repline.systems.srl_seq2seq.numbering import numbers, tokens_of
from repline.systems.srl_seq2seq.settings import Decoding

DECODING_BATCH = 128  # sentences
TIMES_SOURCE = 3  # longest output in tokens for each token of the source, plus the end


class Progress(NamedTuple):
    """Progress of N hypotheses: words written [N], whether a bracket is open [N], whether it holds a word [N]."""

    search: Search
    written: Tensor
    open: Tensor
    inside: Tensor

    def rows(self, indices: Tensor) -> "Progress":
        """Select hypotheses by row number [N']."""
        return Progress(self.search.rows(indices), self.written[indices], self.open[indices], self.inside[indices])


class Constraint:
    """The step of a model in which symbols that may not follow have probability 0; see `Decoding.constrained`."""

    def __init__(self, model: RoleSeq2Seq, mass: bool):
        self.model, self.mass = model, mass
        closings = [number for number, symbol in enumerate(model.symbols) if CLOSE.fullmatch(symbol)]
        self.closings = torch.tensor(closings)
        self.closes = torch.zeros(len(model.symbols), dtype=torch.bool)
        self.closes[self.closings] = True
        self.opening = model.number[OPEN]
        self.marks = torch.tensor([NOTHING, END, self.opening, *closings])

    def begin(self, search: Search) -> Progress:
        """The state of the search before the first symbol."""
        none = torch.zeros(len(search.sources), dtype=torch.long, device=search.sources.device)
        return Progress(search, none, none.bool(), none.bool())

    def step(self, symbols: Tensor, progress: Progress) -> tuple[Tensor, Progress]:
        """log p of the symbols that may follow [N, S], -inf for the others; arguments as `RoleSeq2Seq.step`."""
        opens, closes = symbols == self.opening, self.closes.to(symbols.device)[self.model.known(symbols)]
        word = (symbols != NOTHING) & ~opens & ~closes
        written = progress.written + word
        is_open = (progress.open | opens) & ~closes
        inside = (progress.inside & ~opens) | word
        log_probabilities, search = self.model.step(symbols, progress.search)
        words = _words(search.sources, self.model.number[MARK])
        following = torch.nn.functional.pad(words, (0, 1)).gather(1, written[:, None])[:, 0]
        has_word = following != NOTHING
        allowed = torch.zeros_like(log_probabilities, dtype=torch.bool)
        writable = following if self.model.copying else self.model.known(following)
        if self.mass:
            any_word = log_probabilities.index_fill(1, self.marks.to(symbols.device), float("-inf")).logsumexp(
                1, keepdim=True
            )
            log_probabilities = log_probabilities.scatter(
                1, writable[:, None], any_word.where(has_word[:, None], log_probabilities[:, :1])
            )
        allowed.scatter_(1, writable[:, None], has_word[:, None])
        allowed[:, self.opening] = has_word & ~is_open
        allowed[:, self.closings.to(symbols.device)] = (is_open & inside)[:, None]
        allowed[:, END] = ~has_word & ~is_open
        return log_probabilities.masked_fill(~allowed, float("-inf")), Progress(search, written, is_open, inside)


@torch.no_grad()
def decode(model: RoleSeq2Seq, sources: Sequence[Sequence[str]], **knobs: Any) -> list[list[str]]:
    """The output tokens of each source, in the order of the sources.

    Args:
        knobs: of `Decoding`.
    """
    decoding = Decoding(**knobs)
    was_training = model.training
    model.eval()
    device = model.embedding.weight.device
    order = sorted(range(len(sources)), key=lambda row: len(sources[row]))
    outputs: list[list[str]] = [[] for _ in sources]
    for start in range(0, len(order), DECODING_BATCH):
        rows = order[start : start + DECODING_BATCH]
        symbols, _, own_words_of_rows = numbers(model, [(sources[row], ()) for row in rows])
        search = model.search(symbols.to(device))
        constraint = None if decoding.constrained == "free" else Constraint(model, decoding.constrained == "mass")
        hypotheses = beam_search(
            constraint.step if constraint else model.step,
            constraint.begin(search) if constraint else search,
            len(rows),
            begin=NOTHING,
            end=END,
            beam=decoding.beam,
            longest=TIMES_SOURCE * symbols.shape[1] + 1,
            length_power=decoding.length_power,
            device=device,
        )
        for row, own_words, hypothesis in zip(rows, own_words_of_rows, hypotheses, strict=True):
            longest = TIMES_SOURCE * len(sources[row]) + 1  # whatever sentences share the batch
            tokens = tokens_of(model, hypothesis.symbols[:longest], own_words)
            outputs[row] = _with_words(tokens, sources[row]) if constraint else tokens
    model.train(was_training)
    return outputs


def _words(sources: Tensor, mark: int) -> Tensor:
    """The sources without the mark: what stands behind it moves one position forward."""
    behind = (sources == mark).cumsum(1).bool()
    return sources.where(~behind, torch.nn.functional.pad(sources[:, 1:], (0, 1)))


def _with_words(tokens: list[str], source: Sequence[str]) -> list[str]:
    """The words of the source in place of those that were written one by one for them."""
    words = iter([token for token in source if token != MARK])
    return [token if token == OPEN or CLOSE.fullmatch(token) else next(words) for token in tokens]
