"""The report as one HTML file that opens from disk and asks the network for nothing."""

import base64
import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypedDict

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from repline.files import new_file, write_json
from repline.report import chart_data
from repline.report.ledger import ledger_chart, published_cells
from repline.report.reference import key_of
from repline.report.result_records import (
    JudgedClaim,
    Machine,
    MeasuredClaim,
    PaperTable,
    ProfileRun,
    ReferenceResults,
    Report,
    RunRecord,
    Standing,
    TableRow,
)
from repline.report.run_records import runs_of
from repline.report.standings import PROFILES, effects, standings

MAX_UNFOLDED_ROWS = 15  # rows; a longer table is folded
MINUS = "\N{MINUS SIGN}"


def write(folder: str | Path, report: Report, runs: Sequence[RunRecord] = (), **more: Any) -> None:
    """Write `folder/report.json` (the same bytes for the same report) and `folder/index.html` (see `write_page`)."""
    write_json(Path(folder) / "report.json", report)
    write_page(folder, report, runs, **more)


def write_page(folder: str | Path, report: Report, runs: Sequence[RunRecord] = (), **more: Any) -> None:
    """Write `folder/index.html` alone; the arguments are those of `render`."""
    with new_file(Path(folder) / "index.html") as partial:
        partial.write_text(render(report, runs, **more), encoding="utf-8")


def render(
    report: Report,
    runs: Sequence[RunRecord] = (),
    other_profiles: Sequence[ProfileRun] = (),
    references: Mapping[str, ReferenceResults] | None = None,
    older: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    deviating: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    running: str | None = None,
    workspace: str | None = None,
) -> str:
    """The page as HTML; all texts are escaped, and only scripts whose hash is in its policy may run.

    Plotly and the figures are packed (gzip, base64): the page unpacks them when it draws the first figure.

    Args:
        report: from `repline.report.content.describe`.
        runs: from `repline.report.run_records.read_runs`.
        other_profiles, references, older, deviating: other profiles, see `repline.report.standings`.
        running: how far the run is, if the page is written in the middle of one.
        workspace: the name of the workspace that was run; it may be that of a profile of one's own.
    """
    stands = standings(report, runs, other_profiles, references, older, deviating)
    cells = {
        system["name"]: published_cells.cells(system["tables"], published_cells.of_standings(stands[system["name"]]))
        for system in report["systems"]
    }
    charts = ledger_chart.charts(report, cells)
    figures = {
        f"{system['name']}-{figure['id']}": chart_data.slim(figure["figure"])
        for system in report["systems"]
        for figure in system["figures"]
    } | charts
    (plotly, packed_plotly), page_script = _plotly() if figures else ("", ""), _resource("page.js")
    packed = {"plotly": packed_plotly, "figures": _packed(json.dumps(figures))} if figures else {}
    owned = {system["name"]: runs_of(list(runs), system["name"]) for system in report["systems"]}
    return (
        _environment()
        .get_template("template.html")
        .render(
            report=report,
            standings=stands,
            cells=cells,
            counts={name: published_cells.count(per_system) for name, per_system in cells.items()},
            all_cells=published_cells.count([cell for per_system in cells.values() for cell in per_system]),
            ledger_heads=published_cells.HEADS,
            charts=charts,
            effects={name: effects(per_system) for name, per_system in stands.items()},
            profiles=list(_profiles(stands)),
            all_claims=[claim for system in report["systems"] for claim in system["claims"]],
            running=running,
            workspace=workspace if workspace != report["profile"] else None,
            packed=packed,
            runs=owned,
            shared_runs=[run for run in runs if not any(run in records for records in owned.values())],
            style=Markup(_resource("style.css")),
            scripts=[Markup(page_script)],
            policy=" ".join(_digest(script) for script in (plotly, page_script) if script),
            claims={system["name"]: {claim["id"]: claim for claim in system["claims"]} for system in report["systems"]},
            long=MAX_UNFOLDED_ROWS,
        )
    )


def kind(claim: JudgedClaim | MeasuredClaim) -> str:
    """The verdict as a word; "needs" where a claim is not run because small, real and paper lack its data."""
    if claim["verdict"] == "not run" and claim.get("needs"):
        return "needs"
    return claim["verdict"].replace(" ", "-")


def counted(claims: Sequence[JudgedClaim | MeasuredClaim]) -> Counter[str]:
    """Claims by verdict; claims whose data small, real and paper lack are counted under "needs"."""
    return Counter(kind(claim).replace("-", " ") for claim in claims)


def measuring(table: PaperTable, system_standings: Sequence[Standing]) -> list[Standing]:
    """The standings of a system whose profile measured a row of `table`."""
    keys = {key_of(table, row) for row in table["rows"]}
    return [standing for standing in system_standings if keys & standing["numbers"].keys()]


def year(value: Any) -> str:
    """The first four digits of a year such as "2017 or later"."""
    digits = re.search(r"\d{4}", str(value))
    return digits[0] if digits else ""


def decimals(rows: Sequence[TableRow]) -> int:
    """The decimals that a paper prints in one table: the most that any of its values has, 0 to 8."""
    return max((len(f"{row['value']:.8f}".rstrip("0").partition(".")[2]) for row in rows), default=0)


