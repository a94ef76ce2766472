"""The charts that systems share, as plotly figures; the report gives them its colours, light and dark."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import cast

import plotly.graph_objects as go

from repline.evaluation.nested_measures import Measures
from repline.report.figures import Figure

Bounds = Sequence[float] | None  # of intervals, by group


def record(identifier: str, title: str, caption: str, figure: go.Figure) -> Figure:
    """One entry of a system's figures.json."""
    return Figure(id=identifier, title=title, caption=caption, figure=json.loads(figure.to_json()))


def accuracy_curves(series: Mapping[str, Measures], by: str, first: int, axis: str) -> go.Figure:
    """Accuracy by group with 95 % intervals, one line per model.

    Args:
        series: model name -> metrics holding `accuracy_by_<by>` and, where known, its _low and _high.
        by: the group ("attractors").
        first: the group at index 0.
        axis: label of the horizontal axis.
    """
    figure = go.Figure()
    for name, metrics in series.items():
        values = cast(Sequence[float | None], metrics[f"accuracy_by_{by}"])
        low, high = (cast(Bounds, metrics.get(f"accuracy_by_{by}_{end}")) for end in ("low", "high"))
        error = None
        if low and high:
            error = {
                "symmetric": False,
                "array": [None if v is None else h - v for v, h in zip(values, high, strict=True)],
                "arrayminus": [None if v is None else v - lo for v, lo in zip(values, low, strict=True)],
                "thickness": 1,
            }
        positions = list(range(first, first + len(values)))
        figure.add_scatter(x=positions, y=values, error_y=error, name=name, mode="lines+markers")
    figure.update_xaxes(title=axis, dtick=1)
    figure.update_yaxes(title="accuracy", range=[0, 1.02], tickformat=".0%")
    return figure


def bars(values: Mapping[str, float], axis: str) -> go.Figure:
    """Horizontal bars, smallest on top."""
    ordered = sorted(values.items(), key=lambda item: -item[1])
    figure = go.Figure(
        go.Bar(x=[value for _, value in ordered], y=[f" {name} " for name, _ in ordered], orientation="h")
    )
    figure.update_xaxes(title=axis)
    figure.update_yaxes(type="category", dtick=1)
    figure.update_layout(height=140 + 18 * len(ordered))
    return figure


def dials(angles: Mapping[str, Sequence[float]]) -> go.Figure:
    """Signatures as dials: one row a symbol, one dial an angle; 0 degrees points up, 180 degrees down."""
    names = list(angles)
    figure = go.Figure()
    for row, name in enumerate(names):
        for column, angle in enumerate(angles[name]):
            turn = math.radians(angle)
            x, y = column, -row
            figure.add_shape(type="circle", x0=x - 0.38, x1=x + 0.38, y0=y - 0.38, y1=y + 0.38, line={"width": 1})
            figure.add_scatter(
                x=[x, x + 0.38 * math.sin(turn)],
                y=[y, y + 0.38 * math.cos(turn)],
                mode="lines",
                line={"width": 3},
                hovertext=f"{name}: {angle:.1f}°",
                hoverinfo="text",
                showlegend=False,
            )
    widest = max((len(symbol_angles) for symbol_angles in angles.values()), default=1)
    figure.update_xaxes(visible=False, range=[-0.6, max(widest, 3) - 0.4])
    figure.update_yaxes(
        tickvals=[-row for row in range(len(names))], ticktext=names, range=[0.6 - len(names), 0.6], scaleanchor="x"
    )
    figure.update_layout(height=80 + 46 * len(names))
    return figure


def heatmap(
    values: Sequence[Sequence[float | None]], rows: Sequence[str], columns: Sequence[str], label: str
) -> go.Figure:
    """A table as colours, with its numbers written in; None leaves a cell empty."""
    figure = go.Figure(
        go.Heatmap(
            z=[list(line) for line in values],
            x=list(columns),
            y=list(rows),
            texttemplate="%{z:.2f}",
            colorscale="Blues",
            colorbar={"title": label},
        )
    )
    figure.update_yaxes(autorange="reversed", type="category")
    figure.update_xaxes(type="category")
    return figure
