"""Figures of the evaluation for the report, and rows for DVC's plots."""

from typing import Any

import plotly.graph_objects as go

from repline.report import charts

Detail = tuple[list[str], Any, list[dict[str, float]]]


def figures(metrics: dict[str, Any], details: dict[str, Detail]) -> list[dict[str, Any]]:
    """The records of figures.json, for the report.

    Args:
        details: by corpus the labels, CNN-LMTGRU's confusion [C, C] and its reliability.
    """
    tables = plots(metrics)
    return [
        charts.record(
            "lmtgru-accuracy",
            "Accuracy on the test texts",
            "Networks are means over their seeds and folds. NB and logistic regression are on TF-IDF of n-grams.",
            _bars(tables["accuracy"]),
        ),
        charts.record(
            "lmtgru-lengths",
            "Accuracy by the length of a text",
            "Words of a text (the paper's figure 4, which has no numbers).",
            _lengths(tables["by_length"]),
        ),
        *(
            charts.record(
                f"lmtgru-confusion-{corpus.replace('_', '-')}",
                f"Confusion of CNN-LMTGRU, {corpus}",
                "Test texts by their label (rows) and the label they were taken for, one seed.",
                go.Figure(go.Heatmap(z=matrix.tolist(), x=labels, y=labels, colorscale="Blues", texttemplate="%{z}")),
            )
            for corpus, (labels, matrix, _) in details.items()
        ),
        charts.record(
            "lmtgru-reliability",
            "Is CNN-LMTGRU as sure as it is right?",
            "Test texts by the probability of the label they were taken for, in ten bins; one seed. On the diagonal "
            "confidence and accuracy are equal.",
            _reliability(details),
        ),
    ]


def plots(metrics: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The tables behind `dvc plots`: a row for each corpus and classifier, and for each range of lengths."""
    found = [
        (corpus, name, scores)
        for corpus, measured in metrics.items()
        for kind in ("networks", "linear")
        for name, scores in measured[kind].items()
    ]
    columns = ("accuracy", "macro_f1", "ece", "nll")
    return {
        "accuracy": [
            {"corpus": corpus, "classifier": name, "corpus_and_classifier": f"{corpus}, {name}"}
            | {column: scores[column] for column in columns}
            for corpus, name, scores in found
        ],
        "by_length": [
            {"corpus": corpus, "classifier": name, "length": length.replace("_", " "), "accuracy": accuracy}
            for corpus, name, scores in found
            for length, accuracy in scores["by_length"].items()
        ],
    }


def _bars(rows: list[dict[str, Any]]) -> go.Figure:
    figure = go.Figure()
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        own = [row for row in rows if row["corpus"] == corpus]
        figure.add_bar(name=corpus, x=[row["classifier"] for row in own], y=[row["accuracy"] for row in own])
    figure.update_yaxes(title="accuracy", tickformat=".0%")
    return figure


def _lengths(rows: list[dict[str, Any]]) -> go.Figure:
    figure = go.Figure()
    for corpus, name in dict.fromkeys((row["corpus"], row["classifier"]) for row in rows):
        own = [row for row in rows if (row["corpus"], row["classifier"]) == (corpus, name)]
        if len(own) > 1:
            lengths = [row["length"] for row in own]
            figure.add_scatter(
                name=f"{corpus}: {name}", x=lengths, y=[row["accuracy"] for row in own], mode="lines+markers"
            )
    figure.update_yaxes(title="accuracy", tickformat=".0%")
    return figure


def _reliability(details: dict[str, Detail]) -> go.Figure:
    figure = go.Figure()
    figure.add_scatter(name="equal", x=[0, 1], y=[0, 1], mode="lines", line={"dash": "dot"})
    for corpus, (_, _, bins) in details.items():
        figure.add_scatter(
            name=corpus,
            x=[one["confidence"] for one in bins],
            y=[one["accuracy"] for one in bins],
            mode="lines+markers",
        )
    figure.update_xaxes(title="confidence", tickformat=".0%")
    figure.update_yaxes(title="accuracy", tickformat=".0%")
    return figure
