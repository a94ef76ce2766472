"""Claims of a paper as expressions over our metrics: each holds, fails, is undecided, or was not run.

A claim that fails is reported as failed; it is neither loosened nor left out. A claim is decided only where its
replicates agree: other seeds, other test items (`repline.evaluation.claims.replicates`).
"""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from repline.errors import InputError, shown
from repline.evaluation.claims.conjunctions import comparisons
from repline.evaluation.claims.formulas import NotMeasured, evaluate, names, parse
from repline.evaluation.claims.replicates import Replicates, related
from repline.evaluation.claims.yaml_records import LEFT_OUT, Number, Record, parse_record, read_yaml, require_keys
from repline.evaluation.nested_measures import Measures, Replicate
from repline.evaluation.replication.intervals import agree, interval
from repline.parameters import JsonObject

Scale = Literal["small", "real", "paper"]
Decision = Literal["holds", "fails", "undecided", "not run"]
SCALES: tuple[Scale, ...] = get_args(Scale)
PROFILES = ("tiny", *SCALES)  # by rank
VERDICTS: tuple[Decision, ...] = get_args(Decision)


class Claim(Record):
    """A statement of a paper as a comparison of measured numbers.

    Attributes:
        scale: the smallest profile at which it is judged.
        measured: an expression over the metrics (`repline.evaluation.claims.formulas`).
        expected: one of `>=`, `<=`, `>`, `<` and an expression, or `between LOW HIGH` with two expressions that contain
            no blank.
        exact: chance has no part in it, and its margin alone decides.
        up_to: the largest profile that it speaks of.
        needs: in words, the data that small, real and paper lack.
    """

    id: str
    text: str
    scale: Scale
    measured: str | Number
    expected: str | Number
    exact: bool = False
    up_to: Annotated[Scale | None, LEFT_OUT] = None
    needs: Annotated[str | None, LEFT_OUT] = None


class Expressions(Record):
    """What a verdict compared, as claims.yaml writes it."""

    measured: str
    expected: str


class Verdict(Record):
    """A claim as judged by one run.

    Attributes:
        measured: the number, or None where it could not be measured.
        expected: relation and numbers.
        margin: signed slack in the unit of `measured`: how far the claim holds when positive, how far it misses when
            negative; None without a verdict.
        interval, measured_interval: [low, high] of margin and number over the replicates.
        replicates: how many there are.
        needs: as of the claim.
        reason: why there is no verdict, or a surprising one.
    """

    id: str
    text: str
    scale: Scale
    verdict: Decision
    measured: Number | None = None
    expected: str
    margin: Number | None = None
    interval: list[float] | None = None
    measured_interval: list[float] | None = None
    replicates: int = 0
    exact: bool = False
    expressions: Expressions | None = None
    needs: Annotated[str | None, LEFT_OUT] = None
    reason: Annotated[str | None, LEFT_OUT] = None


def read(path: str | Path) -> list[Claim]:
    """Read and check a `claims.yaml`; see `validate` for its form."""
    return validate(read_yaml(path), str(path))


def validate(claims: Any, where: str = "claims") -> list[Claim]:
    """Check the form of claims and return them.

    Args:
        claims: a list of mappings with the attributes of `Claim`.
        where: the file, for messages.

    Raises:
        InputError: an unknown or missing key, a repeated id, or an expression outside the language.
    """
    if not isinstance(claims, list):
        raise InputError(f"{where}: expected a list of claims, found {type(claims).__name__}")
    checked: list[Claim] = []
    for number, values in enumerate(claims, 1):
        if isinstance(values, Mapping):
            _check_scales(values, f"{where}: claim {values.get('id', number)!r}")
        claim = parse_record(Claim, values, f"{where}: claim {number}")
        where_claim = _where(claim, where)
        if claim.id in {earlier.id for earlier in checked}:
            raise InputError(f"{where_claim} is there twice; an id names one claim")
        parse(claim.measured, where_claim)
        for bound in _expected(claim.expected, where_claim)[1]:
            parse(bound, where_claim)
        checked.append(claim)
    return checked


