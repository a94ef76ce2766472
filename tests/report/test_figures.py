import json

import plotly.graph_objects
import pytest

from repline.report import figures

SERIES = [
    {"name": "turn", "x": [0, 1, 2], "y": [0.5, None, 0.9], "low": [0.4, None, 0.8], "high": [0.7, None, 0.95]},
    {"name": "lstm", "x": [0, 1, 2], "y": [0.9, 0.8, 0.7]},
]


def test_curves_are_a_plotly_figure_with_the_reach_of_each_interval():
    figure = figures.curves(SERIES, x_title="attractors", y_title="accuracy", y_range=(0, 1))
    checked = plotly.graph_objects.Figure(figure)  # refuses unknown properties
    assert [trace.name for trace in checked.data] == ["turn", "lstm"]
    assert figure["data"][0]["error_y"]["array"] == [pytest.approx(0.2), None, pytest.approx(0.05)]
    assert figure["data"][0]["error_y"]["arrayminus"] == [pytest.approx(0.1), None, pytest.approx(0.1)]
    assert "error_y" not in figure["data"][1]
    assert figure["layout"]["yaxis"]["range"] == [0, 1]
    assert json.loads(json.dumps(figure)) == figure


def test_series_differ_in_more_than_colour():
    first, second = figures.curves(SERIES, x_title="x", y_title="y")["data"]
    assert first["line"]["dash"] != second["line"]["dash"]
    assert first["marker"]["symbol"] != second["marker"]["symbol"]


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="'turn'"):
        figures.curves([{"name": "turn", "x": [0, 1], "y": [0.5]}], x_title="x", y_title="y")


def test_bars_are_a_plotly_figure():
    figure = figures.bars([{"name": "open", "x": ["(", "["], "y": [8.1, 7.9]}], x_title="symbol", y_title="effect")
    assert list(plotly.graph_objects.Figure(figure).data[0].y) == [8.1, 7.9]


def test_entry_has_what_figures_json_wants():
    figure = figures.bars([], x_title="symbol", y_title="effect")
    assert figures.entry("a", "Title", "Caption.", figure) == {
        "id": "a",
        "title": "Title",
        "caption": "Caption.",
        "figure": figure,
    }
