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
    hypotheses are finished as the beam is wide, or after `longest` symbols. The best finished one is the answer,
    which may be empty; an unfinished one only where none is finished.

    Args:
        step: (last symbols [N], state) -> log-probabilities of the next ones [N, V], state.
        state: the state before the first symbol, `inputs` rows; its `rows(indices)` is the state of those rows.
        begin, end: symbols.
        beam: hypotheses kept for each input.
        longest: most symbols of a hypothesis, counting that of the end.
        length_power: α.
    """
    rows = torch.arange(inputs, device=device)
    state = state.rows(rows.repeat_interleave(beam))  # [inputs * beam]
    symbols = torch.full((inputs * beam,), begin, device=device)
    totals = torch.full((inputs, beam), float("-inf"), device=device)
    totals[:, 0] = 0.0  # at first all hypotheses of an input are the same
    written = torch.empty(inputs, beam, 0, dtype=torch.long, device=device)
    finished: list[list[Hypothesis]] = [[] for _ in range(inputs)]
    active = rows  # inputs that are still searched
    for length in range(1, longest + 1):
        scores, state = step(symbols, state)
        vocabulary = scores.shape[1]
        reached = totals[..., None] + scores.view(len(active), beam, vocabulary)  # [A, K, V]
        # twice the beam: up to `beam` hypotheses may end, and `beam` go on
        best_scores, positions = reached.flatten(1).topk(min(2 * beam, beam * vocabulary), dim=1)
        origin, symbol = positions // vocabulary, positions % vocabulary
        ending = symbol == end
        order = torch.arange(best_scores.shape[1], device=device).expand_as(best_scores)
        for row, column in ending.nonzero().tolist():
            if column < beam and best_scores[row, column] > float("-inf"):
                prefix = written[row, origin[row, column]].tolist()
                score = _normalised(best_scores[row, column], length, length_power)
                finished[active[row]].append(Hypothesis(prefix, score))
        staying = (order + ending * best_scores.shape[1]).argsort(1)[:, :beam]  # the best that do not end
        totals = best_scores.gather(1, staying).masked_fill(ending.gather(1, staying), float("-inf"))
        origin, symbol = origin.gather(1, staying), symbol.gather(1, staying)
        written = written.gather(1, origin[..., None].expand(-1, -1, length - 1))
        written = torch.cat([written, symbol[..., None]], -1)
        open_rows = [len(finished[row]) < beam for row in active.tolist()]
        going = torch.tensor(open_rows, device=device) & (totals[:, 0] > float("-inf"))
        if not going.any() or length == longest:
            break
        searched = going.nonzero()[:, 0]
        base = torch.arange(len(active), device=device)[:, None] * beam
        state = state.rows((base + origin)[searched].flatten())
        symbols = symbol[searched].flatten()
        totals, written, active = totals[searched], written[searched], active[searched]
    for row, input_row in enumerate(active.tolist()):
        if not finished[input_row]:
            prefix = written[row, 0].tolist()
            finished[input_row].append(Hypothesis(prefix, _normalised(totals[row, 0], len(prefix), length_power)))
    return [max(hypotheses, key=lambda hypothesis: hypothesis.score) for hypotheses in finished]


def _normalised(total: Tensor, length: int, power: float) -> float:
    return float(total) / length**power
