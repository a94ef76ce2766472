"""Replicates of an experiment: its metrics once more for other seeds or other test items, and what they agree on.

A replicate is a part of the metrics, in the same nested form; what it does not hold is as in the metrics. Row for row
the numbers of one replicate belong together: the same seed, or the same resample of the test items.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeGuard

from repline.evaluation.claims.formulas import NotMeasured, evaluate, names
from repline.evaluation.nested_measures import Measures, Metric, Replicate

Name = tuple[str, ...]


class Replicates:
    """The replicates of one set of metrics.

    Args:
        metrics: the point values.
        parts: one nested mapping a replicate; None in it means that it holds no such number.
    """

    def __init__(self, metrics: Measures, parts: Sequence[Replicate] = ()):
        self._metrics, self._parts = metrics, list(parts)
        self._names = [_leaves(part) for part in self._parts]
        self._all = set().union(*self._names)

    def values(self, expressions: Sequence[str | float], where: str) -> list[list[float | None]]:
        """The values of the expressions in every replicate that has all their replicated numbers.

        An empty list: no replicate says anything about them. None stands for a value that is not finite or that a
        replicate could not measure, as where no test item of a group was drawn.
        """
        metric_names = {name for expression in expressions for name in names(expression, where)}
        needed = {leaf for leaf in self._all if any(related(leaf, name) for name in metric_names)}
        if not needed:
            return []
        parts = [part for part, leaves in zip(self._parts, self._names, strict=True) if needed <= leaves]
        views = (_view(self._metrics, part, metric_names) for part in parts)
        return [[_value(expression, view, where) for expression in expressions] for view in views]


def related(leaf: Name, name: Name) -> bool:
    """Whether one of two addresses of metrics begins with the other."""
    shared = min(len(leaf), len(name))
    return leaf[:shared] == name[:shared]


def _overlaid(value: Any, by: Any) -> Any:
    """`value` with the numbers of `by`, in place of its own, except where they are None."""
    if not _is_mapping(by):
        return value if by is None else by
    merged = dict(value) if _is_mapping(value) else {}
    for key, inner in by.items():
        if inner is not None:
            merged[key] = _overlaid(merged.get(key), inner)
    return merged if merged or value is None else value


def _view(metrics: Measures, part: Replicate, metric_names: Collection[Name]) -> dict[str, Metric]:
    """What a replicate has under some names: its own numbers, and those of the metrics where it holds none."""
    view: dict[str, Any] = {}
    for name in metric_names:
        if any(name[:length] in metric_names for length in range(1, len(name))):
            continue  # a shorter one has it
        value: Any = metrics
        by: Any = part
        inner = view
        for depth, key in enumerate(name, 1):
            value = value.get(key) if _is_mapping(value) else None
            by = by.get(key) if _is_mapping(by) else None
            is_inner = _is_mapping(by) or (by is None and _is_mapping(value))
            if depth == len(name) or not is_inner:
                inner[key] = _overlaid(value, by)
                break
            inner = inner.setdefault(key, {})
    return view


def _leaves(part: Replicate) -> set[Name]:
    """The names of the numbers that a replicate holds."""
    leaves: set[Name] = set()
    waiting: list[tuple[Name, Replicate]] = [((), part)]
    while waiting:
        above, mapping = waiting.pop()
        for key, value in mapping.items():
            if value is None:
                continue
            if _is_mapping(value):
                waiting.append(((*above, key), value))
            else:
                leaves.add((*above, key))
    return leaves


def _is_mapping(value: Any) -> TypeGuard[Measures]:
    """Whether it is a group of numbers; quick for what replicates are full of."""
    kind = type(value)
    return kind is dict or (kind is not float and kind is not int and isinstance(value, Mapping))


def _value(expression: str | float, metrics: Measures, where: str) -> float | None:
    try:
        value = evaluate(expression, metrics, where)
    except (NotMeasured, ZeroDivisionError):
        return None
    return value if math.isfinite(value) else None
