"""The numbers behind charts."""

import plotly.graph_objects as go

from repline.report import charts
from repline.report.chart_data import table


def test_a_heatmap_is_a_table_with_its_rows_and_columns():
    figure = charts.heatmap([[1.0, 2.0], [3.0, 4.0]], ["a", "b"], ["c", "d"], "x").to_plotly_json()
    assert table(figure) == {"columns": ["", "c", "d"], "rows": [["a", 1.0, 2.0], ["b", 3.0, 4.0]], "all": 2}


def test_a_picture_is_a_table_of_what_it_shows():
    figure = go.Figure(go.Heatmap(z=[[0, 1], [1, 0]]))
    assert table(figure.to_plotly_json()) == {"columns": [], "rows": [], "all": 0}
    figure.update_layout(meta={"columns": ["character", "pixels"], "rows": [["日", "目曰"]]})
    assert table(figure.to_plotly_json()) == {"columns": ["character", "pixels"], "rows": [["日", "目曰"]], "all": 1}
