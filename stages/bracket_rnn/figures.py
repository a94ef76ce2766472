"""Figures of the evaluation of the Bracket-RNN for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

WITH_BRACKETS, WITH_PREDICTION = "given the brackets", "predicting them too"
NAMES = {
    "lstm": "LSTM, no brackets",
    "linear": "brackets as tokens",
    "bracket": "Bracket-RNN",
    "random": "Bracket-RNN, random brackets",
    "bracket_joint": "Bracket-RNN, trained to predict brackets",
    "linear_joint": "brackets as tokens, trained to predict them",
    "no_step": "variant B: brackets are no steps",
    "hidden_only": "variant C: merge h alone",
    "joint_net": "one merge net for h and c",
    "restore": "stack without merge nets",
    "attention": "attention over all saved states",
    "lstm3": "LSTM, 3 layers",
    "bracket3": "Bracket-RNN, 3 layers",
}


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    return [
        charts.record(
            "perplexities",
            "Perplexity per word, with the brackets given and predicted",
            "Test set. Brackets that are given say where phrases begin and end, which no reader knows before. A model "
            "that has to predict them as well pays for both, per word: only that bar compares with the plain LSTM.",
            _bars(metrics),
        ),
        charts.record(
            "by-epoch",
            "Validation perplexity by epoch",
            f"Per word. Lines: {WITH_BRACKETS}; the dotted line at each level is the final perplexity of that model "
            f"{WITH_PREDICTION}. A model trained to predict brackets is drawn by what it was trained for.",
            _curves(metrics),
        ),
    ]


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, by file name: one row a model and measure, or an epoch."""
    runs = _runs(metrics)
    bars = [
        {"model": f"{NAMES.get(name, name)}, {measure}", "perplexity": values["test"][key]}
        for name, values in runs.items()
        for key, measure in _measures(values)
    ]
    epochs = []
    for name, values in runs.items():
        predicts = values.get("predict", 0) > 0
        measure = WITH_PREDICTION if predicts else WITH_BRACKETS
        label = f"{NAMES.get(name, name)}, {measure}" if values["validation"]["brackets"] else NAMES.get(name, name)
        epochs += [{"model": label, "epoch": n, "perplexity": v} for n, v in enumerate(values["by_epoch"], 1)]
        if values["validation"]["brackets"] and not predicts:
            last = {"epoch": len(values["by_epoch"]), "perplexity": values["validation"]["joint"]}
            epochs.append({"model": f"{NAMES.get(name, name)}, {WITH_PREDICTION}"} | last)
    return {"perplexities": bars, "by_epoch": epochs}


def _runs(metrics: Metrics) -> Metrics:
    return {name: values for name, values in metrics.items() if name not in ("constituents", "poster_sizes")}


def _measures(values: Metrics) -> list[tuple[str, str]]:
    """Metric and label: one for a model without brackets, whose two perplexities are the same."""
    if values["test"]["brackets"]:
        return [("perplexity", WITH_BRACKETS), ("joint", WITH_PREDICTION)]
    return [("joint", "plain")]


def _bars(metrics: Metrics) -> go.Figure:
    runs = _runs(metrics)
    labels = [NAMES.get(name, name) for name in runs]
    figure = go.Figure()
    tests = [values["test"] for values in runs.values()]
    with_brackets = [test["perplexity"] if test["brackets"] else None for test in tests]
    with_prediction = [test["joint"] for test in tests]
    for name, values in ((WITH_BRACKETS, with_brackets), (WITH_PREDICTION, with_prediction)):
        figure.add_bar(y=labels, x=values, name=name, orientation="h")
    figure.update_layout(barmode="group", height=140 + 44 * len(labels))
    figure.update_yaxes(autorange="reversed", type="category")
    figure.update_xaxes(title="perplexity per word")
    return figure


def _curves(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    for name, values in _runs(metrics).items():
        epochs = list(range(1, len(values["by_epoch"]) + 1))
        label = NAMES.get(name, name)
        figure.add_scatter(x=epochs, y=values["by_epoch"], name=label, mode="lines+markers", legendgroup=name)
        if values["validation"]["brackets"] and not values.get("predict"):
            level = [values["validation"]["joint"]] * 2
            figure.add_scatter(
                x=[epochs[0], epochs[-1]],
                y=level,
                name=f"{label}, {WITH_PREDICTION}",
                mode="lines",
                line={"dash": "dot"},
                legendgroup=name,
            )
    figure.update_xaxes(title="epoch", dtick=1)
    figure.update_yaxes(title="perplexity per word", type="log")
    return figure
