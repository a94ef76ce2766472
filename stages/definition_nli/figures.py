"""Figures of the evaluation for the report, and rows for DVC's plot."""

from typing import Any

from repline.report import charts
from repline.report.figures import Figure
from repline.systems.definition_nli.settings import Settings


def charts_of(metrics: dict[str, Any], settings: Settings) -> list[Figure]:
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


def rows(metrics: dict[str, Any], settings: Settings) -> list[dict[str, Any]]:
    """The accuracy of each variant on each corpus."""
    return [
        {"corpus": corpus, "variant": f"{corpus}: {variant}", "accuracy": metrics[corpus][variant]["accuracy"]}
        for corpus in settings.corpora
        for variant in settings.variants
    ]
