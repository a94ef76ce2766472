"""Figures of the evaluation for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

KINDS = {"cnn": "network", "linear": "TF-IDF and logistic regression"}
THRESHOLDS = {"half": "at 0.5", "tuned": "tuned on dev"}


def figures(metrics: Metrics, near: dict[str, list[dict[str, str]]]) -> list[Figure]:
    """The records of figures.json, for the report.

    Args:
        near: by corpus, rows with `names`, `word` and `nearest`.
    """
    rows = plots(metrics)["f1"]
    return [
        charts.record(
            "entity-documents-names",
            "What names are worth",
            "Micro-F1 of each task by how names are written. The labels called places are carried by names, topics by "
            "common words. At 0.5 and with a threshold for each label that is best on dev.",
            _bars(rows, "micro"),
        ),
        charts.record(
            "entity-documents-macro",
            "The same, every label alike",
            "Macro-F1: the mean over the labels that a test document has.",
            _bars(rows, "macro"),
        ),
        charts.record(
            "entity-documents-neighbours",
            "Nearest words",
            "By the cosine of GloVe vectors, trained on the documents in each way of writing names. A form that ends "
            "in _NE is a part of a name.",
            _table([{"corpus": corpus, **row} for corpus, rows in near.items() for row in rows]),
        ),
    ]


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The table behind `dvc plots`: a row a corpus, task, classifier, way of writing names and threshold."""
    return {
        "f1": [
            {
                "corpus": corpus,
                "task": task,
                "classifier": title,
                "names": variant,
                "threshold": when,
                **scores[threshold],
            }
            for corpus, kinds in metrics.items()
            for kind, title in KINDS.items()
            for task, variants in kinds[kind].items()
            for variant, scores in variants.items()
            for threshold, when in THRESHOLDS.items()
        ]
    }


def _bars(rows: Sequence[Row], measure: str) -> go.Figure:
    figure = go.Figure()
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(f"{row['corpus']}: {row['classifier']}, {row['threshold']}", []).append(row)
    for name, of in groups.items():
        figure.add_bar(name=name, x=[f"{row['task']}, {row['names']}" for row in of], y=[row[measure] for row in of])
    figure.update_yaxes(title=f"{measure}-F1", tickformat=".0%")
    return figure


def _table(rows: list[dict[str, str]]) -> go.Figure:
    columns = ("corpus", "names", "word", "nearest")
    cells = [[row[column] for row in rows] for column in columns]
    return go.Figure(go.Table(header={"values": list(columns)}, cells={"values": cells, "align": "left"}))
