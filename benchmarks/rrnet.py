"""RRNet over a batch, compared with one sequence at a time with a Python list for a stack, and with the plain LSTM."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.timing import line, paired
from repline.systems.rrnet import math_expressions
from repline.systems.rrnet.model import RRNet, bracket_operations
from repline.systems.rrnet.schedule import MERGE, SPLIT

LENGTHS, BATCH, EMBEDDING = (4, 5), 128, 32
OPEN, CLOSE = (math_expressions.ALPHABET.index(sign) for sign in "()")


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(f"{'one thread, forward and backward':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    for units in (64, 128):
        vectors = torch.randn(len(math_expressions.ALPHABET), EMBEDDING, requires_grad=True)
        model = RRNet(EMBEDDING, units)
        batches = [_batch(length) for length in LENGTHS]
        tokens = sum(ids.numel() for ids, _ in batches)

        def ours(model=model, vectors=vectors, batches=batches) -> None:
            for ids, operations in batches:
                model(vectors, ids, operations)[1].now.sum().backward()

        def single(model=model, vectors=vectors, batches=batches) -> None:
            for ids, operations in batches:
                for row, row_operations in zip(ids, operations, strict=True):
                    one_at_a_time(model, vectors[row], row_operations)[1].sum().backward()

        seconds, peer = paired(ours, single, rounds=3)
        line(f"{BATCH} expressions, d={units}, against one sequence at a time", seconds, peer, 20)
        lstm = _lstm(units, vectors, batches)
        seconds, plain = paired(ours, lstm, rounds=7)
        line(f"{BATCH} expressions, d={units}, against nn.LSTM", seconds, plain)
        print(f"tokens/s at d={units}: RRNet {tokens / seconds:,.0f}, nn.LSTM {tokens / plain:,.0f}")


def one_at_a_time(model: RRNet, inputs: Tensor, operations: Tensor) -> tuple[Tensor, Tensor]:
    """The plain way: inputs [T, e] and operations [T] of one sequence -> h after each step [T, d], last [h, c] [2d]."""
    down, on, along, back = model.cells
    now = 2 * (inputs.new_zeros(model.units),)
    stack, after = [], []
    for x, operation in zip(inputs, operations.tolist(), strict=True):
        if operation == SPLIT:
            stack.append(down(x, now))
            now = on(x, now)
        elif operation == MERGE:
            popped = stack.pop()
            merged = model.merge_state(torch.cat([now[0], popped[0]])).tanh()
            memory = now[1] if model.merge_memory is None else model.merge_memory(torch.cat([now[1], popped[1]]))
            now = back(x, (merged, memory))
        else:
            now = along(x, now)
        after.append(now[0])
    return torch.stack(after), torch.cat(now)


def _batch(length: int) -> tuple[Tensor, Tensor]:
    rng = np.random.default_rng(length)
    ids = torch.from_numpy(math_expressions.draw(BATCH, length=length, rng=rng).astype(np.int64))
    return ids, bracket_operations(ids, OPEN, CLOSE)


def _lstm(units: int, vectors: Tensor, batches: list[tuple[Tensor, Tensor]]) -> Callable[[], None]:
    model = nn.LSTM(EMBEDDING, units, batch_first=True)

    def call() -> None:
        for ids, _ in batches:
            model(nn.functional.embedding(ids, vectors))[1][0].sum().backward()

    return call


if __name__ == "__main__":
    main()
