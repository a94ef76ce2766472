"""The numbers behind a chart: as a table for those who cannot see it, and no longer than they need to be."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from repline.report.figures import Chart

MAX_CELLS = 400  # cells of a table; report.json has all
DIGITS = 5  # significant, of what is drawn


def slim(figure: Chart) -> Chart:
    """A figure as the page draws it: its numbers in `DIGITS` digits."""
    return _short(figure)


class ChartTable(TypedDict):
    """The first rows of the data of a chart, and the number of all; a cell is a text or a number."""

    columns: list[str]
    rows: list[list[Any]]
    all: int


def table(figure: Chart) -> ChartTable:
    """The data of a figure of scatter, bar and heatmap traces; a heatmap without row names is a picture.

    Returns:
        {"columns": heads, "rows": lists of cells (texts and numbers; None: no value), "all": the number of
        rows, of which the first are given, for a table of about `MAX_CELLS` cells}.
    """
    traces = [trace for trace in figure["data"] if trace.get("type") in ("scatter", "bar", "heatmap")]
    if len(traces) == 1 and traces[0]["type"] == "heatmap":
        columns, rows = _matrix(traces[0]) if "y" in traces[0] else _shown(figure["layout"])
    elif all(trace.get("showlegend") is False and trace.get("hovertext") for trace in traces):
        columns, rows = ["value"], [[trace["hovertext"]] for trace in traces]
    else:
        columns, rows = _series([trace for trace in traces if trace["type"] != "heatmap"], figure["layout"])
    return {"columns": columns, "rows": rows[: MAX_CELLS // max(len(columns), 1)], "all": len(rows)}


def _matrix(trace: Chart) -> tuple[list[str], list[list[Any]]]:
    rows = [[name, *values] for name, values in zip(trace["y"], trace["z"], strict=True)]
    return ["", *map(str, trace["x"])], rows


def _shown(layout: Chart) -> tuple[list[str], list[list[Any]]]:
    """The table that a picture shows, from the `meta` of its layout."""
    noted = layout.get("meta", {})
    return noted.get("columns", []), noted.get("rows", [])


def _series(traces: Sequence[Chart], layout: Chart) -> tuple[list[str], list[list[Any]]]:
    """A column for each series where each has one value for a position, else a row for each point."""
    flat = bool(traces) and all(trace.get("orientation") == "h" for trace in traces)
    along, across = ("y", "x") if flat else ("x", "y")
    named = [str(trace.get("name") or _title(layout, across) or "value").strip() for trace in traces]
    points = [list(_points(trace, along, across)) for trace in traces]
    positions = [[position for position, _, _ in series] for series in points]
    labelled = any(label for series in points for *_, label in series)
    if not labelled and all(len(set(series_positions)) == len(series_positions) for series_positions in positions):
        values = [{position: value for position, value, _ in series} for series in points]
        order = dict.fromkeys(position for series_positions in positions for position in series_positions)
        rows = [[position, *(series.get(position) for series in values)] for position in order]
        rows = [row for row in rows if any(value is not None for value in row[1:])]
        return [_title(layout, along), *named], rows
    heads = [
        "series",
        *(["label"] if labelled else []),
        _title(layout, along) or along,
        _title(layout, across) or across,
    ]
    rows = [
        [name, *([label] if labelled else []), position, value]
        for name, series in zip(named, points, strict=True)
        for position, value, label in series
    ]
    return heads, rows


def _points(trace: Chart, along: str, across: str):
    """(position, value, label) of each point; a value with an error bar is a text with its interval."""
    values = trace.get(across) or []
    positions = trace.get(along) or range(len(values))
    text = trace.get("text")
    texts: list[Any] = text if isinstance(text, list) else [None] * len(values)
    error = trace.get(f"error_{across}") or {}
    above = error.get("array") or [None] * len(values)
    below = error.get("arrayminus") or above
    for position, value, label, up, down in zip(positions, values, texts, above, below, strict=True):
        shown = value
        if value is not None and up is not None and down is not None:
            shown = f"{value:.4g} ({value - down:.4g} to {value + up:.4g})"
        yield (position.strip() if isinstance(position, str) else position), shown, label


def _title(layout: Chart, axis: str) -> str:
    title = layout.get(f"{axis}axis", {}).get("title") or {}
    return str((title.get("text") if isinstance(title, Mapping) else title) or "")


def _short(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _short(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_short(part) for part in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
