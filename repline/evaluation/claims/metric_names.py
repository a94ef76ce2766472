"""Names of metrics: the numbers that a claim names, their controls, and the same number of other models."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from repline.evaluation.claims.formulas import names
from repline.evaluation.claims.judgement import Claim
from repline.evaluation.claims.yaml_records import is_number
from repline.evaluation.nested_measures import Measures, Metric

Name = tuple[str, ...]
CONTROL_WORDS = frozenset(
    [
        "untrained",
        "shuffled",
        "permuted",
        "random",
        "majority",
        "frequent",
        "chance",
        "constant",
        "constants",
        "baseline",
        "unlabelled",
    ]
)
DIFFERENCES = frozenset(["lead", "leads", "margin", "margins", "gain", "gains"])
BESIDE_CONTROLS = frozenset(["most", "level"])  # as in most_frequent and random_level
GUESSED = frozenset(["accuracy", "acc"])  # measures that a number such as majority is of, wherever it stands


def named_in_order(claim: Claim) -> list[Name]:
    """The metrics that a claim names, each once, in the order in which it names them.

    >>> claim = Claim(id="a", text="", scale="small", measured='b.x["2"] - a.y[3]', expected="> b.c")
    >>> named_in_order(claim)
    [('b', 'x', '2'), ('a', 'y'), ('b', 'c')]
    """
    text = f"{claim.measured} {claim.expected}"
    bounds = re.sub(r"^\s*(?:[<>]=?|between)", "", str(claim.expected)).split()
    parts = [claim.measured, *(bounds if "between" in str(claim.expected) else [" ".join(bounds)])]
    dotted = re.sub(r"""\[["']([^"']*)["']\]""", r".\1", text)
    unordered = {name for part in parts for name in names(part, f"claims: claim {claim.id!r}")}
    return sorted(unordered, key=lambda name: (_position(dotted, name), name))


def _position(text: str, name: Name) -> int:
    match = re.search(rf"(?<![\w.]){re.escape('.'.join(name))}(?![\w.])", text)
    return match.start() if match else len(text)


def at(values: Measures, name: Name) -> Any:
    """The value under a name; None if there is none."""
    value: Any = values
    for key in name:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def nested(values: Mapping[Name, Any]) -> dict[str, Metric]:
    """Named values as nested mappings, those that are None left out."""
    root: dict[str, Metric] = {}
    for name, value in values.items():
        if value is None:
            continue
        inner: Any = root
        for key in name[:-1]:
            inner = inner.setdefault(key, {})
        inner[name[-1]] = value
    return root


def same_form(a: Any, b: Any) -> bool:
    """Whether both are numbers, or lists of the same length."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b)
    return is_number(a) and is_number(b)


def variants(metrics: Measures, name: Name) -> list[Name]:
    """Names of a measure of other models or data, which differ from a name in one key.

    They differ in the last key only where this names a model too, as in `moved.lstm` and `lstm.accuracy`.
    """
    value = at(metrics, name)
    others = []
    for depth in reversed(range(len(name))):
        models = at(metrics, name[: depth - 1]) if depth == len(name) - 1 and depth else None
        for key in at(metrics, name[:depth]):
            other = (*name[:depth], key, *name[depth + 1 :])
            names_a_model = depth < len(name) - 1 or (models is not None and isinstance(models.get(key), Mapping))
            if names_a_model and key != name[depth] and same_form(at(metrics, other), value):
                others.append(other)
    return others


def controls(metrics: Measures, name: Name) -> list[Name]:
    """The controls of a number, the nearest first; none of a control itself.

    A control of `runs.lstm.accuracy` is `runs.untrained.accuracy`, `runs.lstm_shuffled.accuracy`, `runs.lstm.majority`,
    `runs.documents.majority` or `chance.accuracy`: a key says that it is one, and the rest of the name is the same. A
    number of another group, such as `runs.documents.majority`, is one of an accuracy alone.
    """
    if any(is_control(key) for key in name):
        return []
    value = at(metrics, name)
    others: list[Name] = []
    for depth in reversed(range(len(name))):
        group = at(metrics, name[:depth])
        for key in group:
            for other in _in_group(group, (key,), name[depth:]):
                stands_alone = is_control(other[-1]) and depth < len(name) - 1
                if not stands_alone or _words(name[-1]) & (GUESSED | _words(other[-1])):
                    others.append((*name[:depth], *other))
    return [other for other in dict.fromkeys(others) if same_form(at(metrics, other), value)]


def is_control(key: str) -> bool:
    """Whether a key names a control, such as a shuffled or random variant."""
    return bool(_words(key) & CONTROL_WORDS)


def is_difference(name: Name) -> bool:
    """Whether a number is itself a difference between two models or parts of one, such as a lead or a margin."""
    return any(_words(key) & DIFFERENCES for key in name)


def _in_group(group: Measures, path: Name, rest: Name) -> Iterator[Name]:
    """The names that a control may have below one key of a group; `rest`: the number's name from the group on."""
    value = at(group, path)
    if is_control(path[-1]):
        if isinstance(value, Mapping):
            yield from ((*path, *rest[start:]) for start in (*range(1, len(rest)), 0))
        elif _words(path[-1]) - CONTROL_WORDS - BESIDE_CONTROLS <= _words(rest[-1]):
            yield path
    elif isinstance(value, Mapping) and len(path) == 1 and path[0] != rest[0]:
        for key in value:
            if is_control(key):
                yield from _in_group(group, (*path, key), rest)


def _words(key: str) -> set[str]:
    return set(key.split("_"))
