"""Claims of a paper as expressions over our metrics: each holds, fails, is undecided, or was not run.

A claim that fails is reported as failed; it is neither loosened nor left out. A claim is decided only where its
replicates agree: other seeds, other test items (`repline.evaluation.claims.replicates`).
"""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.evaluation.claims.formulas import NotMeasured, evaluate, parse
from repline.evaluation.claims.replicates import Replicates
from repline.evaluation.claims.yaml_records import read_yaml, require_keys
from repline.evaluation.replication.intervals import agree, interval

PROFILES = ("tiny", "small", "real", "paper")  # by rank
SCALES = PROFILES[1:]
VERDICTS = ("holds", "fails", "undecided", "not run")
KEYS = ("id", "text", "scale", "measured", "expected")
OPTIONAL = ("exact", "up_to", "needs")


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
        require_keys(claim, f"{at}: claim {number}", required=KEYS, optional=OPTIONAL)
        where = _where(claim, at)
        if claim["id"] in seen:
            raise InputError(f"{where} is there twice; an id names one claim")
        seen.add(claim["id"])
        if claim["scale"] not in SCALES:
            raise InputError(f"{where} has scale {claim['scale']!r}; a scale is one of {', '.join(SCALES)}")
        _check_optional(claim, where)
        parse(claim["measured"], where)
        for bound in _expected(claim["expected"], where)[1]:
            parse(bound, where)
    return claims


def check(
    claims: Sequence[Mapping[str, Any]],
    metrics: Mapping[str, Any],
    profile: str,
    replicates: Sequence[Mapping[str, Any]] = (),
) -> list[dict[str, Any]]:
    """Judge every claim by the metrics of a run and by its replicates.

        margin = measured - bound  (>=, >),   bound - measured  (<=, <),   min(measured - low, high - measured)

    A claim holds if its margin is positive (or zero, where the relation has an equals sign) and at least 95 % of the
    replicates agree (all of them, if there are fewer than 20); it fails if it is not and as many agree; else it is
    undecided, also where there are no replicates. A claim that says `exact: true` is judged by its margin alone.

    Args:
        claims: as `validate` wants them.
        metrics: nested mappings of numbers and lists of numbers; null means not measured.
        profile: tiny, small, real or paper; a claim whose scale ranks above it, or whose `up_to` ranks below it, gets
            no verdict ("not run"), only its measured number where there is one.
        replicates: parts of the metrics, measured again (see `repline.evaluation.claims.replicates`).

    Returns:
        One mapping per claim, in order: id, text, scale, verdict (one of `VERDICTS`), measured (a number or None),
        expected (operator and number), margin (signed slack in the unit of `measured`: how far it holds when
        positive, how far it misses when negative), interval ([low, high] of the margin over the replicates, or None),
        measured_interval (the same of `measured`), replicates (how many), exact, expressions (what was compared),
        `needs` where the claim has it and, where there is no verdict or a surprising one, reason.

    Raises:
        InputError: a malformed claim or an unknown profile.
    """
    if profile not in PROFILES:
        raise InputError(f"params.yaml: profile should be one of {', '.join(PROFILES)}, found {profile!r}")
    repeated = Replicates(metrics, replicates)
    return [_judge(claim, metrics, profile, repeated) for claim in validate(list(claims))]


def _judge(
    claim: Mapping[str, Any], metrics: Mapping[str, Any], profile: str, replicates: Replicates
) -> dict[str, Any]:
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
        "interval": None,
        "measured_interval": None,
        "replicates": 0,
        "exact": bool(claim.get("exact", False)),
        "expressions": {"measured": str(claim["measured"]), "expected": str(claim["expected"])},
    } | {key: claim[key] for key in ("needs",) if key in claim}
    early = _out_of_scale(claim, profile)
    try:
        measured = evaluate(claim["measured"], metrics, where)
        numbers = [evaluate(bound, metrics, where) for bound in bounds]
    except NotMeasured as missing:
        why = f"{missing}: needs {claim['needs']}" if "needs" in claim else str(missing)
        return result | ({"reason": why} | early)
    except ZeroDivisionError:
        return result | (early or {"verdict": "fails", "reason": "the quotient has a denominator of zero"})
    if not all(math.isfinite(number) for number in [measured, *numbers]):
        return result | (early or {"verdict": "fails", "reason": "the value is not finite"})
    shown = [_shown(bound, number) for bound, number in zip(bounds, numbers, strict=True)]
    result |= {"measured": measured, "expected": " ".join([relation, *shown])}
    repeated = [] if result["exact"] else replicates.values([claim["measured"], *bounds], where)
    result |= {"measured_interval": interval([values[0] for values in repeated]), "replicates": len(repeated)}
    if early:  # the number is told, the verdict is not: it would be one on the profile, not on the claim
        return result | early
    margin, holds = _compare(relation, measured, numbers)
    result |= {"margin": margin}
    if result["exact"]:
        return result | {"verdict": "holds" if holds else "fails"}
    if len(repeated) < 2:
        few = "one replicate" if repeated else "no replicates"
        return result | {"verdict": "undecided", "reason": f"{few}: how far chance moves this number is not known"}
    compared = [None if None in values else _compare(relation, values[0], values[1:]) for values in repeated]
    agreed = agree([one is not None and one[1] == holds for one in compared])
    margins = [None if one is None else one[0] for one in compared]
    verdict = ("holds" if holds else "fails") if agreed else "undecided"
    return result | {"verdict": verdict, "interval": interval(margins)}


def _out_of_scale(claim: Mapping[str, Any], profile: str) -> dict[str, str]:
    """Why the claim is not judged at this profile; empty if it is."""
    rank = PROFILES.index(profile)
    if rank < PROFILES.index(claim["scale"]):
        return {"reason": f"judged at the {claim['scale']} profile; this is {profile}"}
    if "up_to" in claim and rank > PROFILES.index(claim["up_to"]):
        return {"reason": f"speaks of the {claim['up_to']} profile alone; this is {profile}"}
    return {}


def _check_optional(claim: Mapping[str, Any], where: str) -> None:
    if not isinstance(claim.get("exact", False), bool):
        raise InputError(f"{where}: exact should be true or false, found {claim['exact']!r}")
    if "needs" in claim and not isinstance(claim["needs"], str):
        raise InputError(f"{where}: needs should say in words which data, found {claim['needs']!r}")
    if "up_to" in claim and claim["up_to"] not in SCALES[SCALES.index(claim["scale"]) :]:
        raise InputError(f"{where}: up_to is a scale from {claim['scale']} on, found {claim['up_to']!r}")


def _compare(relation: str, measured: float, bounds: Sequence[float]) -> tuple[float, bool]:
    """The margin and whether the relation holds."""
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
