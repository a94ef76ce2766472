"""Two runs compared: which numbers are the same within their intervals, which verdicts flipped."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from repline.report.result_records import ReferenceResults, Report, SystemResults

RELATIVE = 1e-6  # two numbers without an interval are the same to this part of the larger one
ABSOLUTE = 1e-9  # what rounding leaves of a zero in double precision, with room to spare
FLIPS = {("holds", "fails"), ("fails", "holds")}
SHOWN_DIFFERENCES = 6  # differences in a summary


@dataclass(frozen=True)
class Number:
    """A number of one run: a claim's, a headline's, or that of a row of a published table."""

    name: str
    value: float | None
    interval: Sequence[float] | None = None


@dataclass
class Comparison:
    """What two runs have in common.

    Attributes:
        same: how many numbers are as in the reference.
        different: the others, each as (ours, the reference's); ours may have no value.
        flipped: claims that hold in one run and fail in the other, as (name, our verdict, the reference's).
        exact_same: how many stages with exact outputs have the same ones.
        exact_different: the addresses of the others.
        new: systems that the reference does not have.
        unrun: systems none of whose claims were measured; a clone has their metrics from git.
    """

    same: int = 0
    different: list[tuple[Number, Number]] = field(default_factory=list)
    flipped: list[tuple[str, str, str]] = field(default_factory=list)
    exact_same: int = 0
    exact_different: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    unrun: list[str] = field(default_factory=list)

    @property
    def numbers(self) -> int:
        """How many numbers were compared."""
        return self.same + len(self.different)

    def lines(self, shown: int | None = SHOWN_DIFFERENCES) -> list[str]:
        """The comparison in words, what matters most first; at most `shown` of each kind by name, or all of them."""
        flips = [f"{name} {ours} (reference: {theirs})" for name, ours, theirs in self.flipped]
        lines = [f"claims whose verdict flipped: {_some(flips, shown)}"] if flips else []
        if self.exact_different:
            lines.append(f"exact stages whose outputs differ: {_some(self.exact_different, shown)}")
        line = f"{self.same:,} of {self.numbers:,} numbers as in the reference within their intervals"
        if self.different:
            verb = "is" if len(self.different) == 1 else "are"
            texts = [_with_reference(*pair) for pair in self.different]
            line += f"; {len(self.different):,} {verb} not: {_some(texts, shown)}"
        if self.numbers:
            lines.append(line)
        if self.exact_same and not self.exact_different:
            lines.append(f"exact stages with the outputs of the reference: all {self.exact_same:,}")
        if self.new:
            lines.append(f"not in the reference yet: {', '.join(self.new)}")
        if self.unrun:
            lines.append(f"no claim was measured here: {_some(self.unrun, shown)}")
        return lines or ["no number to compare"]


def compare(results: ReferenceResults, reference: ReferenceResults) -> Comparison:
    """Compare the results of a run with reference results.

    A number is as in the reference if the interval of either contains the other's value, or if they are equal to
    `RELATIVE` or `ABSOLUTE`. Systems that only one of the two has are left out.

    Args:
        results, reference: from `repline.report.reference.collect` or `read`.
    """
    comparison = Comparison()
    for name, system in results["systems"].items():
        in_reference = reference["systems"].get(name)
        if in_reference is None:
            comparison.new.append(name)
            continue
        if _judged(in_reference) and not _judged(system):
            comparison.unrun.append(name)
            continue
        ours = dict(_numbers(name, system))
        for key, theirs in _numbers(name, in_reference):
            number = ours.get(key, Number(theirs.name, None))
            if same(number, theirs):
                comparison.same += 1
            else:
                comparison.different.append((number, theirs))
        for identifier, claim in system["claims"].items():
            before = in_reference["claims"].get(identifier)
            if before is not None and (claim["verdict"], before.get("verdict")) in FLIPS:
                comparison.flipped.append((f"{name} {identifier}", claim["verdict"], before["verdict"]))
    exact = reference.get("exact", {})
    for address, outputs in results.get("exact", {}).items():
        if address in exact and outputs == exact[address]:
            comparison.exact_same += 1
        elif address in exact:
            comparison.exact_different.append(address)
    return comparison


def same(ours: Number, theirs: Number) -> bool:
    """Whether two numbers are the same, by the rule of `compare`."""
    if ours.value is None or theirs.value is None:
        return False
    if math.isclose(ours.value, theirs.value, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
        return True
    return _inside(ours.value, theirs.interval) or _inside(theirs.value, ours.interval)


def evaluated(results: ReferenceResults, report: Report) -> ReferenceResults:
    """Results without the systems that have not been evaluated."""
    names = {system["name"] for system in report["systems"] if system["evaluated"]}
    return {**results, "systems": {name: system for name, system in results["systems"].items() if name in names}}


def _inside(value: float, interval: Sequence[float] | None) -> bool:
    return interval is not None and interval[0] <= value <= interval[1]


def _numbers(name: str, system: SystemResults) -> Iterator[tuple[tuple[str, ...], Number]]:
    """The numbers of a system that were measured, each with a key that is the same in every run."""
    headline = system["headline"]
    if headline["value"] is not None:
        yield ("headline",), Number(f"{name} headline", headline["value"], headline.get("interval"))
    for identifier, claim in system["claims"].items():
        if claim.get("measured") is not None:
            number = Number(f"{name} {identifier}", claim["measured"], claim.get("measured_interval"))
            yield ("claim", identifier), number
    for row in system["numbers"]:
        caption, *rest = row["row"]
        words = f"{name} {' / '.join([row.get('table', caption), *rest])}"
        yield ("row", *row["row"]), Number(words, row["measured"], row.get("interval"))


def _judged(system: SystemResults) -> bool:
    return any(claim.get("measured") is not None for claim in system["claims"].values())


def _with_reference(ours: Number, theirs: Number) -> str:
    between = f", {theirs.interval[0]:.4g} to {theirs.interval[1]:.4g}" if theirs.interval else ""
    measured = "not measured" if ours.value is None else f"{ours.value:.4g}"
    if measured == f"{theirs.value:.4g}":
        measured, expected = f"{ours.value:.8g}", f"{theirs.value:.8g}"
    else:
        expected = f"{theirs.value:.4g}"
    return f"{ours.name} {measured} (reference {expected}{between})"


def _some(texts: Sequence[str], shown: int | None) -> str:
    named = texts if shown is None else texts[:shown]
    rest = len(texts) - len(named)
    return ", ".join(named) + (f", and {rest:,} more" if rest else "")
