"""The numbers behind a chart: as a table for those who cannot see it, and no longer than they need to be."""

from collections.abc import Mapping, Sequence
from typing import Any

LARGEST = 400  # cells of a table; report.json has all
DIGITS = 5  # significant, of what is drawn


def slim(figure: Mapping[str, Any]) -> dict[str, Any]:
    """A figure as the page draws it: its numbers in `DIGITS` digits."""
    return _short(figure)


def table(figure: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a figure of scatter, bar and heatmap traces; a heatmap without names of rows is a picture.

    Returns:
        {"columns": heads, "rows": lists of cells (texts and numbers; None: no value), "all": how many rows there are,
        of which so many are given that the table has about `LARGEST` cells}.
    """
    traces = [trace for trace in figure["data"] if trace.get("type") in ("scatter", "bar", "heatmap")]
    if len(traces) == 1 and traces[0]["type"] == "heatmap":
        columns, rows = _matrix(traces[0]) if "y" in traces[0] else _shown(figure["layout"])
    elif all(trace.get("showlegend") is False and trace.get("hovertext") for trace in traces):
        columns, rows = ["value"], [[trace["hovertext"]] for trace in traces]
    else:
        columns, rows = _series([trace for trace in traces if trace["type"] != "heatmap"], figure["layout"])
    return {"columns": columns, "rows": rows[: LARGEST // max(len(columns), 1)], "all": len(rows)}


def _matrix(trace: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    rows = [[name, *values] for name, values in zip(trace["y"], trace["z"], strict=True)]
    return ["", *map(str, trace["x"])], rows


def _shown(layout: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """What the pixels of a picture show, as its maker has noted in `meta`."""
    noted = layout.get("meta", {})
    return noted.get("columns", []), noted.get("rows", [])


def _series(traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """A column for each series where each has one value a place, else a row for each point."""
    flat = bool(traces) and all(trace.get("orientation") == "h" for trace in traces)
    along, across = ("y", "x") if flat else ("x", "y")
    named = [str(trace.get("name") or _title(layout, across) or "value").strip() for trace in traces]
    points = [list(_points(trace, along, across)) for trace in traces]
    places = [[place for place, _, _ in series] for series in points]
    if all(len(set(one)) == len(one) for one in places) and not any(label for series in points for *_, label in series):
        values = [{place: value for place, value, _ in series} for series in points]
        order = dict.fromkeys(place for one in places for place in one)
        rows = [[place, *(series.get(place) for series in values)] for place in order]
        rows = [row for row in rows if any(value is not None for value in row[1:])]
        return [_title(layout, along), *named], rows
    labelled = any(label for series in points for *_, label in series)
    heads = [
        "series",
        *(["label"] if labelled else []),
        _title(layout, along) or along,
        _title(layout, across) or across,
    ]
    rows = [
        [name, *([label] if labelled else []), place, value]
        for name, series in zip(named, points, strict=True)
        for place, value, label in series
    ]
    return heads, rows


def _points(trace: Mapping[str, Any], along: str, across: str):
    """(place, value, label) of each point; a value with an error bar is a text with its interval."""
    values = trace.get(across) or []
    places = trace.get(along) or range(len(values))
    text = trace.get("text")
    texts: list[Any] = text if isinstance(text, list) else [None] * len(values)
    error = trace.get(f"error_{across}") or {}
    above = error.get("array") or [None] * len(values)
    below = error.get("arrayminus") or above
    for place, value, label, up, down in zip(places, values, texts, above, below, strict=True):
        shown = value
        if value is not None and up is not None and down is not None:
            shown = f"{value:.4g} ({value - down:.4g} to {value + up:.4g})"
        yield (place.strip() if isinstance(place, str) else place), shown, label


def _title(layout: Mapping[str, Any], axis: str) -> str:
    title = layout.get(f"{axis}axis", {}).get("title") or {}
    return str((title.get("text") if isinstance(title, Mapping) else title) or "")


def _short(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _short(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_short(part) for part in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
