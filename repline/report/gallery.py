"""The README's table of systems, made from the report's data."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.files import new_file

BEGIN, END = "<!-- gallery:begin -->", "<!-- gallery:end -->"


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
        link = f"[{_cell(paper['title'])}]({_address(paper['url'])}) ({_cell(paper['authors'])}, {paper['year']})"
        lines.append(f"| [{_cell(system['title'])}](stages/{system['name']}/) | {link} | {_cell(figure)} | {claims} |")
    return "\n".join(lines)


def update(readme: str | Path, report: Mapping[str, Any]) -> bool:
    """Put `table(report)` between the two markers of a README; whether that changed the file.

    Raises:
        InputError: the file is missing, or does not have each marker once and in order.
    """
    readme = Path(readme)
    try:
        text = readme.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{readme}: there is no such file to put the gallery in") from None
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise InputError(
            f"{readme}: expected one line {BEGIN} and after it one line {END}, for the gallery between them"
        )
    head, tail = text[: text.index(BEGIN)], text[text.index(END) :]
    changed = f"{head}{BEGIN}\n{table(report)}\n{tail}"
    if changed == text:
        return False
    with new_file(readme) as partial:
        partial.write_text(changed, encoding="utf-8")
    return True


def _cell(text: Any) -> str:
    """Text that neither ends a cell nor starts markup."""
    escaped = " ".join(str(text).split())
    for character in "\\|[]<`":
        escaped = escaped.replace(character, f"\\{character}")
    return escaped


def _address(url: str) -> str:
    return str(url).replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace("|", "%7C")
