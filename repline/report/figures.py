"""The charts of an evaluation (`figures.json`): plain data and axes; the page brings colours, fonts and theme."""

from collections.abc import Mapping, Sequence
from typing import Any

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def curves(
    series: Sequence[Mapping[str, Any]], *, x_title: str, y_title: str, y_range: tuple[float, float] | None = None
) -> dict[str, Any]:
    """Lines with markers, and error bars where a series has an interval.

    Args:
        series: each {"name", "x", "y"} and optionally "low" and "high": lists of the same length in the unit of y;
            null in y leaves a gap. Series differ in marker and dash, not in colour alone.
        x_title, y_title: the axes, with their unit.
        y_range: (lowest, highest) shown; plotly's choice when None.

    Returns:
        A plotly figure {"data", "layout"}, which JSON can hold.

    Raises:
        ValueError: lists of different lengths in one series.
    """
    traces = []
    for number, one in enumerate(series):
        lengths = {len(one[key]) for key in ("x", "y", "low", "high") if key in one}
        if len(lengths) != 1:
            raise ValueError(f"series {one['name']!r} has lists of different lengths: {sorted(lengths)}")
        trace = {
            "type": "scatter",
            "mode": "lines+markers",
            "name": one["name"],
            "x": list(one["x"]),
            "y": list(one["y"]),
            "line": {"dash": DASHES[number % len(DASHES)], "width": 2},
            "marker": {"symbol": SYMBOLS[number % len(SYMBOLS)], "size": 8},
        }
        if "low" in one:
            trace["error_y"] = {
                "type": "data",
                "symmetric": False,
                "array": _gaps(one["high"], one["y"]),
                "arrayminus": _gaps(one["y"], one["low"]),
                "thickness": 1.2,
                "width": 3,
            }
        traces.append(trace)
    layout = {"xaxis": {"title": {"text": x_title}}, "yaxis": {"title": {"text": y_title}}, "hovermode": "x unified"}
    # a tick for every whole number: counts have no halves
    if all(isinstance(x, int) for one in series for x in one["x"]) and all(len(one["x"]) <= 20 for one in series):
        layout["xaxis"]["dtick"] = 1
    if y_range is not None:
        layout["yaxis"]["range"] = list(y_range)
    return {"data": traces, "layout": layout}


def bars(series: Sequence[Mapping[str, Any]], *, x_title: str, y_title: str) -> dict[str, Any]:
    """Bars side by side, one group per category.

    Args:
        series: each {"name", "x" (categories), "y"}.
        x_title, y_title: the axes, with their unit.

    Returns:
        A plotly figure {"data", "layout"}, which JSON can hold.
    """
    patterns = ("", "/", ".", "x", "-", "+")
    traces = [
        {
            "type": "bar",
            "name": one["name"],
            "x": list(one["x"]),
            "y": list(one["y"]),
            "marker": {"pattern": {"shape": patterns[number % len(patterns)]}},
        }
        for number, one in enumerate(series)
    ]
    layout = {
        "barmode": "group",
        "xaxis": {"title": {"text": x_title}, "type": "category"},
        "yaxis": {"title": {"text": y_title}},
        "showlegend": len(series) > 1,
    }
    return {"data": traces, "layout": layout}


def entry(identifier: str, title: str, caption: str, figure: Mapping[str, Any]) -> dict[str, Any]:
    """One element of `figures.json`: {"id", "title", "caption", "figure"}."""
    return {"id": identifier, "title": title, "caption": caption, "figure": dict(figure)}


def _gaps(upper: Sequence[float | None], lower: Sequence[float | None]) -> list[float | None]:
    pairs = zip(upper, lower, strict=True)
    return [None if high is None or low is None else max(high - low, 0.0) for high, low in pairs]
