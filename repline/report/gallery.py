"""The README's table of systems, made from the report's data."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from repline.report import readme
from repline.report.readme import cell


def table(report: Mapping[str, Any]) -> str:
    """A Markdown table with a row per system: title, paper, headline figure, claims by verdict.

    Args:
        report: from `repline.report.content.describe`, or read from `report.json`.
    """
    lines = [f"| system | paper | headline ({report['profile']} profile) | claims |", "| --- | --- | --- | --- |"]
    for system in report["systems"]:
        paper, headline, verdicts = system["paper"], system["headline"], system["verdicts"]
        figure = (
            f"not run: {headline['label']}"
            if headline["value"] is None
            else f"**{headline['shown']}** {headline['label']}"
        )
        claims = f"{verdicts['holds']} hold, {verdicts['fails']} fail, {verdicts['not run']} not run"
        link = f"[{cell(paper['title'])}]({_address(paper['url'])}) ({cell(paper['authors'])}, {paper['year']})"
        lines.append(f"| [{cell(system['title'])}](stages/{system['name']}/) | {link} | {cell(figure)} | {claims} |")
    return "\n".join(lines)


def update(path: str | Path, report: Mapping[str, Any]) -> bool:
    """Put `table(report)` into the block `gallery` of a README; whether that changed the file.

    Raises:
        InputError: see `repline.report.readme.replace`.
    """
    return readme.replace(path, "gallery", table(report))


def _address(url: str) -> str:
    return str(url).replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace("|", "%7C")
