"""Figures of the evaluation of the WordNet embeddings for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

NAMES = {"default": "WordNet embeddings"}


def figures(metrics: Metrics, baselines: list[str]) -> list[Figure]:
    """The records of figures.json, for the report."""
    return [
        charts.record(
            "variants",
            "Variants on SimLex-999",
            "Spearman correlation of cosines with people's scores of similarity, on the pairs that each variant knows.",
            charts.bars(
                {_name(key): scores["simlex_999"]["spearman"] for key, scores in _measured(metrics, "simlex_999")},
                "Spearman correlation",
            ),
        ),
        charts.record(
            "similarity-relatedness",
            "Similarity against relatedness",
            "What helps on SimLex-999 (similarity) need not help on WordSim-353, which is mostly relatedness.",
            _scatter(metrics),
        ),
    ] + [
        charts.record(
            f"tests-{name}",
            f"Every test, compared with {_name(name)}",
            "Spearman correlation on the pairs that both know.",
            _tests(metrics, name),
        )
        for name in baselines
    ]


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The table behind `dvc plots`: one row a variant and test."""
    rows = [
        {"variant": _name(variant), "test": test, "spearman": result["spearman"], "kept": result["kept"]}
        for variant, by_test in metrics.items()
        for test, result in by_test.items()
        if test != "graph" and result["spearman"] is not None
    ]
    return {"similarity": rows}


def _scatter(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    rows = [
        (_name(key), scores["simlex_999"]["spearman"], scores["wordsim_353"]["spearman"])
        for key, scores in _measured(metrics, "simlex_999")
        if scores.get("wordsim_353", {}).get("spearman") is not None
    ]
    figure.add_scatter(
        x=[row[1] for row in rows],
        y=[row[2] for row in rows],
        text=[row[0] for row in rows],
        mode="markers+text",
        textposition="top center",
        showlegend=False,
    )
    figure.update_xaxes(title="SimLex-999")
    figure.update_yaxes(title="WordSim-353")
    return figure


def _tests(metrics: Metrics, baseline: str) -> go.Figure:
    names = [test for test in metrics["default"] if test != "graph"]
    shared = [metrics[baseline][test]["shared"] for test in names]
    figure = go.Figure()
    figure.add_bar(x=names, y=[scores["spearman_of_default"] for scores in shared], name=NAMES["default"])
    figure.add_bar(x=names, y=[scores["spearman"] for scores in shared], name=_name(baseline))
    figure.update_yaxes(title="Spearman correlation")
    figure.update_layout(barmode="group")
    return figure


def _measured(metrics: Metrics, test: str) -> list[tuple[str, Any]]:
    return [(key, scores) for key, scores in metrics.items() if scores.get(test, {}).get("spearman") is not None]


def _name(variant: str) -> str:
    return NAMES.get(variant, variant.replace("_", " "))
