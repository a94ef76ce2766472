"""Claims of a paper as expressions over our metrics: each holds, fails, or was not run.

A claim that fails is reported as failed; it is neither loosened nor left out.
"""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.evaluation.claims.formulas import NotMeasured, evaluate, parse
from repline.evaluation.claims.yaml_records import read_yaml, require_keys

PROFILES = ("tiny", "small", "real", "paper")  # by rank
SCALES = PROFILES[1:]
KEYS = ("id", "text", "scale", "measured", "expected")


def read(path: str | Path) -> list[dict[str, Any]]:
    """Read and check a `claims.yaml`; see `validate` for its form."""
    return validate(read_yaml(path), str(path))


def validate(claims: Any, at: str = "claims") -> list[dict[str, Any]]:
    """Check the form of claims and return them.

    Args:
        claims: a list of {id, text, scale, measured, expected}: `scale` is small, real or paper; `measured` an
            expression (`repline.evaluation.claims.formulas`); `expected` one of `>=`, `<=`, `>`, `<` and an expression,
            or `between LOW HIGH` with two expressions that contain no blank.
        at: the file, for messages.

    Raises:
        InputError: an unknown or missing key, a repeated id, or an expression outside the language.
    """
    if not isinstance(claims, list):
        raise InputError(f"{at}: expected a list of claims, found {type(claims).__name__}")
    seen = set()
    for number, claim in enumerate(claims, 1):
        require_keys(claim, f"{at}: claim {number}", required=KEYS)
        where = _where(claim, at)
        if claim["id"] in seen:
            raise InputError(f"{where} is there twice; an id names one claim")
        seen.add(claim["id"])
        if claim["scale"] not in SCALES:
            raise InputError(f"{where} has scale {claim['scale']!r}; a scale is one of {', '.join(SCALES)}")
        parse(claim["measured"], where)
        for bound in _expected(claim["expected"], where)[1]:
            parse(bound, where)
    return claims


def check(claims: Sequence[Mapping[str, Any]], metrics: Mapping[str, Any], profile: str) -> list[dict[str, Any]]:
    """Judge every claim by the metrics of a run.

        margin = measured - bound  (>=, >),   bound - measured  (<=, <),   min(measured - low, high - measured)

    Args:
        claims: as `validate` wants them.
        metrics: nested mappings of numbers and lists of numbers; null means not measured.
        profile: tiny, small, real or paper; a claim whose scale ranks above it gets no verdict ("not run"), only its
            measured number where there is one.

    Returns:
        One mapping per claim, in order: id, text, scale, verdict ("holds", "fails" or "not run"), measured (a number
        or None), expected (operator and number), margin (signed slack in the unit of `measured`: how far it holds
        when positive, how far it misses when negative), expressions (what was compared) and, where there is no
        margin, reason.

    Raises:
        InputError: a malformed claim or an unknown profile.
    """
    if profile not in PROFILES:
        raise InputError(f"params.yaml: profile should be one of {', '.join(PROFILES)}, found {profile!r}")
    return [_judge(claim, metrics, profile) for claim in validate(list(claims))]


def _judge(claim: Mapping[str, Any], metrics: Mapping[str, Any], profile: str) -> dict[str, Any]:
    where = _where(claim, "claims")
    relation, bounds = _expected(claim["expected"], where)
    result = {
        "id": claim["id"],
        "text": claim["text"],
        "scale": claim["scale"],
        "verdict": "not run",
        "measured": None,
        "expected": str(claim["expected"]),
        "margin": None,
        "expressions": {"measured": str(claim["measured"]), "expected": str(claim["expected"])},
    }
    too_small = PROFILES.index(profile) < PROFILES.index(claim["scale"])
    early = {"reason": f"judged at the {claim['scale']} profile; this is {profile}"} if too_small else {}
    try:
        measured = evaluate(claim["measured"], metrics, where)
        numbers = [evaluate(bound, metrics, where) for bound in bounds]
    except NotMeasured as missing:
        return result | ({"reason": str(missing)} | early)
    except ZeroDivisionError:
        return result | (early or {"verdict": "fails", "reason": "the quotient has a denominator of zero"})
    if not all(math.isfinite(number) for number in [measured, *numbers]):
        return result | (early or {"verdict": "fails", "reason": "the value is not finite"})
    shown = [_shown(bound, number) for bound, number in zip(bounds, numbers, strict=True)]
    result |= {"measured": measured, "expected": " ".join([relation, *shown])}
    if too_small:  # the number is told, the verdict is not: it would be one on the profile, not on the claim
        return result | early
    margin, holds = _compare(relation, measured, numbers)
    return result | {"verdict": "holds" if holds else "fails", "margin": margin}


def _compare(relation: str, measured: float, bounds: list[float]) -> tuple[float, bool]:
    match relation:
        case ">=" | ">":
            margin = measured - bounds[0]
        case "<=" | "<":
            margin = bounds[0] - measured
        case "between":
            margin = min(measured - bounds[0], bounds[1] - measured)
    return margin, margin > 0 if relation in (">", "<") else margin >= 0


def _expected(expected: Any, where: str) -> tuple[str, list[str]]:
    """`expected` as its relation and the one or two expressions it names."""
    match = re.fullmatch(r"\s*(?:(>=|<=|>|<)\s*(.+?)|between\s+(\S+)\s+(\S+))\s*", str(expected))
    if not match:
        raise InputError(
            f"{where} expects {expected!r}; write >=, <=, > or < and a number or an expression, or between LOW HIGH"
        )
    relation, bound, low, high = match.groups()
    return (relation, [bound]) if relation else ("between", [low, high])


def _shown(expression: str, value: float) -> str:
    """A bound as its author wrote it where it is a plain number, else its value."""
    return expression if re.fullmatch(r"-?[\d.]+", expression) else f"{value:.6g}"


def _where(claim: Mapping[str, Any], at: str) -> str:
    return f"{at}: claim {claim['id']!r}"
