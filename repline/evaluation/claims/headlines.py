"""The headline of a system: its paper's central effect, its comparator, and the verdict of the claim that states it."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from repline.errors import InputError, shown
from repline.evaluation.claims.formulas import NotMeasured, evaluate, parse
from repline.evaluation.claims.judgement import PROFILES, SCALES, Decision, Verdict
from repline.evaluation.claims.yaml_records import LEFT_OUT, Number, Record, parse_record
from repline.evaluation.nested_measures import Measures

Expression = str | Number
ByProfile = Expression | dict[str, Expression]  # one for all profiles, or one from a profile on
Value = TypeVar("Value")


class WantedHeadline(Record):
    """What `published.yaml` says of a headline.

    Attributes:
        label: the effect in words, with the data that it is measured on.
        comparator: in words, what the effect is a difference or a ratio to.
        claim: the id of the claim that asks for the effect; its `measured` is the headline's value.
        format: how the value is written, such as ".1%".
        model, peer: the two numbers that the effect compares, expressions over the metrics.
        chance: what guessing gives, in the unit of the two numbers.
        sides_format: how these three are written; as the value where it is left out.
    """

    label: str
    comparator: str
    claim: str | dict[str, str]
    format: str
    model: ByProfile | None = None
    peer: ByProfile | None = None
    chance: ByProfile | None = None
    sides_format: str | None = None


class Headline(Record):
    """The headline of a system as measured.

    Attributes:
        value: the measured effect; None where it was not measured.
        shown: the value as it is written, or "not run".
        interval: the 95 % interval of the value over the replicates, `shown_interval` as it is written.
        claim, verdict, reason: the claim that asks for the effect, its verdict, and why there is none.
        shown_sides: the two numbers that are compared, and chance, as one line.
    """

    label: str
    value: Number | None
    shown: str
    interval: list[float] | None
    replicates: int
    comparator: str
    claim: str
    verdict: Decision
    shown_interval: Annotated[list[str] | None, LEFT_OUT] = None
    shown_sides: Annotated[str | None, LEFT_OUT] = None
    reason: Annotated[str | None, LEFT_OUT] = None


def validate(headline: Any, where: str) -> WantedHeadline:
    """Check the form of a headline and return it.

    Raises:
        InputError: an unknown or missing key, an unknown profile, an unsound expression or format, one number of
            the two that are compared without the other.
    """
    checked = parse_record(WantedHeadline, headline, where)
    for name in ("claim", "model", "peer", "chance"):
        value = getattr(checked, name)
        expressions = value if isinstance(value, Mapping) else {SCALES[0]: value}
        if unknown := [profile for profile in expressions if profile not in SCALES]:
            raise InputError(f"{where}.{name}: a profile is one of {', '.join(SCALES)}, found {shown(unknown[0])}")
        if not expressions:
            raise InputError(
                f"{where}.{name}: expected an expression for one of the profiles {', '.join(SCALES)}, found none"
            )
        if name != "claim":
            for expression in expressions.values():
                if expression is not None:
                    parse(expression, f"{where}.{name}")
    if (checked.model is None) != (checked.peer is None):
        raise InputError(f"{where}: model and peer are the two numbers that the effect compares; give both or neither")
    for name, text in (("format", checked.format), ("sides_format", checked.sides_format)):
        try:
            format(0.5, text or "")
        except ValueError:
            raise InputError(f"{where}.{name} should be like .3f or .1%, found {shown(text)}") from None
    return checked


def claim_ids(headline: WantedHeadline) -> dict[str, str]:
    """The ids of a headline's claims, by the profile from which on each is asked."""
    return dict(headline.claim) if isinstance(headline.claim, Mapping) else {SCALES[0]: headline.claim}


def measure(
    headline: WantedHeadline,
    verdicts: Sequence[Verdict],
    metrics: Measures,
    profile: str,
    where: str,
) -> Headline:
    """The headline of a system as measured in one run.

    Args:
        headline: of `published.yaml`.
        verdicts: of all claims of the system.
        metrics: nested mappings of numbers and lists of numbers; null means not measured.
        profile: tiny, small, real or paper.
        where: the file, for messages.

    Raises:
        InputError: a claim that is not among the verdicts, or an unsound expression.
    """
    identifier = _of_profile(headline.claim, profile)
    verdict = {verdict.id: verdict for verdict in verdicts}.get(identifier)
    if verdict is None:
        raise InputError(f"{where}: the headline names claim {shown(identifier)}, which is not there")
    value, interval = verdict.measured, verdict.measured_interval
    return Headline(
        label=headline.label,
        value=value,
        shown="not run" if value is None else format(value, headline.format),
        interval=interval,
        replicates=verdict.replicates,
        comparator=headline.comparator,
        claim=identifier,
        verdict=verdict.verdict,
        shown_interval=None if interval is None else [format(bound, headline.format) for bound in interval],
        shown_sides=None if verdict.measured is None else _sides(headline, metrics, profile, where),
        reason=verdict.reason,
    )


def _of_profile(by_profile: Value | Mapping[str, Value], profile: str) -> Value:
    """The value of the largest profile that is not above `profile`, or else of the smallest."""
    if not isinstance(by_profile, Mapping):
        return by_profile
    ranked = sorted(by_profile, key=PROFILES.index)
    below = [name for name in ranked if PROFILES.index(name) <= PROFILES.index(profile)]
    return by_profile[below[-1] if below else ranked[0]]


def _sides(headline: WantedHeadline, metrics: Measures, profile: str, where: str) -> str | None:
    """The two numbers that are compared, and chance: "78.2% against 75.5%, chance 16.7%"."""
    shown = {}
    for name in ("model", "peer", "chance"):
        by_profile = getattr(headline, name)
        expression = None if by_profile is None else _of_profile(by_profile, profile)
        if expression is None:
            continue
        try:
            number = evaluate(expression, metrics, f"{where}: system.headline.{name}")
        except (NotMeasured, ZeroDivisionError):
            continue
        shown[name] = format(number, headline.sides_format or headline.format.lstrip("+"))
    if "model" not in shown or "peer" not in shown:
        return None
    chance = f", chance {shown['chance']}" if "chance" in shown else ""
    return f"{shown['model']} against {shown['peer']}{chance}"
