"""Figures of the evaluation for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.context_parser.gap_measures import MEASURES
from repline.systems.context_parser.settings import Settings
from stages.plot_rows import Row


def figures(metrics: Metrics, settings: Settings) -> list[Figure]:
    """The records of figures.json, for the report."""
    rows = plots(metrics, settings)["measures"]
    records = [
        charts.record(
            "context-parser-fillers",
            "What the context is worth",
            "Gaps filled with the right item (exact filler), without the context, with it at several weights, and with "
            "the triplets of each scene shuffled. A random item of the scene would be right in about 3 %.",
            _bars(rows, "efi", "exact fillers, %"),
        ),
        charts.record(
            "context-parser-syntax",
            "What it costs",
            "Words with the right head, the gap and punctuation left out.",
            _bars(rows, "uas", "unlabelled attachment, %"),
        ),
        charts.record(
            "context-parser-measures",
            "All measures",
            "In percent. Other words than the gap count by what they refer to; a sentence is complete with "
            "the right item for every word.",
            _table(rows),
        ),
    ]
    if settings.authors:
        records.append(
            charts.record(
                "context-parser-authors",
                "Fold by fold, with those of the authors",
                "Exact fillers at lambda 5: by this parser, and in the predictions that the authors ship.",
                _by_fold(metrics, [*settings.corpora, *settings.authors]),
            )
        )
    return records


def plots(metrics: Metrics, settings: Settings) -> Mapping[str, Sequence[Row]]:
    """The table behind `dvc plots`: a row a corpus and setting."""
    return {
        "measures": [
            {"corpus": corpus, "setting": name, **{measure: metrics[corpus][name][measure] for measure in MEASURES}}
            for corpus in settings.corpora
            for name in settings.settings
        ]
    }


def _bars(rows: Sequence[Row], measure: str, axis: str) -> go.Figure:
    figure = go.Figure()
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        corpus_rows = [row for row in rows if row["corpus"] == corpus]
        figure.add_bar(name=corpus, x=[row["setting"] for row in corpus_rows], y=[row[measure] for row in corpus_rows])
    figure.update_yaxes(title=axis)
    return figure


def _table(rows: Sequence[Row]) -> go.Figure:
    columns = ["corpus", "setting", *MEASURES]
    cells = [
        [row[column] if isinstance(row[column], str) else f"{row[column]:.2f}" for row in rows] for column in columns
    ]
    return go.Figure(go.Table(header={"values": columns}, cells={"values": cells, "align": "left"}))


def _by_fold(metrics: Metrics, names: list[str]) -> go.Figure:
    figure = go.Figure()
    for name in names:
        if "context_5" in metrics[name]:
            values = metrics[name]["context_5"]["efi_by_fold"]
            figure.add_bar(name=name, x=list(range(1, len(values) + 1)), y=values)
    figure.update_xaxes(title="fold")
    figure.update_yaxes(title="exact fillers, %")
    return figure
