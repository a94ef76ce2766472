"""Adam whose marked tables keep rows of norm 1."""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

MIN_NORM = 1e-7  # that a row is divided by


class UnitRowAdam(torch.optim.Adam):
    """Adam after each of whose steps every row of the parameters marked by `mark_unit_rows` has the norm 1.

    Args:
        parameters: to train.
        learning_rate: of Adam.
        knobs: of torch.optim.Adam; by default epsilon is that of Keras, and the update is one kernel a parameter.

    Source: `keras.constraints.UnitNorm`, which also projects after the step.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], learning_rate: float, **knobs: Any) -> None:
        super().__init__(parameters, learning_rate, **({"eps": 1e-7, "fused": True} | knobs))

    @torch.no_grad()
    def step(self, closure: Callable[[], Tensor] | None = None) -> Tensor | None:  # type: ignore[override]
        """Update the parameters by their gradients once, then scale the rows of marked ones to norm 1."""
        loss = super().step(closure)
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None and getattr(parameter, "unit_rows", False):
                    parameter.div_(_norms(parameter))
        return loss


def mark_unit_rows(parameter: Tensor) -> None:
    """Let `UnitRowAdam` keep the norm 1 of this parameter's rows."""
    vars(parameter)["unit_rows"] = True


def unit(rows: Tensor) -> Tensor:
    """Rows [..., n] over their norms; a row of zeros stays one."""
    return rows / _norms(rows)


def _norms(rows: Tensor) -> Tensor:
    return torch.linalg.vector_norm(rows, dim=-1, keepdim=True).clamp(min=MIN_NORM)
