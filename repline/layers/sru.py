"""The simple recurrent unit in both directions: all products at once, then one pass over time without any product.

    x~_t = W x_t          f_t = sigmoid(W_f x_t + b_f)          r_t = sigmoid(W_r x_t + b_r)
    c_t = f_t * c_{t-1} + (1 - f_t) * x~_t                      c_0 = 0
    h_t = r_t * tanh(c_t) + (1 - r_t) * x'_t

x' is W_x x where a direction has another size than its share of the input, else that share of the input itself.

On a CPU the pass over time is compiled, both directions in one, with a gradient of its own. Elsewhere c is found by
doubling: c_t = f_t c_{t-1} + u_t is associative, so log2 T steps over whole tensors do it.

Source: Lei, Zhang, Wang, Dai & Artzi 2018, "Simple recurrent units for highly parallelizable recurrence"; with tanh as
in Nishida et al. 2018, section 3.
"""

import math
from typing import Any

import numpy as np
import torch
from numba import njit
from torch import Tensor, nn

from repline.algebra.full_precision import full_precision
from repline.caches.compiled_loops import ON_DISK
from repline.layers.fast_dropout import FastDropout
from repline.layers.linear import linear

FORGET, RESET = 0, 1  # the gates


class BiSRU(nn.Module):
    """Layers of SRUs that read in both directions.

    Args:
        inputs: features of each position.
        units: n, of each direction.
        layers: number of layers.
        dropout: rate on the input of each layer.
    """

    def __init__(self, inputs: int, units: int, layers: int = 2, dropout: float = 0.0):
        super().__init__()
        self.units, self.size = units, 2 * units
        sizes = [inputs] + [self.size] * (layers - 1)
        # [direction, matrix, units, inputs]; the fourth matrix makes x'
        self.weights = nn.ParameterList(
            nn.Parameter(torch.empty(2, 3 if size == self.size else 4, units, size)) for size in sizes
        )
        self.biases = nn.ParameterList(nn.Parameter(torch.zeros(2, 2, units)) for _ in sizes)
        self.dropout = FastDropout(dropout)
        for weight in self.weights:
            nn.init.normal_(weight, std=math.sqrt(2 / (units + weight.shape[-1])))  # Xavier, each matrix by itself

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """[B, T, inputs], [B, T] -> [B, T, 2n], the states of both directions side by side, zero where mask is False.

        Args:
            mask: True at the positions of a sequence, which begins at 0; the backward direction begins at its end.
        """
        inside = mask[:, :, None].to(states.dtype)
        states = states * inside  # zeros keep c at 0, so that padding is as if it were not there
        for weight, bias in zip(self.weights, self.biases, strict=True):
            read = self.dropout(states)
            batch, time, _ = read.shape
            products = linear(read, weight.flatten(0, 2)).view(batch, time, 2, -1, self.units)  # [B, T, 2, 3 or 4, n]
            skip = read.reshape(batch, time, 2, self.units) if weight.shape[1] == 3 else products[:, :, :, 3]
            states = recurrence(products, bias, skip).flatten(2) * inside
        return states


def recurrence(products: Tensor, bias: Tensor, skip: Tensor) -> Tensor:
    """The states h [B, T, 2, n] of both directions.

    Args:
        products: [B, T, 2, 3 or 4, n]: x~ and, without biases, the forget and the reset gate; a fourth part is ignored.
        bias: [2, 2, n] of the two gates of each direction.
        skip: x' [B, T, 2, n].
    """
    if products.device.type == "cpu":
        return _Recurrence.apply(products, bias, skip)
    forget, reset = torch.sigmoid(products[:, :, :, 1:3] + bias).unbind(3)
    added = (1 - forget) * products[:, :, :, 0]
    both = [_doubled(forget[:, :, 0], added[:, :, 0])]
    both += [_doubled(forget[:, :, 1].flip(1), added[:, :, 1].flip(1)).flip(1)]
    return torch.lerp(skip.to(reset.dtype), torch.tanh(torch.stack(both, 2)), reset)


def _doubled(forget: Tensor, added: Tensor) -> Tensor:
    """c [B, T, n] with c_t = forget_t c_{t-1} + added_t, in log2 T steps."""
    step = 1
    while step < forget.shape[1]:
        shifted = torch.cat([added[:, :step], added[:, step:] + forget[:, step:] * added[:, :-step]], 1)
        forget = torch.cat([forget[:, :step], forget[:, step:] * forget[:, :-step]], 1)
        added, step = shifted, 2 * step
    return added


