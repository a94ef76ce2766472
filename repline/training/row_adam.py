"""Adam that moves the rows of a table that a batch used, and no others; and rows that stay unit vectors.

A step costs as much as the batch has different words, not as the vocabulary. Moments of a row decay when it is used.
"""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn

LEAST = 1e-7  # that a row is divided by


class RowAdam(torch.optim.Optimizer):
    """Adam for parameters with sparse gradients by rows (`nn.Embedding(sparse=True)`) and for others.

    After a step the rows of a parameter marked by `unit_rows` that it moved have the norm 1.

        m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2
        theta <- theta - lr / (1 - b1^t) m / (sqrt(v / (1 - b2^t)) + epsilon)

    Args:
        parameters: to train.
        learning_rate: lr.
        betas, epsilon: as above.

    Source: Kingma & Ba 2015, algorithm 1; moments by row as in torch.optim.SparseAdam; the norm as
    `keras.constraints.UnitNorm`.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        learning_rate: float,
        betas: tuple[float, float] = (0.9, 0.999),
        epsilon: float = 1e-7,
    ) -> None:
        super().__init__(parameters, {"lr": learning_rate, "betas": betas, "epsilon": epsilon})

    @torch.no_grad()
    def step(self, closure: Callable[[], Tensor] | None = None) -> Tensor | None:
        """One step."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._move(parameter, group)
        return loss

    def _move(self, parameter: nn.Parameter, group: dict) -> None:
        state = self.state[parameter]
        if not state:
            state |= {"step": 0, "first": torch.zeros_like(parameter), "second": torch.zeros_like(parameter)}
        state["step"] += 1
        gradient, rows = parameter.grad, None
        if gradient.is_sparse:
            gradient = gradient.coalesce()
            rows, gradient = gradient.indices()[0], gradient.values()
        (b1, b2), rate = group["betas"], group["lr"]
        first = (state["first"] if rows is None else state["first"][rows]).lerp_(gradient, 1 - b1)
        second = state["second"] if rows is None else state["second"][rows]
        second.mul_(b2).addcmul_(gradient, gradient, value=1 - b2)
        scale = (1 - b2 ** state["step"]) ** 0.5
        denominator = second.sqrt().div_(scale).add_(group["epsilon"])
        size = -rate / (1 - b1 ** state["step"])
        if rows is None:
            parameter.addcdiv_(first, denominator, value=size)
        else:
            moved = parameter[rows].addcdiv_(first, denominator, value=size)
            state["first"][rows], state["second"][rows] = first, second
            parameter[rows] = unit(moved) if unit_rows(parameter) else moved
        if rows is None and unit_rows(parameter):
            parameter.copy_(unit(parameter))


def mark_unit_rows(parameter: nn.Parameter) -> None:
    """Let `RowAdam` keep the norm 1 of this parameter's rows."""
    parameter.unit_rows = True


def unit_rows(parameter: nn.Parameter) -> bool:
    """Whether it is so marked."""
    return getattr(parameter, "unit_rows", False)


def unit(rows: Tensor) -> Tensor:
    """Rows over their norms; a row of zeros stays one."""
    return rows / rows.norm(dim=-1, keepdim=True).clamp(min=LEAST)
