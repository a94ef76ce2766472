"""Figures that all systems of classifiers share, and the rows behind them: by corpus, classifier and length of text."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

Rows = Sequence[Row]
COLUMNS = ("accuracy", "macro_f1", "ece", "nll")


def accuracy_rows(metrics: Metrics) -> Rows:
    """A row for each corpus and classifier.

    Args:
        metrics: by corpus, by kind (networks, linear) and by name the scores of a classifier.
    """
    return [
        {"corpus": corpus, "classifier": name} | {column: scores[column] for column in COLUMNS}
        for corpus, name, scores in _classifiers(metrics)
    ]


def plots(metrics: Metrics) -> dict[str, Rows]:
    """The tables behind `dvc plots`: a row for each corpus and classifier, and for each range of lengths."""
    return {"accuracy": accuracy_rows(metrics), "by_length": _length_rows(metrics)}


def figures(system: str, network: str, evaluation: Evaluation, accuracy: str, lengths: str) -> list[Figure]:
    """The figures of a system of classifiers: accuracy, accuracy by length, a confusion a corpus, reliability.

    Args:
        system: begins the names of the figures.
        network: as a reader knows the network whose confusion is shown.
        evaluation: its details have, by corpus, what `repline.evaluation.classification.scored_runs.shown_run` gives.
        accuracy, lengths: the notes under the first two.
    """
    metrics, details = evaluation.metrics, {corpus: shown for corpus, shown in evaluation.details.items() if shown}
    return [
        charts.record(
            f"{system}-accuracy",
            "Accuracy on the test texts",
            accuracy,
            bars(accuracy_rows(metrics), "classifier", "accuracy"),
        ),
        charts.record(f"{system}-lengths", "Accuracy by the length of a text", lengths, _lines(_length_rows(metrics))),
        *(
            charts.record(
                f"{system}-confusion-{corpus.replace('_', '-')}",
                f"Confusion of {network}, {corpus}",
                "Test texts by their label (rows) and the label they were taken for, one seed.",
                _confusion(shown["labels"], shown["confusion"].tolist()),
            )
            for corpus, shown in details.items()
        ),
        charts.record(
            f"{system}-reliability",
            f"Is {network} as sure as it is right?",
            "Test texts by the probability of the label they were taken for, in ten bins; one seed. On the diagonal "
            "confidence and accuracy are equal.",
            _reliability({corpus: shown["reliability"] for corpus, shown in details.items()}),
        ),
    ]


def bars(rows: Rows, of: str, column: str) -> go.Figure:
    """A bar for each row: `column`, a part of one, over the name in `of`; a colour for each corpus."""
    figure = go.Figure()
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        group = [row for row in rows if row["corpus"] == corpus]
        figure.add_bar(name=corpus, x=[row[of] for row in group], y=[row[column] for row in group])
    figure.update_yaxes(title=column, tickformat=".0%")
    return figure


def _classifiers(metrics: Metrics) -> list[tuple[str, str, Metrics]]:
    return [
        (corpus, name, scores)
        for corpus, measured in metrics.items()
        for kind in ("networks", "linear")
        for name, scores in measured[kind].items()
    ]


def _length_rows(metrics: Metrics) -> Rows:
    return [
        {"corpus": corpus, "classifier": name, "length": length.replace("_", " "), "accuracy": accuracy}
        for corpus, name, scores in _classifiers(metrics)
        for length, accuracy in scores["by_length"].items()
    ]


def _lines(rows: Rows) -> go.Figure:
    figure = go.Figure()
    for corpus, name in dict.fromkeys((row["corpus"], row["classifier"]) for row in rows):
        group = [row for row in rows if (row["corpus"], row["classifier"]) == (corpus, name)]
        if len(group) > 1:
            figure.add_scatter(
                name=f"{corpus}: {name}",
                x=[row["length"] for row in group],
                y=[row["accuracy"] for row in group],
                mode="lines+markers",
            )
    figure.update_yaxes(title="accuracy", tickformat=".0%")
    return figure


def _confusion(labels: list[str], confusion: list[list[int]]) -> go.Figure:
    figure = charts.heatmap(confusion, labels, labels, "texts")
    figure.update_traces(texttemplate="%{z}")
    figure.update_xaxes(title="taken for")
    figure.update_yaxes(title="label")
    return figure


def _reliability(bins_by_corpus: Mapping[str, Rows]) -> go.Figure:
    figure = go.Figure()
    figure.add_scatter(name="equal", x=[0, 1], y=[0, 1], mode="lines", line={"dash": "dot"})
    for corpus, bins in bins_by_corpus.items():
        figure.add_scatter(
            name=corpus,
            x=[part["confidence"] for part in bins],
            y=[part["accuracy"] for part in bins],
            mode="lines+markers",
        )
    figure.update_xaxes(title="confidence", tickformat=".0%")
    figure.update_yaxes(title="accuracy", tickformat=".0%")
    return figure
