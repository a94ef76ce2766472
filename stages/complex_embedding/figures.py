"""Figures of the evaluation for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence
from typing import cast

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.classifier_figures import accuracy_rows, bars
from stages.plot_rows import Row

SMALLEST = 1e-17  # shown in place of a difference of zero


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    rows = plots(metrics)
    return [
        charts.record(
            "complex-embedding-accuracy",
            "Accuracy on the test texts",
            "Networks are means over their seeds. NB and logistic regression are on TF-IDF of unigrams and bigrams.",
            bars(rows["accuracy"], "classifier", "accuracy"),
        ),
        charts.record(
            "complex-embedding-additivity",
            "Is a sentence more than the mean of its words?",
            "The largest difference between a test sentence's score and the mean of the scores of its words, each as a "
            "sentence of its own; double precision, one seed. Mixtures, vectors and the real network are sums: what is "
            "left is rounding.",
            _differences(rows["exact"]),
        ),
    ]


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`: a row for each corpus and classifier."""
    return {
        "accuracy": accuracy_rows(metrics),
        "exact": [
            {"corpus": corpus, "network": name}
            | {column: scores.get(column) for column in ("additivity", "gauge", "other_labels")}
            for corpus, measured in metrics.items()
            for name, scores in measured["exact"].items()
        ],
    }


def _differences(rows: Sequence[Row]) -> go.Figure:
    shown = [{**row, "additivity": max(cast(float, row["additivity"]), SMALLEST)} for row in rows]
    figure = bars(shown, "network", "additivity")
    figure.update_yaxes(type="log", tickformat=None, exponentformat="power")
    return figure
