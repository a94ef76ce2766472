"""Figures of the evaluation for the report, and rows for DVC's plots."""

from typing import Any

import plotly.graph_objects as go

from repline.report import charts

SMALLEST = 1e-17  # shown in place of a difference of zero


def figures(metrics: dict[str, Any]) -> list[dict[str, Any]]:
    """The records of figures.json, for the report."""
    rows = plots(metrics)
    return [
        charts.record(
            "complex-embedding-accuracy",
            "Accuracy on the test texts",
            "Networks are means over their seeds. NB and logistic regression are on TF-IDF of unigrams and bigrams.",
            _bars(rows["accuracy"], "classifier", "accuracy"),
        ),
        charts.record(
            "complex-embedding-additivity",
            "Is a sentence more than the mean of its words?",
            "The largest difference between a test sentence's score and the mean of the scores of its words, each as a "
            "sentence of its own; double precision, one seed. Mixtures, vectors and the real network are sums: what is "
            "left is rounding.",
            _bars(rows["exact"], "network", "additivity", logarithmic=True),
        ),
    ]


def plots(metrics: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The tables behind `dvc plots`: a row for each corpus and classifier."""
    columns = ("accuracy", "macro_f1", "ece", "nll")
    return {
        "accuracy": [
            {"corpus": corpus, "classifier": name, "corpus_and_classifier": f"{corpus}, {name}"}
            | {column: scores[column] for column in columns}
            for corpus, measured in metrics.items()
            for kind in ("networks", "linear")
            for name, scores in measured[kind].items()
        ],
        "exact": [
            {"corpus": corpus, "network": name, "corpus_and_network": f"{corpus}, {name}"}
            | {column: scores.get(column) for column in ("additivity", "gauge", "other_labels")}
            for corpus, measured in metrics.items()
            for name, scores in measured["exact"].items()
        ],
    }


def _bars(rows: list[dict[str, Any]], of: str, column: str, logarithmic: bool = False) -> go.Figure:
    figure = go.Figure()
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        own = [row for row in rows if row["corpus"] == corpus]
        values = [max(row[column], SMALLEST) if logarithmic else row[column] for row in own]
        figure.add_bar(name=corpus, x=[row[of] for row in own], y=values)
    if logarithmic:
        figure.update_yaxes(title=column, type="log", exponentformat="power")
    else:
        figure.update_yaxes(title=column, tickformat=".0%")
    return figure
