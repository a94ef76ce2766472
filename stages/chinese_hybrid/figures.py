"""Figures of the evaluation of chinese_hybrid for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

TITLES = {
    "cbow": "CBOW",
    "cwe": "CWE",
    "jwe": "JWE",
    "cowe_c2": "COWE-c2",
    "cowe_p": "COWE-p",
    "cowe_nc": "COWE-nc",
    "cowe": "COWE",
}


def figures(metrics: Metrics, models: list[str], neighbours: tuple[str, dict[str, list[str]]]) -> list[Figure]:
    """The records of figures.json, for the report.

    Args:
        neighbours: a word, and the words nearest to it by model.
    """
    rows = [_title(name) for name in models]
    analogies = [test for test, counts in metrics["tests"].items() if counts.get("kept")]
    pairs = [test for test, counts in metrics["tests"].items() if "pairs" in counts]
    word, nearest = neighbours
    records = [
        charts.record(
            "analogies",
            "Analogies, by model",
            "Share of right answers by 3CosAdd among the questions whose words are all known, mean of the seeds. "
            "COWE-p, COWE-nc and COWE also predict a word from its own characters.",
            charts.heatmap(
                [[metrics[name][test]["add"] for test in analogies] for name in models], rows, analogies, ""
            ),
        ),
        charts.record(
            "ranks",
            "How near the right answer comes",
            "Mean reciprocal rank of the right answer among all words.",
            charts.heatmap(
                [[metrics[name][test]["mrr"] for test in analogies] for name in models], rows, analogies, ""
            ),
        ),
        charts.record(
            "losses",
            "Loss of the first prediction, by pass",
            "Loss of a prediction from the context alone (h1; for CWE its composed context), not of all predictions: "
            "h4 and h5 see the word that they predict.",
            _losses(metrics, models),
        ),
    ]
    if pairs:
        values = [[metrics[name][test]["spearman"] for test in pairs] for name in models]
        records.append(
            charts.record(
                "similarity",
                "Word similarity, by model",
                "Spearman's correlation with people's scores, of the pairs whose words are both known.",
                charts.heatmap(values, rows, pairs, "Spearman"),
            )
        )
    if all(nearest.values()):
        cells = [[", ".join(words) for words in nearest.values()]]
        table = go.Figure(
            go.Table(header={"values": ["model", f"nearest to {word}"]}, cells={"values": [rows, *cells]})
        )
        records.append(charts.record("neighbours", f"The words nearest to {word}", "By cosine, first seed.", table))
    return records


def plots(metrics: Metrics, models: list[str]) -> Mapping[str, Sequence[Row]]:
    """The table behind `dvc plots`: one row a model and test."""
    rows = []
    for name in models:
        for test in metrics["tests"]:
            value = metrics[name][test].get("add", metrics[name][test].get("spearman"))
            if value is not None:
                rows.append({"model": f"{test}: {_title(name)}", "test": test, "score": value})
    return {"scores": rows}


def _losses(metrics: Metrics, models: list[str]) -> go.Figure:
    figure = go.Figure()
    for name in models:
        values = metrics[name]["losses"]
        figure.add_scatter(x=list(range(1, len(values) + 1)), y=values, name=_title(name), mode="lines+markers")
    figure.update_xaxes(title="pass")
    figure.update_yaxes(title="loss of the first bag")
    return figure


def _title(name: str) -> str:
    return TITLES.get(name, name)
