"""The expressions and formulas of RRNet's tasks as tensors."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import torch
from torch import Tensor

from repline.errors import InputError
from repline.systems.rrnet import math_expressions, propositional_logic


def expression_tensors(
    path: str | Path, lengths: Sequence[int], most: int | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Expressions of some lengths: ids [N, T] padded on the right with 0, characters [N], values [N].

    Args:
        path: train.parquet, validation.parquet or test.parquet.
        most: the first of each length; None for all.

    Raises:
        InputError: a length that is not there, or fewer expressions than `most`.
    """
    table = pq.read_table(path)
    parts = []
    for length in lengths:
        rows = table.filter(pc.equal(table["length"], length))
        if len(rows) < (most or 1):
            raise InputError(
                f"{path}: expected {most or 'some'} expressions of length {length}, found {len(rows)}; see the section "
                "math_expressions of params.yaml"
            )
        rows = rows.slice(0, most)
        parts.append((math_expressions.encode(rows["expression"].to_pylist()), rows["value"].to_numpy()))
    width = max(part.shape[1] for part, _ in parts)
    ids = np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part, _ in parts])
    sizes = np.concatenate([np.full(len(part), part.shape[1]) for part, _ in parts])
    values = np.concatenate([value for _, value in parts])
    return (
        torch.from_numpy(ids.astype(np.int64)),
        torch.from_numpy(sizes.astype(np.int64)),
        torch.from_numpy(values.astype(np.int64)),
    )


def relation_tensors(path: str | Path, longest: int | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Pairs of formulas: ids [N, 2, T] padded with 0, words [N, 2], relations [N], lengths (connectives) [N].

    Args:
        path: train.parquet, validation.parquet or test.parquet.
        longest: pairs with more connectives are left out; None for all.

    Raises:
        InputError: there is no such pair.
    """
    table = pq.read_table(path)
    if longest is not None:
        table = table.filter(pc.less_equal(table["length"], longest))
    if not len(table):
        raise InputError(f"{path}: expected pairs of at most {longest} connectives, found none")
    pairs = [table["left"].to_pylist(), table["right"].to_pylist()]
    ids, words = propositional_logic.encode([formula for pair in zip(*pairs, strict=True) for formula in pair])
    number = {relation: index for index, relation in enumerate(propositional_logic.RELATIONS)}
    relations = np.array([number[relation] for relation in table["relation"].to_pylist()])
    lengths = table["length"].to_numpy().astype(np.int64)
    return (
        torch.from_numpy(ids.reshape(len(table), 2, -1)),
        torch.from_numpy(words.reshape(len(table), 2)),
        torch.from_numpy(relations),
        torch.from_numpy(lengths),
    )
