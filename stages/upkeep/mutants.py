"""Say which claims cannot fail: `python -m stages.upkeep.mutants [SYSTEM ...] [--each]`. It reads data/evaluation.

Each claim of a system is judged again by mutants of what was measured (`repline.evaluation.claims.mutants`). A line for
each claim says how many mutants of a kind are judged otherwise, and names the first. It ends with exit status 1 if a
claim that holds or is undecided keeps its verdict under all of them. A claim that fails has shown that it can.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from repline import parameters
from repline.errors import InputError
from repline.evaluation.claims import headlines, judgement, published
from repline.evaluation.claims.formulas import NotMeasured, evaluate
from repline.evaluation.claims.headlines import WantedHeadline
from repline.evaluation.claims.mutants import KINDS, Examination, examine
from repline.evaluation.nested_measures import Measures
from repline.evaluation.replication import replicate_files

EVALUATION = Path("data/evaluation")


def main(arguments: Sequence[str]) -> int:
    """Print the table of every system, or of those that are named; 1 if a claim of theirs cannot fail."""
    parser = argparse.ArgumentParser(prog="python -m stages.upkeep.mutants", description=__doc__)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help="systems; all without any")
    parser.add_argument("--each", action="store_true", help="print every mutant and its verdict")
    options = parser.parse_args(arguments)
    systems = options.systems or sorted(path.parent.name for path in Path("stages").glob("*/claims.yaml"))
    immovable, claims = 0, 0
    moved = dict.fromkeys(KINDS, 0)
    for system in systems:
        examinations = examinations_of(system)
        print("\n".join([f"\n{system}", *table(examinations, options.each)]), flush=True)
        judged = [examination for examination in examinations if examination.verdict.verdict != "not run"]
        claims += len(judged)
        immovable += sum(cannot_fail(examination) for examination in judged)
        for kind in KINDS:
            moved[kind] += sum(bool(examination.moved(kind)) for examination in judged)
    counts = ", ".join(f"{count} by {kind}" for kind, count in moved.items())
    print(f"\n{claims} claims judged; moved {counts} numbers; {immovable} cannot fail")
    return int(immovable > 0)


def examinations_of(system: str) -> list[Examination]:
    """Every claim of a system with the verdicts of its mutants; InputError if the system was not evaluated."""
    folder = EVALUATION / system
    try:
        metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder / 'metrics.json'}: there is no such file; run `make repro` for it") from None
    replicates = replicate_files.read(folder / "replicates.parquet")
    profile = str(parameters.read().get("profile"))
    headline = published.read(f"stages/{system}/published.yaml").system.headline
    chance = _chance(headline, metrics, profile)
    named = set(headlines.claim_ids(headline).values())
    return [
        examine(claim, metrics, profile, replicates, chance if claim.id in named else None)
        for claim in judgement.read(f"stages/{system}/claims.yaml")
    ]


def cannot_fail(examination: Examination) -> bool:
    """Whether a claim holds or is undecided, and no mutant moves it."""
    return examination.verdict.verdict in ("holds", "undecided") and not examination.moved()


def table(examinations: Sequence[Examination], each: bool = False) -> list[str]:
    """A line for each claim that was judged, and with `each` for each of its mutants."""
    judged = [examination for examination in examinations if examination.verdict.verdict != "not run"]
    width = max([len(examination.claim.id) for examination in judged], default=0)
    lines = [f"  {'claim':{width}}  {'verdict':9}  {'  '.join(KINDS)}"] if judged else ["  no claim was judged"]
    for examination in judged:
        counts = "  ".join(f"{_count(examination, kind):>{len(kind)}}" for kind in KINDS)
        lines.append(
            f"  {examination.claim.id:{width}}  {examination.verdict.verdict:9}  {counts}  {_why(examination)}"
        )
        if each:
            lines += [
                f"    {mutant.verdict:9}  {mutant.mutant.kind:8}  {mutant.mutant.text}"
                for mutant in examination.mutants
            ]
    return lines


def _count(examination: Examination, kind: str) -> str:
    kind_mutants = [mutant for mutant in examination.mutants if mutant.mutant.kind == kind]
    moved = sum(mutant.verdict != examination.verdict.verdict for mutant in kind_mutants)
    return f"{moved}/{len(kind_mutants)}" if kind_mutants else "-"


def _why(examination: Examination) -> str:
    moved = examination.moved()
    if moved:
        return f"{moved[0].verdict}: {moved[0].mutant.text}"
    return f"{'CANNOT FAIL: ' if cannot_fail(examination) else ''}{examination.reason}"


def _chance(headline: WantedHeadline, metrics: Measures, profile: str) -> float | None:
    """The number that guessing gives for the headline; None where none is stated or measured."""
    chance = headline.chance
    expression = chance.get(profile) if isinstance(chance, Mapping) else chance
    try:
        return None if expression is None else evaluate(expression, metrics, "published.yaml: headline.chance")
    except NotMeasured:
        return None


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:
        sys.exit(f"stages.upkeep.mutants: {error}")
