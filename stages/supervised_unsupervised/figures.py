"""Figures of the evaluation for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.supervised_unsupervised.settings import CONTROLS, COUNTS
from stages.plot_rows import Row

APART = (CONTROLS, COUNTS)  # of a corpus's numbers, apart from its variants
NUMBERS = ("_f1", "_by_pairs")  # ends of names that stand for a second number of a task


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    rows = plots(metrics)
    charted = []
    for corpus in metrics:
        corpus_rows = [row for row in rows["trade"] if row["corpus"] == corpus]
        caption = (
            "Accuracy of inference against how much of a word vector is missed by the best linear map of the states "
            "(1: as much as by the mean vector), on test; means of seeds. InferSent has no second loss."
        )
        title = f"Inference against reconstruction, {corpus}"
        charted.append(charts.record(f"supervised_unsupervised-trade-{corpus}", title, caption, _trade(corpus_rows)))
        tasks = _tasks(metrics[corpus])
        if tasks:
            caption = (
                "Accuracy or correlation on other tasks, x 100, of frozen encoders; means of seeds. Untrained: the "
                "same network with its first weights. Average: of the word vectors."
            )
            names, columns = list(tasks), list(next(iter(tasks.values())))
            values = [[100 * tasks[name][column] for column in columns] for name in names]
            shown = charts.heatmap(values, names, columns, "x 100")
            title = f"Transfer, {corpus}"
            charted.append(charts.record(f"supervised_unsupervised-transfer-{corpus}", title, caption, shown))
    return charted


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`: a row for each variant, and for each of its tasks."""
    trade = [
        {
            "corpus": corpus,
            "variant": variant,
            "accuracy": numbers["accuracy"]["all"],
            "missed": numbers["probe"]["current"] / measured[CONTROLS]["mean_vector"]["current"],
        }
        for corpus, measured in metrics.items()
        for variant, numbers in measured.items()
        if variant not in APART
    ]
    transfer = [
        {"corpus": corpus, "variant": f"{corpus}: {name}", "task": task, "value": value}
        for corpus, measured in metrics.items()
        for name, values in _tasks(measured).items()
        for task, value in values.items()
    ]
    return {"trade": trade, "transfer": transfer}


def _tasks(measured: Metrics) -> dict[str, dict[str, float]]:
    """By variant and control, the main number of each task."""
    everyone = {name: numbers for name, numbers in measured.items() if name not in APART} | measured[CONTROLS]
    return {
        name: {task: value for task, value in numbers["transfer"].items() if not task.endswith(NUMBERS)}
        for name, numbers in everyone.items()
        if isinstance(numbers, dict) and "transfer" in numbers
    }


def _trade(rows: Sequence[Row]) -> go.Figure:
    figure = go.Figure()
    for row in rows:
        figure.add_scatter(
            x=[row["missed"]], y=[row["accuracy"]], name=row["variant"], text=[row["variant"]],
            mode="markers+text", textposition="top center", showlegend=False,
        )  # fmt: skip
    figure.update_xaxes(title="share of the word vectors that is missed", tickformat=".0%")
    figure.update_yaxes(title="accuracy", tickformat=".0%")
    return figure