@full_precision
class _Recurrence(torch.autograd.Function):
    """`recurrence` on a CPU. Sigmoid and tanh are torch's, which are vectorised; the rest is two compiled passes."""

    @staticmethod
    def forward(ctx: Any, products: Tensor, bias: Tensor, skip: Tensor) -> Tensor:
        products, skip = products.contiguous(), skip.contiguous()
        gates = torch.sigmoid(products[:, :, :, 1:3] + bias)  # [B, T, 2, 2, n]
        states = torch.empty_like(skip)
        scan(products.numpy(), gates.numpy(), states.numpy())
        squashed = states.tanh()
        ctx.save_for_backward(products, gates, states, squashed, skip)
        return torch.lerp(skip, squashed, gates[:, :, :, RESET])

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:  # type: ignore[override]
        products, gates, states, squashed, skip = ctx.saved_tensors
        to_products, to_skip = torch.zeros_like(products), torch.empty_like(skip)
        scan_back(
            gradient.contiguous().numpy(),
            *(tensor.numpy() for tensor in (products, gates, states, squashed, skip, to_products, to_skip)),
        )
        return to_products, to_products[:, :, :, 1:3].sum((0, 1)), to_skip


@njit(cache=ON_DISK, error_model="numpy")
def scan(products: np.ndarray, gates: np.ndarray, states: np.ndarray) -> None:
    """Fill c: states [B, T, 2, n] from products [B, T, 2, k, n], x~ first, and gates [B, T, 2, 2, n], forget first."""
    batch, time, _, _, units = products.shape
    for b in range(batch):
        for direction in range(2):
            for step in range(time):
                t = step if direction == 0 else time - 1 - step
                before = t - 1 if direction == 0 else t + 1
                forget, new, out = gates[b, t, direction, 0], products[b, t, direction, 0], states[b, t, direction]
                if step == 0:
                    for j in range(units):
                        out[j] = new[j] - forget[j] * new[j]
                else:
                    last = states[b, before, direction]
                    for j in range(units):
                        out[j] = new[j] + forget[j] * (last[j] - new[j])


@njit(cache=ON_DISK, error_model="numpy")
def scan_back(
    gradient: np.ndarray,
    products: np.ndarray,
    gates: np.ndarray,
    states: np.ndarray,
    squashed: np.ndarray,
    skip: np.ndarray,
    to_products: np.ndarray,
    to_skip: np.ndarray,
) -> None:
    """Fill the gradients of the products, gates before their sigmoid, and of x', from that of h: one pass back in time.

    Args:
        gradient, states, squashed, skip, to_skip: [B, T, 2, n] of h, c, tanh(c), x', and the gradient of x' to fill.
        products, to_products: [B, T, 2, k, n]; what follows the first three of k is left as it is.
        gates: [B, T, 2, 2, n].
    """
    batch, time, _, _, units = products.shape
    carried = np.zeros(units, gradient.dtype)  # f_{t+1} times the gradient of c_{t+1}
    for b in range(batch):
        for direction in range(2):
            carried[:] = 0
            for step in range(time - 1, -1, -1):
                t = step if direction == 0 else time - 1 - step
                before = t - 1 if direction == 0 else t + 1
                h, tanh, x = gradient[b, t, direction], squashed[b, t, direction], skip[b, t, direction]
                forget, reset, new = gates[b, t, direction, 0], gates[b, t, direction, 1], products[b, t, direction, 0]
                to_new, to_x = to_products[b, t, direction, 0], to_skip[b, t, direction]
                to_forget, to_reset = to_products[b, t, direction, 1], to_products[b, t, direction, 2]
                last = states[b, before if step else t, direction]
                for j in range(units):
                    c = carried[j] + h[j] * reset[j] * (1 - tanh[j] * tanh[j])
                    start = last[j] if step else 0 * last[j]
                    to_new[j] = c * (1 - forget[j])
                    to_forget[j] = c * (start - new[j]) * forget[j] * (1 - forget[j])
                    to_reset[j] = h[j] * (tanh[j] - x[j]) * reset[j] * (1 - reset[j])
                    to_x[j] = h[j] * (1 - reset[j])
                    carried[j] = c * forget[j]
