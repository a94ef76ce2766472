"""Figures of the evaluation for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.conversations.pair_tests import UNTUNED
from repline.systems.conversations.settings import ALL
from stages.plot_rows import Row


class Similarity(NamedTuple):
    """Pearson's r of an encoder on a test."""

    encoder: str
    test: str
    tuning: str
    r: float


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    replies = {_name(name): row["p10"] for name, row in _responses(metrics).items()}
    charted = [
        charts.record(
            "conversations-responses",
            "The true reply among the first ten",
            "Share of test messages whose true reply is among the first ten of a hundred candidates (P@10). tfidf "
            "counts words that the message and a reply share; untrained is an encoder with random weights.",
            charts.bars(replies, "P@10"),
        )
    ]
    for test in sorted({row.test for row in _similarity(metrics)}):
        rows = [row for row in _similarity(metrics) if row.test == test]
        chart = charts.bars({f"{_name(row.encoder)}, {row.tuning}": row.r for row in rows}, "Pearson's r")
        caption = "Pearson's r of the angle between two sentence vectors with the pair's score, on test."
        charted.append(charts.record(f"conversations-{test}", f"Similarity, {_name(test)}", caption, chart))
    return charted


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`: replies by encoder, and similarity by encoder, test and tuning."""
    return {"responses": _replies(metrics), "similarity": [row._asdict() for row in _similarity(metrics)]}


def _replies(metrics: Metrics) -> list[Row]:
    return [{"encoder": name, **measured} for name, measured in _responses(metrics).items()]


def _responses(metrics: Metrics) -> dict[str, dict[str, float]]:
    """How each encoder ranks replies, over all conversations where there are parts."""
    return {
        name: measured["responses"].get(ALL, measured["responses"])
        for name, measured in metrics.items()
        if "responses" in measured
    }


def _similarity(metrics: Metrics) -> list[Similarity]:
    return [
        Similarity(name, test, tuning, splits["test"][ALL])
        for name, measured in metrics.items()
        for test, by_tuning in measured.get("similarity", {}).items()
        for tuning, splits in sorted(by_tuning.items(), key=lambda item: item[0] != UNTUNED)
    ]


def _name(key: str) -> str:
    return key.replace("_", " ")
