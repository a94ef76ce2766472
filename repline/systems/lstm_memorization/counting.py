"""Does a recurrent state count? Least squares from the state after each step to the number of the step.

    t ≈ w·s_t + b over all sequences and steps,     R² = 1 - Σ (t - w·s_t - b)² / Σ (t - mean t)²

For a single unit R² is its squared correlation with t. A unit that counts up to the middle of a sequence and then
falls to 0 has R² = 1 over the first half and 0.2 over all steps: a value means little without its steps.

Source: Liu, Levy, Schwartz, Tan & Smith 2018, section 5, after Shi, Knight & Yuret 2016.
"""

from typing import NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization.model import MiddleTokenLSTM

RANKED_UNITS = 5
DRAWN_UNITS = 2


class StepRegression:
    """The regression, from sums that grow with the number of units and not with that of the sequences.

    Args:
        steps: only the first N steps of each sequence; None: all.
    """

    def __init__(self, steps: int | None = None):
        self.steps = steps
        self._rows = 0
        self._sums = np.zeros(0)  # [d + 1] from the first states on, the last is of t
        self._products = np.zeros((0, 0))  # [d + 1, d + 1]
        self._shift = np.zeros(0)  # [d + 1]

    def add(self, states: NDArray[np.floating]) -> None:
        """Take in the states of some sequences, [B, n, d]."""
        states = np.asarray(states)[:, : self.steps]
        steps = np.broadcast_to(np.arange(states.shape[1])[None, :, None], (*states.shape[:2], 1))
        rows = np.concatenate([states, steps], axis=-1, dtype=np.float64).reshape(-1, states.shape[-1] + 1)
        if not self._rows:  # sums about a value near the mean lose no digits
            self._shift = rows.mean(0)
            self._sums, self._products = np.zeros(rows.shape[1]), np.zeros((rows.shape[1],) * 2)
        rows -= self._shift
        self._rows += len(rows)
        self._sums += rows.sum(0)
        self._products += rows.T @ rows

    def whole(self) -> float:
        """R² of the regression on all units together, with an intercept."""
        among, with_step, total = self._covariances()
        weights = np.linalg.lstsq(among, with_step, rcond=None)[0]
        return float(with_step @ weights / total)

    def units(self) -> NDArray[np.float64]:
        """R² of each unit alone, [d]; 0 for a unit that never changes."""
        among, with_step, total = self._covariances()
        variances = np.diag(among)
        moving = variances > 1e-12 * max(variances.max(), 1e-300)
        return np.where(moving, with_step**2 / np.where(moving, variances * total, 1), 0.0)

    def _covariances(self) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        if not self._rows:
            raise ValueError("a regression needs states")
        centred = self._products - np.outer(self._sums, self._sums) / self._rows
        return centred[:-1, :-1], centred[:-1, -1], float(centred[-1, -1])


class Explained(TypedDict):
    """R² of the number of a step by a whole state and by its best units."""

    whole: float
    best: list[float]
    best_units: list[int]


class Counting(TypedDict):
    """How well states count, see `measure_counting`: c and h by the part of the sequence."""

    length: int
    c: dict[str, Explained]
    h: dict[str, Explained]
    example: NotRequired[list[list[float]]]
    untrained: NotRequired["Counting"]


def measure_counting(model: MiddleTokenLSTM, test: Tensor, block: int = 500) -> Counting:
    """How well the state after each step tells the number of the step, whole and by its best units.

    Args:
        test: [S, n].
        block: sequences at a time.

    Returns:
        R² of c and h, over all steps and up to the middle; under `example`, where an answer is right, the values of
        the two best units of c over its sequence.
    """
    length = test.shape[1]
    middle = middle_token.target(length)
    parts = {"all_steps": None, "to_the_middle": middle + 1}
    regressions = {state: {part: StepRegression(steps) for part, steps in parts.items()} for state in ("c", "h")}
    example = None
    for ids in test.split(block):
        states = dict(zip("hc", model.states(ids), strict=True))
        for state, state_regressions in regressions.items():
            for regression in state_regressions.values():
                regression.add(states[state].numpy())
        correct_rows = (model.decode(states["h"][:, -1]).argmax(-1) == ids[:, middle]).nonzero()
        if example is None and len(correct_rows):
            example = states["c"][correct_rows[0, 0]].numpy()  # [n, d]
    explained: dict[str, dict[str, Explained]] = {}
    for state, state_regressions in regressions.items():
        explained[state] = {}
        for part, regression in state_regressions.items():
            units = regression.units()
            ranked = units.argsort(kind="stable")[::-1][:RANKED_UNITS]
            explained[state][part] = {
                "whole": regression.whole(),
                "best": units[ranked].tolist(),
                "best_units": ranked.tolist(),
            }
    result: Counting = {"length": length, "c": explained["c"], "h": explained["h"]}
    if example is not None:
        drawn = result["c"]["to_the_middle"]["best_units"][:DRAWN_UNITS]
        result["example"] = example[:, drawn].T.tolist()  # [2, n]
    return result
