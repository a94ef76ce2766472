"""Figures of the evaluation for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.srl_seq2seq.evaluation import DISTANCES, LENGTHS, POSITIONS, Confused
from stages.plot_rows import Row

Confusions = Mapping[str, Sequence[Confused]]  # by corpus
GROUPS = {"length": LENGTHS, "distance": DISTANCES, "position": POSITIONS}
TITLES = {
    "length": ("F1 by the length of the sentence", "F1, %"),
    "distance": ("F1 by the distance of an argument from its predicate", "F1, %"),
    "position": ("Wrongly labelled words by their place in the sentence", "wrong words, %"),
}


def figures(metrics: Metrics, confusions: Confusions) -> list[Figure]:
    """The records of figures.json, for the report."""
    records = []
    for corpus, measured in metrics.items():
        bars = {name.replace("_", " "): measures["f1_min"] for name, measures in _models(measured)}
        bars |= {
            f"{name.replace('_', ' ')} (baseline)": measures["f1_min"]
            for name, measures in measured["baselines"].items()
        }
        caption = (
            "F1 over the arguments of test, the mean over seeds; an output with more or fewer words than its source "
            "has found nothing. The baseline of the frequent label is given the true spans, that of noun chunks is not."
        )
        records.append(
            charts.record(f"srl-f1-{corpus}", f"Arguments found, {corpus}", caption, charts.bars(bars, "F1, %"))
        )
    records.append(
        charts.record(
            "srl-faithful",
            "How faithful the outputs are",
            "Shares of the outputs with as many words as the source, with its very words, and with balanced brackets.",
            _faithful(metrics),
        )
    )
    for what, (title, axis) in TITLES.items():
        caption = "In three ranges of words (params.yaml: srl_seq2seq.corpora.<name>.ranges); the mean over seeds."
        records.append(charts.record(f"srl-{what}", title, caption, _ranges(metrics, what, axis)))
    for corpus, rows in confusions.items():
        caption = (
            "Spans that the first variant finds exactly, one seed: percent of each gold label (columns) that have "
            "each label in the output (rows), as in the paper's figure 4."
        )
        records.append(
            charts.record(f"srl-confusion-{corpus}", f"Labels of exact spans, {corpus}", caption, _table(rows))
        )
    return records


def plots(metrics: Metrics, confusions: Confusions) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`: a row for each corpus and model, each range, and each cell of a confusion."""
    models = [(corpus, name, measures) for corpus, measured in metrics.items() for name, measures in _models(measured)]
    columns = ("same_length", "exact_copy", "brackets", "precision", "recall", "f1_min", "f1_max")
    return {
        "models": [
            {"model": f"{corpus}, {name}"} | {column: measures[column] for column in columns}
            for corpus, name, measures in models
        ],
        "ranges": [
            {"model": f"{corpus}, {name}", "by": what, "range": group, "value": measures[what][group]}
            for corpus, name, measures in models
            for what, groups in GROUPS.items()
            for group in groups
        ],
        "confusion": [{"corpus": corpus, **row} for corpus, rows in confusions.items() for row in rows],
    }


def _models(measured: Metrics) -> list[tuple[str, Metrics]]:
    return [(name, measures) for name, measures in measured.items() if name not in ("baselines", "data")]


def _faithful(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    models = [
        (f"{corpus}, {name.replace('_', ' ')}", measures)
        for corpus, measured in metrics.items()
        for name, measures in _models(measured)
    ]
    for what in ("same_length", "exact_copy", "brackets"):
        names, values = [name for name, _ in models], [measures[what] for _, measures in models]
        figure.add_bar(name=what.replace("_", " "), x=names, y=values)
    figure.update_yaxes(title="outputs, %")
    return figure


def _ranges(metrics: Metrics, what: str, axis: str) -> go.Figure:
    figure = go.Figure()
    for corpus, measured in metrics.items():
        for name, measures in _models(measured):
            values = [measures[what][group] for group in GROUPS[what]]
            label = f"{corpus}, {name.replace('_', ' ')}"
            figure.add_scatter(name=label, x=list(GROUPS[what]), y=values, mode="lines+markers")
    figure.update_yaxes(title=axis)
    return figure


def _table(rows: Sequence[Confused]) -> go.Figure:
    gold, predicted = (list(dict.fromkeys(row[side] for row in rows)) for side in ("gold", "found"))
    value = {(row["found"], row["gold"]): row["percent"] or 0.0 for row in rows}
    return charts.heatmap(
        [[value[label, gold_label] for gold_label in gold] for label in predicted], predicted, gold, "%"
    )
