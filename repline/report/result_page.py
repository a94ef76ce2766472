"""The results of one system as Markdown, for its stage page, made from the reference results."""

import re
from collections.abc import Mapping, Sequence

from repline.evaluation.claims.judgement import Claim
from repline.report.readme import cell
from repline.report.reference import key_of_measured
from repline.report.result_records import MeasuredClaim, ReferenceResults, SystemResults
from repline.report.units_to_decide import in_words


def page(
    references: Mapping[str, ReferenceResults],
    name: str,
    claims: Sequence[Claim],
    ledger: str = "",
    older: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Every claim by profile, which of them fail or are undecided, then the paper's numbers and ours.

    Args:
        references: by profile, from `repline.report.reference.read`.
        name: the system.
        claims: from its claims.yaml, for their texts and their order.
        ledger: what stands over the paper's numbers, from `repline.report.ledger.ledger_page.of_system`.
        older: by profile, the parameters that have changed since its results were measured.
    """
    shown = {profile: results for profile, results in references.items() if name in results["systems"]}
    if not shown:
        return "No reference results yet: `make reference` writes them."
    systems = {profile: results["systems"][name] for profile, results in shown.items()}
    lines = [
        f"Profile `{profile}`: {system['date']}, {system['machine']}{_cost(system)}.  "
        for profile, system in systems.items()
    ]
    lines += [f"{sentence}  " for sentence in measured_before(older or {})]
    lines += ["", *_not_held(systems, claims)]
    lines += [
        "In brackets: the 95 % interval over the replicates (other seeds, other test items). Where what is expected is "
        "measured too, the interval of the margin between both decides. An undecided claim says how many times as many "
        "replicates would decide it, if its effect stays.",
        "",
        "| claim | " + " | ".join(shown) + " |",
        "| --- |" + " --- |" * len(shown),
    ]
    for claim in claims:
        verdicts = [_verdict(claim, system["claims"].get(claim.id)) for system in systems.values()]
        lines.append("| " + " | ".join((f"`{claim.id}`: {cell(claim.text)}", *map(cell, verdicts))) + " |")
    published: dict[tuple[str, ...], float] = {}  # by the key of a row
    words: dict[tuple[str, ...], str] = {}
    measured: dict[tuple[str, ...], dict[str, str]] = {}  # by key and profile
    for profile, system in systems.items():
        for number in system["numbers"]:
            key = key_of_measured(number)
            published.setdefault(key, number["published"])
            words.setdefault(key, ", ".join(number["row"]))
            shown_number = with_interval(number["measured"], number.get("interval"))
            measured.setdefault(key, {})[profile] = shown_number
    if ledger:
        lines += ["", ledger]
    if published:
        lines += [
            "",
            "| of the paper | published | " + " | ".join(shown) + " |",
            "| --- | --- |" + " --- |" * len(shown),
        ]
        for key, value in published.items():
            numbers = [measured[key].get(profile, "") for profile in shown]
            lines.append("| " + " | ".join(map(cell, (words[key], value, *numbers))) + " |")
    return "\n".join(lines)


def measured_before(older: Mapping[str, Sequence[str]]) -> list[str]:
    """A sentence for each profile whose results were measured with earlier parameters.

    Args:
        older: by profile, the parameters that have changed since.
    """
    return [
        f"`{profile}` was measured before these parameters changed: {', '.join(f'`{key}`' for key in keys)}."
        for profile, keys in older.items()
        if keys
    ]


def with_interval(value: float | None, interval: Sequence[float] | None) -> str:
    """A number in four significant digits and, where it is known, its interval: 0.91 (0.9 to 0.93)."""
    if value is None:
        return ""
    return f"{value:.4g}" + (f" ({interval[0]:.4g} to {interval[1]:.4g})" if interval else "")


def expectation(expected: str) -> str:
    """What a claim expects, in words: "between 0.04 0.14" as "between 0.04 and 0.14", "> 0" as it is."""
    match expected.split():
        case ["between", low, high]:
            return f"between {low} and {high}"
    return expected


def _cost(system: SystemResults) -> str:
    return f", {system['core_seconds']:g} core-seconds" if system.get("core_seconds") else ""


def _not_held(systems: Mapping[str, SystemResults], claims: Sequence[Claim]) -> list[str]:
    """A line for each profile and verdict: the ids of the claims that fail, and of those that are undecided."""
    lines = []
    for profile, system in systems.items():
        for verdict, words in (("fails", "fail"), ("undecided", "are undecided")):
            judged = system["claims"]
            ids = [
                f"`{claim.id}`" for claim in claims if claim.id in judged and judged[claim.id].get("verdict") == verdict
            ]
            if ids:
                lines.append(f"Claims that {words} in `{profile}`: {', '.join(ids)}.  ")
    return [*lines, ""] if lines else []


def _verdict(claim: Claim, judged: MeasuredClaim | None) -> str:
    if judged is None:
        return "not run"
    if judged["verdict"] == "not run":
        return f"not run: needs {judged['needs']}" if "needs" in judged else "not run"
    measured = with_interval(judged["measured"], judged.get("measured_interval"))
    words = f"{judged['verdict']}: {measured}, expected {expectation(judged['expected'])}"
    if "margin" in judged and "interval" in judged and _names_a_number(str(claim.expected)):
        words += f", margin {with_interval(judged['margin'], judged['interval'])}"
    if judged.get("exact"):
        words += ", exact"
    deciding = in_words(judged)
    return f"{words}; {deciding}" if deciding else words


def _names_a_number(expected: str) -> bool:
    """Whether a bound is measured too, and so differs between replicates; "between -1 1" has none that is."""
    return re.search(r"[a-z_]{2}", expected.removeprefix("between")) is not None  # 1e-3 is no name
