"""Sources to labelled sentences: greedy or beam search, free or with brackets and words held in order."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from repline.corpora.srl.linearisation import CLOSE, MARK, OPEN
from repline.layers.beam_search import beam_search
from repline.systems.srl_seq2seq.model import END, NOTHING, RoleSeq2Seq, Search
from repline.systems.srl_seq2seq.numbering import numbers, tokens_of
from repline.systems.srl_seq2seq.settings import Decoding

AT_ONCE = 128  # sentences that are decoded together
TIMES_SOURCE = 3  # an output has at most so many tokens for each of the source, and the end


class Place(NamedTuple):
    """How far a hypothesis is: words written [N], whether a bracket is open, whether there is a word in it."""

    search: Search
    written: Tensor
    open: Tensor
    inside: Tensor

    def rows(self, chosen: Tensor) -> "Place":
        """Of other hypotheses: [N'] row numbers."""
        return Place(self.search.rows(chosen), self.written[chosen], self.open[chosen], self.inside[chosen])


class Constraint:
    """The step of a model, with every symbol that is not allowed left out."""

    def __init__(self, model: RoleSeq2Seq, mass: bool):
        self.model, self.mass = model, mass
        closings = [number for number, symbol in enumerate(model.symbols) if CLOSE.fullmatch(symbol)]
        self.closings = torch.tensor(closings)
        self.closes = torch.zeros(len(model.symbols), dtype=torch.bool)
        self.closes[self.closings] = True
        self.opening = model.number[OPEN]
        self.marks = torch.tensor([NOTHING, END, self.opening, *closings])

    def begin(self, search: Search) -> Place:
        """Before the first symbol."""
        none = torch.zeros(len(search.sources), dtype=torch.long, device=search.sources.device)
        return Place(search, none, none.bool(), none.bool())

    def step(self, symbols: Tensor, place: Place) -> tuple[Tensor, Place]:
        """As `RoleSeq2Seq.step`."""
        opens, closes = symbols == self.opening, self.closes.to(symbols.device)[self.model.known(symbols)]
        word = (symbols != NOTHING) & ~opens & ~closes
        written = place.written + word
        is_open = (place.open | opens) & ~closes
        inside = (place.inside & ~opens) | word
        found, search = self.model.step(symbols, place.search)
        words = _words(search.sources, self.model.number[MARK])
        following = torch.nn.functional.pad(words, (0, 1)).gather(1, written[:, None])[:, 0]
        there = following != NOTHING
        allowed = torch.zeros_like(found, dtype=torch.bool)
        writable = following if self.model.copying else self.model.known(following)
        if self.mass:
            any_word = found.index_fill(1, self.marks.to(symbols.device), float("-inf")).logsumexp(1, keepdim=True)
            found = found.scatter(1, writable[:, None], any_word.where(there[:, None], found[:, :1]))
        allowed.scatter_(1, writable[:, None], there[:, None])
        allowed[:, self.opening] = there & ~is_open
        allowed[:, self.closings.to(symbols.device)] = (is_open & inside)[:, None]
        allowed[:, END] = ~there & ~is_open
        return found.masked_fill(~allowed, float("-inf")), Place(search, written, is_open, inside)


@torch.no_grad()
def decode(model: RoleSeq2Seq, sources: Sequence[Sequence[str]], **knobs: Any) -> list[list[str]]:
    """The output tokens of each source, in its order.

    Args:
        knobs: of `Decoding`.
    """
    how = Decoding(**knobs)
    was_training = model.training
    model.eval()
    device = model.embedding.weight.device
    order = sorted(range(len(sources)), key=lambda row: len(sources[row]))
    found: list[list[str]] = [[] for _ in sources]
    for start in range(0, len(order), AT_ONCE):
        rows = order[start : start + AT_ONCE]
        symbols, _, owns = numbers(model, [(sources[row], ()) for row in rows])
        search = model.search(symbols.to(device))
        limited = None if how.constrained == "free" else Constraint(model, how.constrained == "mass")
        hypotheses = beam_search(
            limited.step if limited else model.step,
            limited.begin(search) if limited else search,
            len(rows),
            begin=NOTHING,
            end=END,
            beam=how.beam,
            longest=TIMES_SOURCE * symbols.shape[1] + 1,
            length_power=how.length_power,
            device=device,
        )
        for row, own, hypothesis in zip(rows, owns, hypotheses, strict=True):
            most = TIMES_SOURCE * len(sources[row]) + 1  # whatever is decoded beside
            tokens = tokens_of(model, hypothesis.symbols[:most], own)
            found[row] = _with_words(tokens, sources[row]) if limited else tokens
    model.train(was_training)
    return found


def _words(sources: Tensor, mark: int) -> Tensor:
    """The sources without the mark: what stands behind it moves one place forward."""
    behind = (sources == mark).cumsum(1).bool()
    return sources.where(~behind, torch.nn.functional.pad(sources[:, 1:], (0, 1)))


def _with_words(tokens: list[str], source: Sequence[str]) -> list[str]:
    """The words of the source in place of those that were written one by one for them."""
    words = iter([token for token in source if token != MARK])
    return [token if token == OPEN or CLOSE.fullmatch(token) else next(words) for token in tokens]
