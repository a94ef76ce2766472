"""Mutants of measured numbers: whether a claim would be judged otherwise if nothing were behind it.

A mutant exchanges numbers of the metrics and of every replicate in the same way, and the claim is judged again by
`repline.evaluation.claims.judgement`. A claim whose verdict no mutant moves cannot fail: it is no claim.

    swapped     two numbers that the claim names change places
    levelled    a number becomes that of its control (untrained, shuffled, random, majority) or chance; a difference
                between models, such as a lead, becomes 0, as of two models that are alike
    dealt       the models of a claim are swapped at random in each replicate; or another model takes the place of one
    reversed    the numbers of a trend come in reverse order
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args

from repline.evaluation.claims import judgement
from repline.evaluation.claims.judgement import Claim, Decision, Verdict
from repline.evaluation.claims.metric_names import (
    Name,
    at,
    controls,
    is_difference,
    named_in_order,
    nested,
    same_form,
    variants,
)
from repline.evaluation.nested_measures import Measures, Metric, Replicate

Kind = Literal["swapped", "levelled", "dealt", "reversed"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_VARIANTS = 8  # other models that are put in for one


@dataclass(frozen=True)
class Mutant:
    """One way to exchange the numbers that a claim is judged by.

    Attributes:
        text: the exchange in words.
        rounds: the number that each name takes: that of another name, or a plain one. The metrics take the first
            round, replicate r round r modulo their number.
        backwards: lists are read from their end.
    """

    kind: Kind
    text: str
    rounds: Sequence[Mapping[Name, Name | float]]
    backwards: bool = False

    def of_metrics(self, metrics: Measures) -> dict[str, Metric]:
        """The metrics that the mutant exchanges, in their nested form, exchanged."""
        return nested({name: self._value(metrics, metrics, name, self.rounds[0]) for name in self._all_names()})

    def of_replicates(self, replicates: Sequence[Replicate], metrics: Measures) -> list[dict[str, Metric]]:
        """The replicates of these numbers, exchanged.

        Where a replicate holds one of two numbers alone, the other is as in the metrics, so that a mutant has as many
        replicates as the claim.
        """
        return [
            nested(
                {
                    name: self._value(part, metrics, name, self.rounds[row % len(self.rounds)])
                    for name in self._all_names()
                }
            )
            for row, part in enumerate(replicates)
        ]

    def _all_names(self) -> list[Name]:
        return list(self.rounds[0])

    def _value(
        self,
        part: Measures,
        metrics: Measures,
        name: Name,
        sources: Mapping[Name, Name | float],
    ) -> Any:
        source = sources[name]
        present = at(part, name)
        if isinstance(source, tuple):
            value = at(part, source)
            if value is None and present is not None:
                value = at(metrics, source)
        elif present is None:
            value = None
        else:
            value = [source] * len(present) if isinstance(present, list) else source
        return value[::-1] if self.backwards and isinstance(value, list) else value


@dataclass(frozen=True)
class MutantVerdict:
    """A mutant and how the claim is judged by it."""

    mutant: Mutant
    verdict: Decision


@dataclass(frozen=True)
class Examination:
    """A claim, its verdict, and those of its mutants.

    Attributes:
        reason: why no mutant moves the verdict; None if one does, or if the claim was not judged.
    """

    claim: Claim
    verdict: Verdict
    mutants: Sequence[MutantVerdict]
    reason: str | None = None

    def moved(self, kind: Kind | None = None) -> list[MutantVerdict]:
        """The mutants that are judged otherwise than the claim; of one kind, or all."""
        return [
            mutant
            for mutant in self.mutants
            if mutant.verdict != self.verdict.verdict and kind in (None, mutant.mutant.kind)
        ]


def examine(
    claim: Claim,
    metrics: Measures,
    profile: str,
    replicates: Sequence[Replicate] = (),
    chance: float | None = None,
) -> Examination:
    """Judge a claim, and judge it again by every mutant of its numbers.

    Args:
        metrics, profile, replicates: as of `judgement.check`.
        chance: what guessing gives, in the unit of the claim's numbers.
    """
    names = named_in_order(claim)
    exchanged = mutants(claim, metrics, chance)
    verdict = _judged(claim, _part(metrics, names), profile, [_part(part, names) for part in replicates])
    if verdict.verdict == "not run":
        return Examination(claim, verdict, [])
    verdicts = []
    for mutant in exchanged:
        unchanged = [name for name in names if name not in mutant.rounds[0]]
        parts = [
            _merged(_part(part, unchanged), moved)
            for part, moved in zip(replicates, mutant.of_replicates(replicates, metrics), strict=True)
        ]
        judged = _judged(claim, _merged(_part(metrics, unchanged), mutant.of_metrics(metrics)), profile, parts)
        verdicts.append(MutantVerdict(mutant, judged.verdict))
    examination = Examination(claim, verdict, verdicts)
    return examination if examination.moved() else Examination(claim, verdict, verdicts, _reason(verdict, verdicts))


def mutants(claim: Claim, metrics: Measures, chance: float | None = None) -> list[Mutant]:
    """All mutants of the numbers that a claim names, those of names without a number left out."""
    names = [name for name in named_in_order(claim) if at(metrics, name) is not None]
    pairs = [pair for pair in combinations(names, 2) if same_form(at(metrics, pair[0]), at(metrics, pair[1]))]
    return [
        *(Mutant("swapped", f"{shown(a)} <-> {shown(b)}", [{a: b, b: a}]) for a, b in pairs),
        *_levelled(names, metrics, chance),
        *_dealt(names, metrics),
        *_reversed(names, metrics),
    ]


def shown(source: Name | float) -> str:
    """A name as claims write it, or a number."""
    return ".".join(source) if isinstance(source, tuple) else f"{source:.6g}"


def _levelled(names: Sequence[Name], metrics: Measures, chance: float | None) -> Iterator[Mutant]:
    levels: dict[Name, list[Name | float]] = {name: [*controls(metrics, name)] for name in names}
    for name, level in levels.items():
        if is_difference(name):
            level.append(0.0)
        if chance is not None:
            level.append(chance)
    for name, sources in levels.items():
        for source in sources:
            yield Mutant("levelled", f"{shown(name)} := {shown(source)}", [{name: source}])
    firsts = {name: sources[0] for name, sources in levels.items() if sources}
    if len(firsts) > 1:
        yield Mutant("levelled", "every model := its control", [firsts])


def _dealt(names: Sequence[Name], metrics: Measures) -> Iterator[Mutant]:
    alike = [name for name in names if same_form(at(metrics, name), at(metrics, names[0]))]
    if len(alike) > 1:
        rounds = [dict(zip(alike, [*alike[turn:], *alike[:turn]], strict=True)) for turn in range(len(alike))]
        yield Mutant("dealt", "models swapped at random in each replicate", rounds)
    for name in names:
        for other in [name for name in variants(metrics, name) if name not in names][:MAX_VARIANTS]:
            yield Mutant("dealt", f"{shown(name)} := {shown(other)}", [{name: other}])


def _reversed(names: Sequence[Name], metrics: Measures) -> Iterator[Mutant]:
    lists = [name for name in names if isinstance(at(metrics, name), list)]
    if lists:
        yield Mutant("reversed", "lists in reverse order", [{name: name for name in lists}], backwards=True)
    numbers = [name for name in names if not isinstance(at(metrics, name), list)]
    if len(numbers) > 2:
        yield Mutant("reversed", "numbers in reverse order", [dict(zip(numbers, numbers[::-1], strict=True))])


def _judged(claim: Claim, metrics: Measures, profile: str, replicates: Sequence[Replicate]) -> Verdict:
    return judgement.check([claim], metrics, profile, replicates)[0]


def _part(values: Measures, names: Sequence[Name]) -> dict[str, Metric]:
    """The metrics that a claim is judged by, cut down to the numbers of some names."""
    return nested({name: at(values, name) for name in names})


def _merged(values: dict[str, Metric], by: Measures) -> dict[str, Metric]:
    """Two nested mappings of different names as one."""
    for key, inner in by.items():
        before = values.get(key, {})
        values[key] = _merged(before, inner) if isinstance(before, dict) and isinstance(inner, Mapping) else inner
    return values


def _reason(verdict: Verdict, verdicts: Sequence[MutantVerdict]) -> str:
    if verdict.reason is not None:
        return verdict.reason
    if not verdicts:
        return "the metrics have no second number to exchange with"
    return f"{verdict.verdict} by each of its {len(verdicts)} mutants"
