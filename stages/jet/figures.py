"""Figures of the evaluation of jet for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

METHODS = {
    "word": "Word",
    "term": "Term",
    "entity": "Entity",
    "entity_word": "Entity+Word",
    "cross": "+Cross",
}
ANSWERS = {
    "chance": "random",
    "majority": "majority",
    "entities": "Entities",
    "entities_program": "Entities, program",
    "mentions": "+mentions",
    "mentions_program": "+mentions, program",
    "definitions": "Definitions",
    "both": "Entities+Definitions",
    "oracle": "Oracle",
}


def figures(metrics: Metrics, models: list[str]) -> list[Figure]:
    """The records of figures.json, for the report."""
    with_types = [name for name in models if "neighbours" in metrics[name]]
    records = []
    if with_types:
        shares = {"nearest": "all", "nearest that shares no term": "unrelated", "chance": "chance"}
        bars = [
            go.Bar(name=title, x=with_types, y=[metrics[name]["neighbours"][key] for name in with_types])
            for title, key in shares.items()
        ]
        figure = go.Figure(bars)
        figure.update_yaxes(title="share of the same class", rangemode="tozero")
        records.append(
            charts.record(
                "neighbours",
                "Nearest entities of the same class",
                "Share of entities whose nearest entity has a class in common. `lists` and `entries` are trained with "
                "the entities permuted among the terms.",
                figure,
            )
        )
    for name in models:
        tests = [test for test in ("definitions", "instances") if test in metrics[name]]
        for test in tests:
            answers = {ANSWERS[key]: metrics[name][test][key] for key in ANSWERS if key in metrics[name][test]}
            records.append(
                charts.record(
                    f"{test}-{name}",
                    f"Which entity is meant: {test}, {name}",
                    "Share of right answers. `program`: the score of the authors' program, without the last division "
                    "by the length of the entity.",
                    charts.bars(answers, "share right"),
                )
            )
    sets = list(metrics["word_vectors"]["pairs"])
    rows = [(name, test) for name in models for test in sets]
    values = [
        [(metrics[name]["pairs"][test].get(method) or {}).get("rho") for method in METHODS] for name, test in rows
    ]
    records.append(
        charts.record(
            "pairs",
            "Similarity and relatedness, by model",
            "Spearman's correlation with people's scores, over the pairs that each method knows.",
            charts.heatmap(values, [f"{name}, {test}" for name, test in rows], list(METHODS.values()), "Spearman"),
        )
    )
    curves = go.Figure()
    for name in models:
        losses = metrics[name]["losses"]
        curves.add_scatter(x=list(range(1, len(losses) + 1)), y=losses, name=name, mode="lines+markers")
    curves.update_xaxes(title="pass")
    curves.update_yaxes(title="loss")
    caption = "Mean loss of a target and one of its contexts, with the negatives of that context."
    records.append(charts.record("losses", "Loss, by pass", caption, curves))
    return records


def plots(metrics: Metrics, models: list[str]) -> Mapping[str, Sequence[Row]]:
    """The table behind `dvc plots`: one row a model, test and method."""
    rows = []
    for name in models:
        for test, methods in metrics[name]["pairs"].items():
            for method, scores in methods.items():
                if scores["rho"] is not None:
                    rows.append({"model": f"{test}: {name}, {METHODS[method]}", "test": test, "rho": scores["rho"]})
    return {"pairs": rows}


def summary(measured: Metrics) -> str:
    """One line of one model."""
    parts = [f"{test} {_shown(methods['word']['rho'])} by words" for test, methods in measured["pairs"].items()]
    if "neighbours" in measured:
        near = measured["neighbours"]
        parts.insert(0, f"nearest of the same class {near['all']:.3f}, without shared terms {near['unrelated']:.3f}")
    return ", ".join(parts)


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