def parse_verdicts(verdicts: Any, where: str) -> list[Verdict]:
    """The verdicts of a `claims.json`; InputError for one that is malformed."""
    if not isinstance(verdicts, list):
        raise InputError(f"{where}: expected a list of claims, found {type(verdicts).__name__}")
    parsed = []
    for number, values in enumerate(verdicts, 1):
        where_verdict = f"{where}: claim {number}"
        require_keys(values, where_verdict, ("id", "text", "scale", "verdict", "expected"), tuple(Verdict.model_fields))
        if values["verdict"] not in VERDICTS:
            raise InputError(
                f"{where_verdict}: {shown(values['id'])} has verdict {shown(values['verdict'])}, not one of {VERDICTS}"
            )
        parsed.append(parse_record(Verdict, values, where_verdict))
    return parsed


def check(
    claims: Sequence[Claim],
    metrics: Measures,
    profile: str,
    replicates: Sequence[Replicate] = (),
    not_converged: Sequence[str] = (),
) -> list[Verdict]:
    """Judge every claim by the metrics of a run and by its replicates.

        margin = measured - bound  (>=, >),   bound - measured  (<=, <),   min(measured - low, high - measured)

    A claim holds if its margin is positive (or zero, where the relation has an equals sign) and at least 95 % of the
    replicates agree (all of them, if there are fewer than 20); it fails if it is not and as many agree; else it is
    undecided, also where there are no replicates. One that makes several comparisons at once fails only where one of
    them does (`repline.evaluation.claims.conjunctions`). A claim that says `exact: true` is judged by its margin alone.
    One that names a number of a training which had not converged is undecided.

    Args:
        claims: of `validate` or `read`.
        metrics: nested mappings of numbers and lists of numbers; null means not measured.
        profile: tiny, small, real or paper; a claim whose scale ranks above it, or whose `up_to` ranks below it, gets
            no verdict ("not run"), only its measured number where there is one.
        replicates: parts of the metrics, measured again (see `repline.evaluation.claims.replicates`).
        not_converged: groups of metrics of trainings that ended while they still improved on development data.

    Returns:
        One verdict per claim, in order.

    Raises:
        InputError: an unknown profile.
    """
    if profile not in PROFILES:
        raise InputError(f"params.yaml: profile should be one of {', '.join(PROFILES)}, found {shown(profile)}")
    repeated = Replicates(metrics, replicates)
    groups = [(group, tuple(group.split("."))) for group in not_converged]
    return [_withheld(_judge(claim, metrics, profile, repeated), claim, groups) for claim in claims]


def _withheld(verdict: Verdict, claim: Claim, groups: Sequence[tuple[str, tuple[str, ...]]]) -> Verdict:
    """The verdict, or undecided where the claim names a number of a group whose training had not converged.

    An undecided verdict gets the reason too: more items and seeds would not decide it.
    """
    if verdict.verdict == "not run" or (verdict.verdict == "undecided" and verdict.reason):
        return verdict
    where = _where(claim, "claims")
    expressions = [claim.measured, *_expected(claim.expected, where)[1]]
    named = {name for expression in expressions for name in names(expression, where)}
    concerned = [group for group, keys in groups if any(related(keys, name) for name in named)]
    if not concerned:
        return verdict
    reason = f"not converged: {', '.join(concerned)} still improved on development data when training ended"
    return _updated(verdict, verdict="undecided", reason=reason)


