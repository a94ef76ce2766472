"""Scale numeric attributes of entities to 0 to 1 by the values of training, and shuffle them for controls."""

from collections.abc import Sequence
from decimal import Context, Decimal
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from repline.graphs.knowledge_graph import SPLITS, KnowledgeGraph, Numbers, Scale

DECIMAL = Context(prec=50, traps=[])  # a double holds 17 digits; NaN and infinity as NumPy gives them
TINY = 1e-20  # below it log(1 + v) is v, to the last bit
TRAIN = SPLITS.index("train")
SPREAD = 100.0  # a largest value this many times the median is skewed
CONSTANT = 1.0  # the value of an attribute that has only one, as in the authors' files


def unit_range(numbers: Numbers, logarithms: NDArray, positive: NDArray | None = None) -> NDArray[np.float64]:
    """Values [T] scaled so that those of training lie in [0, 1] by attribute; others may fall outside.

        v <- (f(v) - min f) / (max f - min f),   f(v) = log(1 + v), log(v) or v;   1 where there is one value only

    The logarithm is rounded correctly, in decimal arithmetic: that of NumPy differs in the last bit between processors.

    Args:
        logarithms: [k] bool, whether the logarithm of an attribute is scaled.
        positive: [k] bool, of which of these attributes it is log(v), as all values are positive; None for no one.
    """
    values = numbers.value.copy()
    is_logarithmic = logarithms[numbers.attribute]
    is_positive = np.zeros_like(is_logarithmic) if positive is None else is_logarithmic & positive[numbers.attribute]
    is_logarithmic &= ~is_positive
    values[is_logarithmic] = [_log1p(value) for value in values[is_logarithmic].tolist()]
    values[is_positive] = [float(DECIMAL.ln(Decimal(value))) for value in values[is_positive].tolist()]
    low, high = _ends(numbers, values, len(logarithms))
    low, width = low[numbers.attribute], (high - low)[numbers.attribute]
    return np.divide(values - low, width, out=np.full(len(values), CONSTANT), where=width > 0)


def scale(graph: KnowledgeGraph, logarithms: NDArray, positive: NDArray | None = None) -> None:
    """Scale the numbers of a graph by `unit_range`, in place, and keep how in `scales`.

    Args:
        graph: its `units` go into the scales.
        logarithms, positive: as of `unit_range`.
    """
    low, high = _ends(graph.numbers, graph.numbers.value, len(logarithms))
    offsets = [1.0] * len(logarithms) if positive is None else np.where(positive, 0.0, 1.0).tolist()
    graph.scales = {
        name: Scale(float(low[row]), float(high[row]), bool(logarithms[row]), graph.units.get(name, ""), offsets[row])
        for row, name in enumerate(graph.attributes)
        if np.isfinite(low[row])
    }
    graph.numbers.value = unit_range(graph.numbers, logarithms, positive)


def _ends(numbers: Numbers, values: NDArray, attributes: int) -> tuple[NDArray, NDArray]:
    """The smallest and the largest training value of each attribute, [k] each; infinite where it has none."""
    low, high = (np.full(attributes, end) for end in (np.inf, -np.inf))
    train = numbers.split == TRAIN
    np.minimum.at(low, numbers.attribute[train], values[train])
    np.maximum.at(high, numbers.attribute[train], values[train])
    return low, high


@cache
def _log1p(value: float) -> float:
    """log(1 + v), rounded correctly."""
    return value if abs(value) < TINY else float(DECIMAL.ln(DECIMAL.add(Decimal(1), Decimal(value))))


def logarithmic(numbers: Numbers, attributes: Sequence[str], names: Sequence[str] | Literal["skewed"]) -> NDArray:
    """Which attributes are scaled by their logarithm: bool [k].

    Args:
        attributes: the names of all k attributes.
        names: of those to scale by the logarithm; or "skewed" for every attribute whose training values are not
            negative and whose largest is more than `SPREAD` times the median.
    """
    if names != "skewed":
        return np.array([name in set(names) for name in attributes], dtype=bool)
    is_skewed = np.zeros(len(attributes), dtype=bool)
    train = numbers.of("train")
    for attribute in np.unique(train.attribute):
        values = train.value[train.attribute == attribute]
        is_skewed[attribute] = values.min() >= 0 and values.max() > SPREAD * np.median(values)
    return is_skewed


def shuffled(numbers: Numbers, seed: int) -> Numbers:
    """Permute the values of each attribute among its entities: the control."""
    random = np.random.default_rng(seed)
    values = numbers.value.copy()
    for attribute in np.unique(numbers.attribute):
        indices = np.flatnonzero(numbers.attribute == attribute)
        values[indices] = values[random.permutation(indices)]
    return Numbers(numbers.entity, numbers.attribute, values, numbers.split)
