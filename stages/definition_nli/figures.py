"""Figures of the evaluation for the report, and rows for DVC's plot."""

from collections.abc import Sequence

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.definition_nli.settings import Settings
from stages.plot_rows import Row


def charts_of(metrics: Metrics, settings: Settings) -> list[Figure]:
    """Bars of accuracy, a figure a corpus."""
    figures = []
    for corpus in settings.corpora:
        measured = metrics[corpus]
        bars = {variant.replace("_", " "): measured[variant]["accuracy"] for variant in settings.variants}
        bars |= {f"words of the {side} alone": measured["controls"][side] for side in ("premise", "hypothesis")}
        bars["most frequent label"] = measured["controls"]["most_frequent"]
        caption = (
            f"Accuracy on test, {corpus}: mean of {len(settings.seeds)} seeds. The shuffled dictionary gives each word "
            "the definition of another one; what it gains, no definition has given."
        )
        chart = charts.bars(bars, "accuracy")
        figures.append(charts.record(f"definition_nli-{corpus}", f"Accuracy, {corpus}", caption, chart))
    return figures


def rows(metrics: Metrics, settings: Settings) -> Sequence[Row]:
    """The accuracy of each variant on each corpus."""
    return [
        {"corpus": corpus, "variant": f"{corpus}: {variant}", "accuracy": metrics[corpus][variant]["accuracy"]}
        for corpus in settings.corpora
        for variant in settings.variants
    ]
