"""A figure of a system's evaluation, as figures.json holds it."""

from typing import Any

from repline.evaluation.claims.yaml_records import Record

Chart = dict[str, Any]  # of plotly, as JSON: data and layout, and frames where it moves


class Figure(Record):
    """A chart with its words.

    Attributes:
        id: unique in its system.
        caption: what to see in it.
        figure: of plotly, as JSON: data and layout, and frames where it moves.
    """

    id: str
    title: str
    caption: str
    figure: Chart