def fixed(value: float, digits: int) -> str:
    """A number with `digits` decimals and a true minus sign."""
    return f"{value:.{digits}f}".replace("-", MINUS)


def signed(value: float, digits: int) -> str:
    """A number with `digits` decimals and its sign, also a plus; a zero has none."""
    shown = fixed(value, digits)
    if not any(digit in shown for digit in "123456789"):
        return shown.lstrip(MINUS)
    return shown if shown.startswith(MINUS) else f"+{shown}"


def compact(value: Any) -> str:
    """A number in four significant digits, thousands grouped when it is a large whole one; anything else as text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    shown = f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    return shown.replace("-", MINUS)


def relation(expected: str) -> str:
    """An expectation as it is printed, in four significant digits: ≥ 0.9, 0.04 to 0.14."""
    words = [_rounded(word) for word in str(expected).split()]
    if len(words) == 3 and words[0] == "between":
        return f"{words[1]} to {words[2]}".replace("-", MINUS)
    sign = {">=": "≥", "<=": "≤"}.get(words[0], words[0]) if words else ""
    return " ".join([sign, *words[1:]]).replace(" -", f" {MINUS}")


def _rounded(word: str) -> str:
    """A number in four significant digits where that is shorter; any other word as it is."""
    try:
        return min(word, f"{float(word):.4g}", key=len)
    except ValueError:
        return word


def machine(values: Machine) -> str:
    """A run record's machine in one line."""
    cores = f"{values['cores']} cores" if "cores" in values else ""
    python = f"Python {values['python']}" if "python" in values else ""
    rest = [f"{key} {value}" for key, value in values.items() if key not in ("cores", "python", "platform")]
    return ", ".join(str(part) for part in [cores, values.get("platform", ""), python, *rest] if part)


def duration(seconds: float) -> str:
    """Seconds in words: 0.4 s, 12 s, 3 min 05 s, 2 h 10 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def gibibytes(size: int) -> str:
    """Bytes of memory, in GiB."""
    return f"{size / (1 << 30):.2f} GiB"


def anchor(*parts: str) -> str:
    """An id for a place on the page."""
    return "-".join("".join(letter if letter.isalnum() else "-" for letter in str(part)) for part in parts)


def flatten(values: Any, prefix: str = "") -> list[tuple[str, str]]:
    """Nested parameters as rows of (dotted name, value as YAML writes it); a list of plain values is one row."""
    if isinstance(values, Mapping):
        start = f"{prefix}." if prefix else ""
        return [row for key, value in values.items() for row in flatten(value, f"{start}{key}")]
    if isinstance(values, list) and any(isinstance(value, Mapping | list) for value in values):
        return [row for number, value in enumerate(values) for row in flatten(value, f"{prefix}[{number}]")]
    return [(prefix, ", ".join(map(_as_yaml, values)) if isinstance(values, list) else _as_yaml(values))]


def _as_yaml(value: Any) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


class Grid(TypedDict):
    """A table by item and column: the names of its columns, and its lines."""

    columns: list[str]
    lines: list[tuple[str, list[TableRow | None]]]


def grid(rows: Sequence[TableRow]) -> Grid:
    """Rows with `item` and `column` as {"columns", "lines": [(item, [row or None, ...])]}, in order of first use."""
    columns = list(dict.fromkeys(row["column"] for row in rows))
    cells = {(row["item"], row["column"]): row for row in rows}
    items = dict.fromkeys(row["item"] for row in rows)
    return {"columns": columns, "lines": [(item, [cells.get((item, column)) for column in columns]) for item in items]}


def _profiles(stands: Mapping[str, Sequence[Standing]]):
    """The record of each profile that the page shows; `mixed`: only some systems were run here."""
    for profile in PROFILES:
        profile_standings = [
            standing for system in stands.values() for standing in system if standing["profile"] == profile
        ]
        here = [standing for standing in profile_standings if standing["here"]]
        if profile_standings:
            yield {**(here or profile_standings)[0], "mixed": bool(here) and len(here) < len(profile_standings)}


@cache
def _environment() -> Environment:
    """The template engine, with the functions that the template calls; it compiles a template once."""
    environment = Environment(
        loader=PackageLoader("repline.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "signed": signed,
        "compact": compact,
        "duration": duration,
        "cores": "{:,.1f}".format,
        "gibibytes": gibibytes,
        "anchor": anchor,
        "flatten": flatten,
        "decimals": decimals,
        "fixed": fixed,
        "grid": grid,
        "relation": relation,
        "machine": machine,
        "counted": counted,
        "kind": kind,
        "year": year,
        "chart_table": chart_data.table,
        "row_key": key_of,
        "measuring": measuring,
        "needs": published_cells.needs,
    }
    return environment


def _packed(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode("utf-8"), mtime=0)).decode("ascii")


@cache
def _plotly() -> tuple[str, str]:
    """Plotly's script, and the same script packed; packing takes a third of a second."""
    from plotly.offline import get_plotlyjs  # takes a second to import, and only pages with figures need it

    script = get_plotlyjs()
    return script, _packed(script)


def _resource(name: str) -> str:
    return files("repline.report").joinpath(name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode('utf-8')).digest()).decode('ascii')}'"
