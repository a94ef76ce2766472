"""Metrics made up for a claim: numbers on the scales of their measures, by which it holds."""

import random
import re

import numpy as np

from repline.evaluation.claims import judgement
from repline.evaluation.claims.metric_names import at, is_control, named_in_order, nested

FRACTION = (0.0, 1.0)
CORRELATION = (-1.0, 1.0)
PERCENT = (0.0, 100.0)
ANYTHING = (-100_000.0, 100_000.0)
SCALES = {
    **dict.fromkeys(
        [
            "accuracy",
            "f1",
            "acc",
            "micro",
            "macro",
            "mrr",
            "p1",
            "p3",
            "p10",
            "add",
            "add_all",
            "mul_all",
            "hits",
            "hits_1",
            "hits_3",
            "hits_10",
            "map",
            "coverage",
            "majority",
            "purity",
            "purity_2",
            "purity_10",
            "purity_17",
            "precision",
            "recall",
            "across",
            "farthest",
            "related",
            "early_test_accuracy",
            "test_accuracy",
            "bleu_1",
            "bleu_4",
            "meteor",
            "at_least_2",
            "mass_of_half",
            "hit_rate_at_1",
            "whole",
            "word_spread",
            "untrained_spread",
            "accuracy_by_length",
            "accuracy_by_attractors",
            "accuracy_by_depth",
            "from_21",
            "below_6",
            "most_frequent",
        ],
        FRACTION,
    ),
    **dict.fromkeys(
        ["spearman", "rho", "cosine", "common", "svr", "ffn", "unconstrained", "spearman_of_default"], CORRELATION
    ),
    **dict.fromkeys(["f1_min", "efi", "uas", "same_length", "exact_copy", "brackets", "non_gap", "lee"], PERCENT),
}
ENDS = ("low", "high", "low and high")


def made_up(claim, starts=20):
    """The numbers that a claim names, with which it holds: nested by name; None if none were met with.

    From random starts, one number after the other is moved to where the claim's margin is largest.
    """
    lengths = {name: _length(claim, name) for name in named_in_order(claim)}
    draw = random.Random(claim.id)
    for _ in range(starts):
        values = {name: _drawn(name, length, draw) for name, length in lengths.items()}
        margin = _margin(claim, values)
        for _ in range(6):
            for name, length in lengths.items():
                if margin > 0:
                    break
                for candidate in _candidates(claim, name, length, values, draw):
                    tried = {**values, name: candidate}
                    if (moved := _margin(claim, tried)) > margin:
                        values, margin = tried, moved
        if judged(claim, nested(values)).verdict == "holds":
            return nested(values)
    return None


def with_extremes(claim, metrics, end):
    """The metrics with a control for each number, or a model for that of a control, at one end of its scale."""
    extremes = {}
    for name in named_in_order(claim):
        value = at(metrics, name)
        low, high = SCALES.get(name[-1], ANYTHING)
        first, second = {"low": (low, low), "high": (high, high), "low and high": (low, high)}[end]
        key = "trained" if any(map(is_control, name)) else "untrained"
        ends = [first if number % 2 else second for number in range(len(value))] if isinstance(value, list) else first
        extremes[(key, *name[1:])] = ends
    return {**metrics, **nested(extremes)}


def judged(claim, metrics):
    """The verdict on a claim by metrics and three replicates that are the same."""
    return judgement.check([claim], metrics, claim.up_to or claim.scale, [metrics] * 3)[0]


def _candidates(claim, name, length, values, draw):
    """Numbers on the scale of a measure that may make a claim hold: its constants, other numbers, random ones."""
    low, high = SCALES.get(name[-1], ANYTHING)
    constants = [
        sign * float(number) for number in re.findall(r"(?<![\w.\"])[\d.]+(?![\w\"])", _text(claim)) for sign in (1, -1)
    ]
    others = [other for other in values.values() if not isinstance(other, list)][:4]
    numbers = [
        *constants,
        *(other * factor + shift for other in others for factor in (0.9, 1, 1.1) for shift in (0, *constants[:4])),
        *(draw.uniform(low, high) for _ in range(3)),
        draw.uniform(0, min(high, 2)),
    ]
    for number in numbers:
        if low <= number <= high:
            if not length:
                yield number
            else:
                yield [number] * length
                yield np.linspace(low, number, length).tolist()
                yield np.linspace(number, low, length).tolist()


def _text(claim):
    return re.sub(r'\["(\w+)"\]', r".\1", f"{claim.measured} {claim.expected}")


def _length(claim, name):
    """How long the list under a name has to be; 0 for a plain number."""
    dotted = re.escape(".".join(name))
    indices = re.findall(rf"(?<![\w.]){dotted}(\[[-\d:]*\])", _text(claim))
    alone = re.search(rf"(?:max|min|mean|len)\({dotted}\)", _text(claim))
    numbers = [int(number) for index in indices for number in re.findall(r"\d+", index)]
    return max([*numbers, 3]) + 1 if indices or alone else 0


def _drawn(name, length, draw):
    low, high = SCALES.get(name[-1], ANYTHING)
    high = high if high <= 100 or draw.random() < 0.5 else 10.0
    return [draw.uniform(low, high) for _ in range(length)] if length else draw.uniform(low, high)


def _margin(claim, values):
    """The margin; lower than all where it has none."""
    verdict = judgement.check([claim], nested(values), claim.up_to or claim.scale)[0]
    return float("-inf") if verdict.margin is None else verdict.margin
