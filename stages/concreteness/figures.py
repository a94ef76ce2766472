"""Figures of the evaluation of concreteness for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

METHODS = {
    "svr": "support vectors",
    "svr_narrow": "support vectors, gamma 0.003",
    "svr_raw": "support vectors, gamma 0.003, raw ratings",
    "ffn": "feed-forward network",
    "ridge": "ridge",
    "frequency": "frequency",
    "dic": "dictionary",
    "dic_backoff": "dictionary, else the mean",
    "ceiling": "support vectors inside the language",
}
TARGETS = {
    "concreteness": "concreteness",
    "concreteness_sd": "its deviation",
    "imageability": "imageability",
    "imageability_sd": "its deviation (imageability)",
}


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    (across,) = metrics["across"].values()
    return [
        charts.record(
            "concreteness-within",
            "Within a language",
            "Spearman's rho between predicted and given ratings, out of fold, mean over folds and seeds.",
            _grouped(_within_rows(metrics), "set"),
        ),
        charts.record(
            "concreteness-across",
            "Into another language",
            "Spearman's rho on the words that the dictionary reaches; the last bar is fitted inside that language.",
            _grouped(_across_rows(metrics), "target"),
        ),
        charts.record(
            "concreteness-alignments",
            "What an alignment needs",
            "Share of held-out translations found; the number counts the pairs that the map was made from.",
            charts.bars(
                {
                    f"{name.replace('_', ' ')} ({alignment['pairs']})": alignment["precision_at_1"]
                    for name, alignment in across["alignments"].items()
                },
                "precision at 1",
            ),
        ),
        charts.record(
            "concreteness-spread",
            "Dimensions that carry the prediction",
            "Cumulative share of the absolute coefficients of a linear model, largest first; next to it the mean of "
            "models whose ratings are dealt to the words at random, in which no dimension tells anything.",
            _spread(metrics["spread"]),
        ),
    ]


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, by file name."""
    return {"within": _within_rows(metrics), "across": _across_rows(metrics), "spread": _spread_rows(metrics["spread"])}


def _within_rows(metrics: Metrics) -> Sequence[Row]:
    return [
        {"set": f"{name} {part}, {TARGETS[target]}", "method": METHODS[method], "spearman": value["spearman"]}
        for name, parts in metrics["within"].items()
        for part, targets in parts.items()
        for target, methods in targets.items()
        for method, value in methods.items()
        if method in METHODS
    ]


def _across_rows(metrics: Metrics) -> Sequence[Row]:
    return [
        {"target": f"{TARGETS[target]}", "method": METHODS[method], "spearman": value, "pair": pair}
        for pair, targets in metrics["across"].items()
        for target, values in targets.items()
        if target in TARGETS
        for method, value in values["covered"].items()
        if value is not None
    ]


def _spread_rows(spread: Metrics) -> Sequence[Row]:
    return [
        {"model": model, "dimensions": dimensions, "share": share}
        for name, targets in spread.items()
        for target, mass in targets.items()
        for model, values in ((f"{name}, {target}", mass), (f"{name}, {target}, shuffled", mass["shuffled"]))
        for dimensions, share in enumerate(values["cumulative"], start=1)
    ]


def _grouped(rows: Sequence[Row], by: str) -> go.Figure:
    figure = go.Figure()
    for method in dict.fromkeys(row["method"] for row in rows):
        group = [row for row in rows if row["method"] == method]
        figure.add_bar(x=[row[by] for row in group], y=[row["spearman"] for row in group], name=method)
    figure.update_yaxes(title="Spearman's rho")
    return figure


def _spread(spread: Metrics) -> go.Figure:
    figure = go.Figure()
    rows = _spread_rows(spread)
    for model in dict.fromkeys(row["model"] for row in rows):
        group = [row for row in rows if row["model"] == model]
        figure.add_scatter(
            x=[row["dimensions"] for row in group], y=[row["share"] for row in group], name=model, mode="lines"
        )
    figure.update_xaxes(title="dimensions")
    figure.update_yaxes(title="share of the mass", range=[0, 1.02], tickformat=".0%")
    return figure
