"""Figures of the evaluation for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.image_lexicon.set_counts import Extreme
from stages.plot_rows import Row

METHODS = {
    "avgmax": "AVGMAX",
    "maxmax": "MAXMAX",
    "cnn_mean": "CNN-MEAN",
    "cnn_max": "CNN-MAX",
    "knn": "KNN",
    "knn_c": "KNN-C",
}
GROUPS = ("noun", "verb", "adjective")


def figures(metrics: Metrics, extremes: Mapping[str, Sequence[Extreme]]) -> list[Figure]:
    """The records of figures.json, for the report.

    Args:
        extremes: by run, words with `pos`, `end`, `word` and `dispersion`.
    """
    rows = plots(metrics)["translation"]
    return [
        charts.record(
            "image-lexicon-first",
            "Words whose translation comes first",
            "The share of words of each part of speech whose translation scores highest of all, by method; ties count "
            "as misses. The mean over the languages.",
            _bars(rows, "p1", "first answers right"),
        ),
        charts.record(
            "image-lexicon-mrr",
            "Mean reciprocal rank",
            "By the methods that rank all words, ties at their mean rank.",
            _bars([row for row in rows if row["mrr"] is not None], "mrr", "MRR"),
        ),
        charts.record(
            "image-lexicon-dispersion",
            "How much the pictures of a word vary",
            "The mean distance of two pictures of a word, the mean over the languages.",
            _dispersion(metrics),
        ),
        charts.record(
            "image-lexicon-extremes",
            "Words whose pictures vary least and most",
            "Words of the source language with two pictures at least.",
            _table(extremes),
        ),
    ]


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The table behind `dvc plots`: a row a run, method and part of speech."""
    rows = []
    for run, metrics_of_run in metrics["runs"].items():
        for method, title in METHODS.items():
            for group in GROUPS:
                scores = metrics_of_run["methods"][method][group]
                row = {"run": run, "method": title, "words": group}
                rows.append(row | {name: scores.get(name) for name in ("mrr", "p1", "p10")})
    return {"translation": rows}


def _bars(rows: Sequence[Row], measure: str, axis: str) -> go.Figure:
    figure = go.Figure()
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(f"{row['run']}: {row['words']}s", []).append(row)
    for name, of in groups.items():
        figure.add_bar(name=name, x=[row["method"] for row in of], y=[row[measure] for row in of])
    figure.update_yaxes(title=axis, tickformat=".0%")
    return figure


def _dispersion(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    for run, metrics_of_run in metrics["runs"].items():
        figure.add_bar(name=run, x=list(GROUPS), y=[metrics_of_run["dispersion"]["mean"][group] for group in GROUPS])
    figure.update_yaxes(title="dispersion")
    return figure


def _table(extremes: Mapping[str, Sequence[Extreme]]) -> go.Figure:
    columns = ("run", "pos", "end", "words")
    rows: dict[tuple[str, str, str], list[str]] = {}
    for run, words in extremes.items():
        for row in words:
            rows.setdefault((run, row["pos"], row["end"]), []).append(f"{row['word']} {row['dispersion']:.2f}")
    cells = [list(column) for column in zip(*((*key, ", ".join(words)) for key, words in rows.items()), strict=True)]
    return go.Figure(go.Table(header={"values": list(columns)}, cells={"values": cells or [[]] * 4, "align": "left"}))
