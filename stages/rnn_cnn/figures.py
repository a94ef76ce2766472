"""Figures of the evaluation for the report, and rows for DVC's plot."""

from collections.abc import Sequence

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row


def charts_of(metrics: Metrics) -> list[Figure]:
    """Scores on tasks and nats of held-out text, two figures a corpus."""
    return [draw(corpus, measured) for corpus, measured in metrics.items() for draw in (_tasks, _nats)]


def rows(metrics: Metrics) -> Sequence[Row]:
    """The mean accuracy of each variant on the tasks of each corpus."""
    return [
        {"corpus": corpus, "variant": f"{corpus}: {variant}", "accuracy": variant_metrics["accuracy"]}
        for corpus, measured in metrics.items()
        for variant, variant_metrics in measured.items()
        if "accuracy" in variant_metrics
    ]


def _tasks(corpus: str, measured: Metrics) -> Figure:
    models = [variant for variant in measured if variant != "counts"]
    tasks = [task for task, scores in measured[models[0]].items() if isinstance(scores, dict)]
    table = [[100 * measured[variant][task]["value"] for task in tasks] for variant in models]
    caption = (
        "Accuracy in percent, or 100 times Pearson's correlation, means of seeds. The average of the pre-trained "
        "vectors and the untrained encoder are what a trained one has to beat."
    )
    chart = charts.heatmap(table, [_title(variant) for variant in models], [_title(task) for task in tasks], "score")
    return charts.record(f"rnn_cnn-{corpus}", f"Tasks, {corpus}", caption, chart)


def _nats(corpus: str, measured: Metrics) -> Figure:
    held_out = {
        _title(variant): variant_metrics["held_out"]
        for variant, variant_metrics in measured.items()
        if "held_out" in variant_metrics
    }
    bars = {variant: nats["nats"] for variant, nats in held_out.items()}
    bars |= {f"{variant}, sentence of another pair": nats["swapped"] for variant, nats in held_out.items()}
    bars["frequencies of words"] = next(iter(held_out.values()))["unigram"]
    caption = "Nats per word that follows a held-out sentence. Autoregressive decoders see the words before it too."
    chart = charts.bars(bars, "nats per word")
    return charts.record(f"rnn_cnn-{corpus}-nats", f"Words that follow, {corpus}", caption, chart)


def _title(name: str) -> str:
    return name.replace("_", " ")
