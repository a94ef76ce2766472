"""The brackets of a batch of sequences: which saved state each closing one takes back, found without a loop over rows.

Notation: B sequences, T steps; N closing brackets in the segment, K states carried from the segment before, D states
open at once at most.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from repline.errors import InputError
from repline.layers.stacked_state import StackedState


@dataclass(frozen=True)
class Brackets:
    """The brackets of a segment, and which states they take back; found without a loop over the rows.

    Attributes:
        closing: per step, the rows in which a bracket closes, or None.
        first: per step and one more, how many brackets close before it.
        sources: int64 [N], for each closing bracket the index of the state before its opening one: among the K that
            were carried, then among the states (0..T) x B of the segment.
        open: int64 [N, D], for each closing bracket the indices of all states that are saved then, the outermost
            first, the one that it takes back last.
        depths: int64 [N], how many these are; what follows them in `open` is of no meaning.
        marked: per step, the rows that have a bracket, or None.
        still_open: int64 [B, D'], the indices of what is still open at the end, the outermost first.
        sizes: int64 [B], how many are open at the end.
    """

    closing: list[Tensor | None]
    first: list[int]
    sources: Tensor
    open: Tensor
    depths: Tensor
    marked: list[Tensor | None]
    still_open: Tensor
    sizes: Tensor

    @classmethod
    def of(cls, opens: Tensor, closes: Tensor, carried: StackedState | None) -> "Brackets":
        """Match the brackets of a segment.

        Args:
            opens, closes: bool [B, T].
            carried: what is open at its start.

        Raises:
            InputError: a closing bracket without an opening one, naming the row and the symbol.
        """
        batch, device = len(opens), opens.device
        before = torch.zeros(batch, dtype=torch.long, device=device) if carried is None else carried.sizes
        room = 0 if carried is None else carried.depth
        level = before[:, None] + (opens.long() - closes.long()).cumsum(1)  # [B, T]
        if (level < 0).any():
            bad_row, symbol = (level < 0).nonzero()[0].tolist()
            raise InputError(
                f"row {bad_row}, symbol {symbol}: a ')' without a '(' before it; the brackets are not balanced"
            )
        row, step = (opens | closes).nonzero(as_tuple=True)  # by row, then by step
        close = closes[row, step]
        pair = level[row, step] + close  # [E] how deep the pair lies, 1 the outermost
        group, order = torch.sort(row * (int(pair.max()) + 1) + pair, stable=True)
        row, step, close, pair = row[order], step[order], close[order], pair[order]
        partner = torch.zeros_like(close)  # whether the event before is the opening bracket of this one
        partner[1:] = close[1:] & ~close[:-1] & (group[1:] == group[:-1])
        state_index = batch * room + step * batch + row  # of the state before each event
        source = torch.where(partner, state_index.roll(1), row * room + pair - 1)
        by_step = torch.argsort(step[close] * batch + row[close])
        left = ~close
        left[:-1] &= ~partner[1:]  # opening brackets that nothing closes
        sizes = level[:, -1] if level.shape[1] else before
        deepest = int(sizes.max())
        slots = torch.arange(deepest, device=device)
        still_open = (torch.arange(batch, device=device)[:, None] * room + slots).clamp(max=max(batch * room - 1, 0))
        still_open[row[left], pair[left] - 1] = state_index[left]
        closing = _rows(closes)
        first = [0, *closes.sum(0).cumsum(0).tolist()]
        # what is open below a bracket was opened last, before it, at its own level; else it was carried
        rows, depths = row[close][by_step], pair[close][by_step]
        levels = torch.arange(1, int(pair.max()) + 1, device=device)
        steps = opens.shape[1] + 1
        groups_sought = rows[:, None] * (int(pair.max()) + 1) + levels
        last = torch.searchsorted(group * steps + step, groups_sought * steps + step[close][by_step][:, None]) - 1
        inside = (last >= 0) & (group[last.clamp(min=0)] == groups_sought)
        saved = torch.where(inside, state_index[last.clamp(min=0)], rows[:, None] * room + levels - 1)
        saved = torch.where(levels <= depths[:, None], saved, saved[:, :1])
        return cls(closing, first, source[close][by_step], saved, depths, _rows(opens | closes), still_open, sizes)


def _rows(marks: Tensor) -> list[Tensor | None]:
    """The marked rows of each step, or None. marks: bool [B, T]."""
    counts = marks.sum(0).tolist()
    rows = marks.mT.nonzero()[:, 1].split(counts)
    return [some if count else None for some, count in zip(rows, counts, strict=True)]
