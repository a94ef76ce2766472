"""Figures of the evaluation of TPGN for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.algebra.principal_components import principal_components
from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.tpgn.evaluation import Example
from repline.systems.tpgn.training import REGIMES
from repline.systems.tpgn.unbinding_vectors import CATEGORIES, CLASSES, Words, cluster_table
from stages.plot_rows import Row

MEASURES = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "cider_d")
PLOTTED = 1000  # words of a projection, as in the paper
VECTORS = {"tpgn": "the unbinding vectors u", "lstm": "the LSTM's states h, the control"}


def figures(metrics: Metrics, shown: dict[str, Example], models: list[str]) -> list[Figure]:
    """The records of figures.json, for the report."""
    records = [
        charts.record(
            f"projection-{name}",
            f"The vectors of {min(PLOTTED, len(shown[name].words.picture)):,} words by part of speech: {name}",
            f"The first two principal components of {what}, of the words of the first test captions (first seed).",
            _projection(shown[name].words),
        )
        for name, what in VECTORS.items()
    ]
    curves = go.Figure()
    for name in models:
        curve = shown[name].curve
        curves.add_scatter(x=list(range(1, len(curve) + 1)), y=curve, name=name, mode="lines+markers")
    curves.update_xaxes(title="epoch")
    curves.update_yaxes(title="perplexity on dev")
    caption = "Of the first seed. Both networks have equally many parameters and the same learning rate."
    records.append(charts.record("learning", "Perplexity on dev, by epoch", caption, curves))
    rows = [(name, regime, search) for name in models for regime in REGIMES for search in metrics[name][regime]]
    values = [[metrics[name][regime][search][measure] for measure in MEASURES[:4]] for name, regime, search in rows]
    title = "BLEU on the test captions; fixed: after a fixed number of epochs, stopped: where the model is best on dev."
    records.append(
        charts.record(
            "scores", "BLEU-1 to BLEU-4", title,
            charts.heatmap(values, [", ".join(row) for row in rows], MEASURES[:4], "BLEU"),
        )
    )  # fmt: skip
    for name in VECTORS:
        table = cluster_table(shown[name].words, shown[name].clusters)
        records.append(
            charts.record(
                f"clusters-{name}",
                f"Ten clusters of vectors: {name}",
                "For each cluster, the share of words of each part of speech, and of words at positions 1 and 2.",
                charts.heatmap(
                    table,
                    [f"cluster {number}" for number in range(len(table))],
                    [*CLASSES, "position 1", "position 2"],
                    "share",
                ),
            )
        )
    return records


def plots(metrics: Metrics, models: dict[str, Example], pictures: list[str]) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`: a row for each model, regime and search; for each category of words; and captions.

    Args:
        models: by name, with the captions of the first seed.
        pictures: names of the test pictures.
    """
    return {
        "captions": [
            {"picture": picture} | {name: shown.captions[number] for name, shown in models.items()}
            for number, picture in enumerate(pictures)
        ],
        "scores": [
            {"model": f"{name}, {regime}, {search}"}
            | {measure: metrics[name][regime][search][measure] for measure in MEASURES}
            for name in models
            for regime in REGIMES
            for search in metrics[name][regime]
        ],
        "conformity": [
            {"words": f"{name}: {category}", "share": metrics[name]["vectors"]["conformity"][category]}
            for name in models
            for category in (*CATEGORIES, "all")
            if metrics[name]["vectors"]["conformity"][category] is not None
        ],
    }


def summary(measured: Metrics) -> str:
    """One line of one model."""
    parts = [
        f"{regime}: perplexity {measured['perplexity'][regime]:.2f}, BLEU-4 {measured[regime]['greedy']['bleu_4']:.3f}"
        for regime in REGIMES
    ]
    vectors = measured["vectors"]
    if vectors["linear"] is None:
        return "; ".join([*parts, "no words"])
    classes = f"part of speech {vectors['linear']:.3f} (commonest {vectors['majority']:.3f})"
    return "; ".join([*parts, classes, f"purity of ten clusters {vectors['purity_10']:.3f}"])


def _projection(words: Words) -> go.Figure:
    vectors = words.vectors[:PLOTTED].astype("float64")
    figure = go.Figure()
    if min(vectors.shape) < 2:
        return figure
    points = principal_components(vectors, 2)[0]
    for number, name in enumerate(CLASSES):
        inside = words.part_of_speech[:PLOTTED] == number
        if inside.any():
            x, y = points[inside].round(4).T.tolist()
            figure.add_scatter(x=x, y=y, name=name, mode="markers", marker={"size": 5})
    figure.update_xaxes(title="first component")
    figure.update_yaxes(title="second component")
    return figure
