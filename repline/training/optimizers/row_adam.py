"""Adam that updates only those rows of an embedding table that a step has used.

    m_r <- b1 m_r + (1 - b1) g_r;   v_r <- b2 v_r + (1 - b2) g_r^2;   w_r <- w_r - lr s m_r / (sqrt(v_r) + eps)

for the rows r with a gradient; s = sqrt(1 - b2^t) / (1 - b1^t) at step t. Other rows keep weights and moments.

A gradient comes as a list of rows, some of them several times. On a CPU one loop sums and updates them; elsewhere
torch does, which sorts them first.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch
from numba import njit
from torch import Tensor, nn

from repline.caches.compiled_loops import ON_DISK


class RowAdam(torch.optim.Adam):
    """Adam that updates only the rows with a gradient of parameters whose gradients are sparse.

    Args:
        parameters: to train.
        learning_rate: of Adam.
        table_rate: the learning rate of tables with sparse gradients, in parts of that.

    Source: Kingma & Ba 2015; `torch.optim.SparseAdam`, to which the update of a table is equal.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], learning_rate: float, table_rate: float = 1.0) -> None:
        super().__init__(parameters, learning_rate, fused=True)
        self.table_rate = table_rate

    @torch.no_grad()
    def step(self, closure: Callable[[], Tensor] | None = None) -> Tensor | None:  # type: ignore[override]
        """Update the parameters by their gradients once."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        tables = []
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None and parameter.grad.is_sparse:
                    self._update(parameter, group)
                    tables.append((parameter, parameter.grad))
                    parameter.grad = None
        super().step()
        for table, gradient in tables:
            table.grad = gradient
        return loss

    def _update(self, table: nn.Parameter, group: dict) -> None:
        state, (first, second) = self.state[table], group["betas"]
        if not state:
            state["step"] = torch.zeros(())
            state["exp_avg"], state["exp_avg_sq"] = torch.zeros_like(table), torch.zeros_like(table)
        state["step"] += 1
        steps = float(state["step"])
        rate = self.table_rate * group["lr"] * (1 - second**steps) ** 0.5 / (1 - first**steps)
        update = update_on_cpu if table.device.type == "cpu" else update_by_tensors
        gradient: Any = table.grad
        update(table, gradient, state["exp_avg"], state["exp_avg_sq"], rate, first, second, group["eps"])


def update_by_tensors(
    table: Tensor,
    gradient: Tensor,
    means: Tensor,
    squares: Tensor,
    rate: float,
    first: float,
    second: float,
    eps: float,
) -> None:
    """One step of a table [V, d] with moments [V, d] and a sparse gradient, in place."""
    gradient = gradient.coalesce()
    rows, values = gradient.indices()[0], gradient.values()
    mean = means.index_select(0, rows).lerp_(values, 1 - first)
    square = squares.index_select(0, rows).mul_(second).addcmul_(values, values, value=1 - second)
    means.index_copy_(0, rows, mean)
    squares.index_copy_(0, rows, square)
    table.index_add_(0, rows, mean / square.sqrt_().add_(eps), alpha=-rate)


def update_on_cpu(
    table: Tensor,
    gradient: Tensor,
    means: Tensor,
    squares: Tensor,
    rate: float,
    first: float,
    second: float,
    eps: float,
) -> None:
    """Update rows on a CPU, by a compiled loop."""
    rows, values = gradient._indices()[0].numpy(), gradient._values().contiguous().numpy()
    constants = np.array([rate, first, second, eps], np.float32)
    update_rows(table.detach().numpy(), means.numpy(), squares.numpy(), rows, values, constants)


@njit(cache=ON_DISK, error_model="numpy")
def update_rows(table, means, squares, rows, values, constants):
    """Update rows of arrays: rows [n] of a gradient, some of them several times, and its values [n, d]."""
    rate, first, second, eps = constants[0], constants[1], constants[2], constants[3]
    unit = np.float32(1)
    positions = np.full(len(table), -1, np.int32)  # of each row in `used`
    used = np.empty(len(rows), np.int64)
    sums = np.empty(values.shape, values.dtype)
    count = 0
    for number in range(len(rows)):
        row = rows[number]
        position = positions[row]
        if position < 0:
            positions[row], used[count] = count, row
            for i in range(values.shape[1]):  # not a whole row at once, which takes numba two seconds to compile
                sums[count, i] = values[number, i]
            count += 1
        else:
            for i in range(values.shape[1]):
                sums[position, i] += values[number, i]
    for position in range(count):
        row = used[position]
        for i in range(values.shape[1]):
            g = sums[position, i]
            mean = means[row, i] + (unit - first) * (g - means[row, i])
            square = second * squares[row, i] + (unit - second) * g * g
            means[row, i], squares[row, i] = mean, square
            table[row, i] -= rate * mean / (np.sqrt(square) + eps)
