"""Figures of the evaluation of name typing for the report, and rows for DVC's plots."""

from collections.abc import Iterator, Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.name_typing.settings import NOT_SPACES
from stages.plot_rows import Row

TITLES = {"lr": "LR", "mlp": "MLP, one a type", "mlp_shared": "MLP, shared layer"}


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    return [
        charts.record(
            "name-typing-f1",
            "Micro-F1 of predicted types",
            "Names with a vector; at 0.5 and at the threshold that is best on dev. The lines are the best prediction "
            "that is the same for all names.",
            _scores(metrics),
        ),
        charts.record(
            "name-typing-by-types",
            "Micro-F1 by the number of types",
            "Names with exactly this number of types, one perceptron a type, at 0.5.",
            _by_types(metrics),
        ),
    ]


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, by file name."""
    rows = [
        {"classifier": f"{space}: {control}, {kind}", "rule": rule, "acc": numbers["acc"], "f1": numbers["f1"]}
        for space, control, kind, scores in _classifiers(metrics)
        for rule, numbers in scores.items()
    ]
    groups = [
        {"space": space, "classifier": kind, "types": int(number), "f1": numbers["f1"], "acc": numbers["acc"]}
        for space, control, kind, scores in _classifiers(metrics)
        if control == "given"
        for number, numbers in scores["half"]["by_types"].items()
    ]
    return {"f1": rows, "by_types": groups}


def _classifiers(metrics: Metrics) -> Iterator[tuple[str, str, str, Metrics]]:
    for space, measured in metrics.items():
        if space not in NOT_SPACES:
            for control in (name for name in measured if name not in ("names", "constants")):
                for kind, scores in measured[control].items():
                    yield space, control, kind, scores


def _scores(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    for rule, title in (("half", "at 0.5"), ("tuned", "at the best threshold on dev")):
        rows = {
            f"{space}{'' if control == 'given' else ', ' + control}: {TITLES[kind]}": scores[rule]["f1"]
            for space, control, kind, scores in _classifiers(metrics)
        }
        figure.add_bar(y=list(rows), x=list(rows.values()), name=title, orientation="h")
    best = max(measured["constants"]["best"]["f1"] for space, measured in metrics.items() if space not in NOT_SPACES)
    figure.add_vline(x=best, line_dash="dot")
    figure.update_xaxes(title="micro-F1", tickformat=".0%")
    return figure


def _by_types(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    for space, control, kind, scores in _classifiers(metrics):
        if control == "given" and kind == "mlp":
            groups = scores["half"]["by_types"]
            figure.add_scatter(
                x=[int(size) for size in groups], y=[numbers["f1"] for numbers in groups.values()], name=space
            )
    figure.update_xaxes(title="types of a name", dtick=1)
    figure.update_yaxes(title="micro-F1", tickformat=".0%")
    return figure