def _judge(claim: Claim, metrics: Measures, profile: str, replicates: Replicates) -> Verdict:
    where = _where(claim, "claims")
    relation, bounds = _expected(claim.expected, where)
    result = Verdict(
        id=claim.id,
        text=claim.text,
        scale=claim.scale,
        verdict="not run",
        expected=str(claim.expected),
        exact=claim.exact,
        expressions=Expressions(measured=str(claim.measured), expected=str(claim.expected)),
        needs=claim.needs,
    )
    out_of_scale = _out_of_scale(claim, profile)
    try:
        measured = evaluate(claim.measured, metrics, where)
        numbers = [evaluate(bound, metrics, where) for bound in bounds]
    except NotMeasured as missing:
        why = f"{missing}: needs {claim.needs}" if claim.needs is not None else str(missing)
        return _updated(result, reason=out_of_scale or why)
    except ZeroDivisionError:
        return _without_value(result, out_of_scale, "the quotient has a denominator of zero")
    if not all(math.isfinite(number) for number in [measured, *numbers]):
        return _without_value(result, out_of_scale, "the value is not finite")
    shown = [_shown(bound, number) for bound, number in zip(bounds, numbers, strict=True)]
    repeated = [] if claim.exact else replicates.values([claim.measured, *bounds], where)
    result = _updated(
        result,
        measured=measured,
        expected=" ".join([relation, *shown]),
        measured_interval=interval([values[0] for values in repeated]),
        replicates=len(repeated),
    )
    if out_of_scale:  # report the value, withhold the verdict: it would be one on the profile, not on the claim
        return _updated(result, reason=out_of_scale)
    margin, holds = _compare(relation, measured, numbers)
    result = _updated(result, margin=margin)
    if claim.exact:
        return _updated(result, verdict="holds" if holds else "fails")
    if len(repeated) < 2:
        few = "one replicate" if repeated else "no replicates"
        return _updated(result, verdict="undecided", reason=f"{few}: how far chance moves this number is not known")
    compared = _replicated(relation, repeated)
    agreed = agree([pair is not None and pair[1] == holds for pair in compared])
    if agreed and not holds:
        parts = comparisons(relation, claim.measured, bounds, metrics, where)
        agreed = len(parts) < 2 or any(
            agree([pair is not None and not pair[1] for pair in _replicated(relation, values)], len(parts))
            for values in (replicates.values(part, where) for part in parts)
        )
    margins = [None if pair is None else pair[0] for pair in compared]
    verdict = ("holds" if holds else "fails") if agreed else "undecided"
    return _updated(result, verdict=verdict, interval=interval(margins))


def _replicated(relation: str, repeated: Sequence[Sequence[float | None]]) -> list[tuple[float, bool] | None]:
    """The margin of each replicate and whether the relation holds there; None where a number is not measured."""
    finite = [[value for value in values if value is not None] for values in repeated]
    return [
        _compare(relation, numbers[0], numbers[1:]) if len(numbers) == len(values) else None
        for numbers, values in zip(finite, repeated, strict=True)
    ]


def _updated(result: Verdict, **values: Any) -> Verdict:
    return result.model_copy(update=values)


def _without_value(verdict: Verdict, out_of_scale: str | None, reason: str) -> Verdict:
    """The verdict on a number that is NaN: it fails, unless the claim is not judged at this profile."""
    return _updated(verdict, reason=out_of_scale) if out_of_scale else _updated(verdict, verdict="fails", reason=reason)


def _out_of_scale(claim: Claim, profile: str) -> str | None:
    """Why the claim is not judged at this profile; None if it is."""
    rank = PROFILES.index(profile)
    if rank < PROFILES.index(claim.scale):
        return f"judged at the {claim.scale} profile; this is {profile}"
    if claim.up_to is not None and rank > PROFILES.index(claim.up_to):
        return f"speaks of the {claim.up_to} profile alone; this is {profile}"
    return None


def _check_scales(values: JsonObject, where: str) -> None:
    """InputError for an unknown scale, and for an `up_to` below the scale."""
    scale, up_to = values.get("scale"), values.get("up_to")
    if scale is not None and scale not in SCALES:
        raise InputError(f"{where} has scale {shown(scale)}; a scale is one of {', '.join(SCALES)}")
    if scale is not None and up_to is not None and up_to not in SCALES[SCALES.index(scale) :]:
        raise InputError(f"{where}: up_to is a scale from {scale} on, found {shown(up_to)}")


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
            f"{where} expects {shown(expected)}; write >=, <=, > or < and a number or an expression, or between LOW "
            "HIGH"
        )
    relation, bound, low, high = match.groups()
    return (relation, [bound]) if relation else ("between", [low, high])


def _shown(expression: str, value: float) -> str:
    """A bound as its author wrote it where it is a plain number, else its value."""
    return expression if re.fullmatch(r"-?[\d.]+", expression) else f"{value:.6g}"


def _where(claim: Claim, file: str) -> str:
    return f"{file}: claim {claim.id!r}"
