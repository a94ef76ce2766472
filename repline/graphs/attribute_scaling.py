"""Numbers of entities on one scale: 0 to 1 per attribute by what training knows, and shuffled for controls."""

from collections.abc import Sequence
from decimal import Context, Decimal
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from repline.graphs.knowledge_graph import SPLITS, Numbers

DECIMAL = Context(prec=50, traps=[])  # a double holds 17 digits; NaN and infinity as NumPy gives them
TINY = 1e-20  # below it log(1 + v) is v, to the last bit
TRAIN = SPLITS.index("train")
SPREAD = 100.0  # a largest value this many times the median is skewed
CONSTANT = 1.0  # the value of an attribute that has only one, as in the authors' files


def unit_range(numbers: Numbers, logarithms: NDArray) -> NDArray[np.float64]:
    """Values [T] scaled so that those of training lie in [0, 1] by attribute; others may fall outside.

        v <- (f(v) - min f) / (max f - min f),   f(v) = log(1 + v) or v;   1 where there is one value only

    The logarithm is rounded correctly, in decimal arithmetic: that of NumPy differs in the last bit between processors.

    Args:
        logarithms: [k] bool, the attributes of which the logarithm is taken.
    """
    values = numbers.value.copy()
    chosen = logarithms[numbers.attribute]
    values[chosen] = [_log1p(value) for value in values[chosen].tolist()]
    low, high = (np.full(len(logarithms), end) for end in (np.inf, -np.inf))
    train = numbers.split == TRAIN
    np.minimum.at(low, numbers.attribute[train], values[train])
    np.maximum.at(high, numbers.attribute[train], values[train])
    low, width = low[numbers.attribute], (high - low)[numbers.attribute]
    return np.divide(values - low, width, out=np.full(len(values), CONSTANT), where=width > 0)


@cache
def _log1p(value: float) -> float:
    """log(1 + v), rounded correctly."""
    return value if abs(value) < TINY else float(DECIMAL.ln(DECIMAL.add(Decimal(1), Decimal(value))))


def logarithmic(numbers: Numbers, attributes: Sequence[str], chosen: Sequence[str] | Literal["skewed"]) -> NDArray:
    """Which attributes are scaled by their logarithm [k].

    Args:
        chosen: their names; or "skewed" for all whose training values are not negative, the largest of them more than
            `SPREAD` times the median.
    """
    if chosen != "skewed":
        return np.array([name in set(chosen) for name in attributes], dtype=bool)
    found = np.zeros(len(attributes), dtype=bool)
    train = numbers.of("train")
    for attribute in np.unique(train.attribute):
        values = train.value[train.attribute == attribute]
        found[attribute] = values.min() >= 0 and values.max() > SPREAD * np.median(values)
    return found


def shuffled(numbers: Numbers, seed: int) -> Numbers:
    """Permute the values of each attribute among its entities: the control."""
    random = np.random.default_rng(seed)
    values = numbers.value.copy()
    for attribute in np.unique(numbers.attribute):
        places = np.flatnonzero(numbers.attribute == attribute)
        values[places] = values[random.permutation(places)]
    return Numbers(numbers.entity, numbers.attribute, values, numbers.split)
