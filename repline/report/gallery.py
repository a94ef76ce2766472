"""The README's table of systems, made from the reference results."""

import re
from collections.abc import Mapping, Sequence

from repline.evaluation.claims.published import Published
from repline.report.readme import cell
from repline.report.result_records import ReferenceResults, SystemResults

CONSTANT = re.compile(r"(>=?|<=?) (-?\d+(?:\.\d+)?(?:e-?\d+)?)")
WORDS = {">=": "at least", ">": "more than", "<=": "at most", "<": "less than"}


def table(
    papers: Mapping[str, Published],
    references: Mapping[str, ReferenceResults],
    older: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
) -> str:
    """A Markdown table with a row per system: title, paper, central effect, and its verdict in a column a profile.

    A profile that has results of less than half of the systems gets no column; the pages of those systems have them.

    Args:
        papers: name -> `published.yaml`, in the order of the rows.
        references: profile -> reference results (`repline.report.reference.read`).
        older: by system and profile, the parameters that have changed since its results were measured.
    """
    references = {
        profile: results
        for profile, results in references.items()
        if 2 * len(results["systems"].keys() & papers.keys()) >= len(papers)
    }
    heads = ["system", "paper", "central effect", *references]
    lines = [_row(heads), _row(["---"] * len(heads))]
    for name, published in papers.items():
        measured = [results["systems"].get(name) for results in references.values()]
        paper = published.paper
        link = f"[{cell(paper.title)}]({_address(paper.url)}) ({cell(paper.authors)}, {paper.year})"
        system = f"[{cell(published.system.title)}](stages/{name}/)"
        changed = (older or {}).get(name, {})
        verdicts = [
            _verdict(results, bool(changed.get(profile))) for profile, results in zip(references, measured, strict=True)
        ]
        lines.append(_row([system, link, _headline(published, measured), *verdicts]))
    return "\n".join(lines)


def _headline(published: Published, measured: list[SystemResults | None]) -> str:
    """The headline of the first profile that measured it."""
    label = cell(published.system.headline.label)
    shown = [system for system in measured if system and system["headline"]["value"] is not None]
    if not shown:
        return f"not run: {label}"
    return f"{cell(effect(shown[0]))} {label}"


def effect(system: SystemResults) -> str:
    """A measured headline in Markdown: effect, interval, verdict, what is asked, and the two numbers that it compares.

    A verdict may look wrong without what is asked: +0.1% fails where the paper's effect is a point or more.
    """
    headline = system["headline"]
    between = " to ".join(headline.get("shown_interval", ()))
    verdict: str | None = headline.get("verdict")
    if verdict and (threshold := asked_of_headline(system)):
        verdict = f"{verdict}, {threshold} asked"
    parts = [part for part in (between, verdict, headline.get("shown_sides")) if part]
    return f"**{headline['shown']}**" + (f" ({'; '.join(parts)})" if parts else "")


def asked(expected: str, shown: str) -> str:
    """The constant that a claim compares with, in words; "" for zero, and where the claim compares with a formula.

    >>> asked(">= 0.01", "0.1%"), asked("> 0", "0.1%")
    ('at least 1%', '')

    Args:
        expected: of the claim, such as ">= 0.1".
        shown: the headline's value as it is written, which says whether it is in percent.
    """
    constant = CONSTANT.fullmatch(expected)
    if constant is None or float(constant[2]) == 0:
        return ""
    number = f"{float(constant[2]) * 100:.6g}%" if shown.endswith("%") else f"{float(constant[2]):.6g}"
    return f"{WORDS[constant[1]]} {number}"


def asked_of_headline(system: SystemResults) -> str:
    """What the claim of a system's headline asks for, see `asked`; "" where the headline names none of its claims."""
    claim = system["claims"].get(system["headline"].get("claim", ""))
    return asked(claim["expected"], system["headline"]["shown"]) if claim else ""


def _verdict(measured: SystemResults | None, parameters_changed: bool) -> str:
    """Whether the central effect was found in a profile, and whether it has other parameters since."""
    verdict = measured and measured["headline"].get("verdict")
    if not verdict:
        return "not run"
    return f"{verdict}, with earlier parameters" if parameters_changed else verdict


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _address(url: str) -> str:
    return str(url).replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace("|", "%7C")
