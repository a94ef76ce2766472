"""Figures of the evaluation of RRNet for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

NAMES = {
    "lstm": "LSTM",
    "lstm_wide": "LSTM, as many parameters as RRNet",
    "supervised": "RRNet, given trees",
    "imitated": "RRNet, predicted trees",
    "unsupervised": "RRNet, learned policy",
    "random": "RRNet, random policy",
    "carried": "RRNet, given trees, c carried",
    "tree_lstm": "TreeLSTM",
    "rrnet": "RRNet, learned policy",
    "majority": "majority",
}


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    records = [
        charts.record(
            "expressions-length",
            "Values of expressions, by length",
            "Both digits right, by the number of operators; the shorter ones were trained on. Wilson 95 % intervals, "
            "runs pooled.",
            charts.accuracy_curves(_named(metrics["expressions"]), "length", 0, "operators"),
        ),
        charts.record(
            "relations-length",
            "Relations between formulas, by length",
            "Accuracy by the number of connectives of the longer formula, 12 for all from 12 up.",
            charts.accuracy_curves(_named(metrics["relations"]), "length", 0, "connectives"),
        ),
        charts.record(
            "language-model",
            "Test perplexity",
            "The state is carried over the whole stream; a policy takes its most probable operations.",
            charts.bars(_perplexities(metrics), "perplexity"),
        ),
    ]
    shares = _shares(metrics)
    if shares:
        rows = list(shares)
        columns = ["split", "merge", "recur"]
        values = [[shares[row][column] for column in columns] for row in rows]
        caption = "How often each operation is done on the test data; a policy that collapses only recurs."
        records.append(
            charts.record("operations", "Operations", caption, charts.heatmap(values, rows, columns, "share"))
        )
    return records


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, by file name."""
    return {
        "expressions_by_length": _curve_rows(metrics["expressions"]),
        "relations_by_length": _curve_rows(metrics["relations"]),
        "perplexity": [{"model": name, "perplexity": value} for name, value in _perplexities(metrics).items()],
    }


def _name(variant: str) -> str:
    return NAMES.get(variant, variant)


def _perplexities(metrics: Metrics) -> dict[str, float]:
    return {_name(name): values["perplexity"] for name, values in metrics["language_model"].items()}


def _named(task: Metrics) -> Metrics:
    return {_name(name): values for name, values in task.items()}


def _shares(metrics: Metrics) -> dict[str, dict[str, float]]:
    titles = {"expressions": "expressions", "language_model": "words"}
    return {
        f"{title}: {_name(name)}": values["operations"]
        for task, title in titles.items()
        for name, values in metrics[task].items()
        if "operations" in values
    }


def _curve_rows(task: Metrics) -> Sequence[Row]:
    rows = []
    for name, values in task.items():
        curves = (values[f"accuracy_by_length{end}"] for end in ("", "_low", "_high"))
        for length, (accuracy, low, high) in enumerate(zip(*curves, strict=True)):
            if accuracy is not None:
                rows += [{"model": _name(name), "length": length, "accuracy": accuracy, "low": low, "high": high}]
    return rows
