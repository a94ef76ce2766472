"""Beam search over a decoder, for a batch of inputs at once.

A finished hypothesis y has the score  log p(y) / |y|^α,  with the symbol of the end counted in |y|.

Source: Broscheit, Gemulla & Keuper 2018, section 4.2 (beam 10, α = 0.9); Wu et al. 2016 for the normalisation.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor

Step = Callable[[Tensor, Any], tuple[Tensor, Any]]


class Hypothesis(NamedTuple):
    """A finished sequence of symbols, without those of begin and end, and its normalised score."""

    symbols: list[int]
    score: float


@torch.no_grad()
def beam_search(
    step: Step,
    state: Any,
    inputs: int,
    *,
    begin: int,
    end: int,
    beam: int = 1,
    longest: int = 100,
    length_power: float = 0.0,
    device: torch.device | str = "cpu",
) -> list[Hypothesis]:
    """The best hypothesis of each input; beam 1 is greedy search.

    A hypothesis whose best continuation is the end leaves the beam. The search of an input is over when as many
    hypotheses are finished as the beam is wide, or after `longest` symbols; what is not finished then counts as it is.

    Args:
        step: (last symbols [N], state) -> log-probabilities of the next ones [N, V], state.
        state: before the first symbol, of `inputs` rows; it has `rows(chosen)`, the state of other rows.
        begin, end: symbols.
        beam: hypotheses that are kept of each input.
        longest: symbols of a hypothesis, with that of the end.
        length_power: α.
    """
    rows = torch.arange(inputs, device=device)
    state = state.rows(rows.repeat_interleave(beam))  # [inputs * beam]
    symbols = torch.full((inputs * beam,), begin, device=device)
    totals = torch.full((inputs, beam), float("-inf"), device=device)
    totals[:, 0] = 0.0  # at first all hypotheses of an input are the same one
    written = torch.empty(inputs, beam, 0, dtype=torch.long, device=device)
    finished: list[list[Hypothesis]] = [[] for _ in range(inputs)]
    active = rows  # inputs that are still searched
    for length in range(1, longest + 1):
        scores, state = step(symbols, state)
        vocabulary = scores.shape[1]
        reached = totals[..., None] + scores.view(len(active), beam, vocabulary)  # [A, K, V]
        # twice the beam: as many as may end, and as many that go on
        best, places = reached.flatten(1).topk(min(2 * beam, beam * vocabulary), dim=1)
        origin, symbol = places // vocabulary, places % vocabulary
        ending = symbol == end
        order = torch.arange(best.shape[1], device=device).expand_as(best)
        for row, column in ending.nonzero().tolist():
            if column < beam and best[row, column] > float("-inf"):
                found = written[row, origin[row, column]].tolist()
                finished[active[row]].append(Hypothesis(found, _normalised(best[row, column], length, length_power)))
        chosen = (order + ending * best.shape[1]).argsort(1)[:, :beam]  # the best that do not end
        totals = best.gather(1, chosen).masked_fill(ending.gather(1, chosen), float("-inf"))
        origin, symbol = origin.gather(1, chosen), symbol.gather(1, chosen)
        written = written.gather(1, origin[..., None].expand(-1, -1, length - 1))
        written = torch.cat([written, symbol[..., None]], -1)
        open_rows = [len(finished[row]) < beam for row in active.tolist()]
        going = torch.tensor(open_rows, device=device) & (totals[:, 0] > float("-inf"))
        if not going.any() or length == longest:
            break
        kept = going.nonzero()[:, 0]
        base = torch.arange(len(active), device=device)[:, None] * beam
        state = state.rows((base + origin)[kept].flatten())
        symbols = symbol[kept].flatten()
        totals, written, active = totals[kept], written[kept], active[kept]
    for row, one in enumerate(active.tolist()):
        if not finished[one]:
            found = written[row, 0].tolist()
            finished[one].append(Hypothesis(found, _normalised(totals[row, 0], len(found), length_power)))
    return [max(found, key=lambda one: one.score) for found in finished]


def _normalised(total: Tensor, length: int, power: float) -> float:
    return float(total) / length**power
