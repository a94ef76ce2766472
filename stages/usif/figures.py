"""Figures of the evaluation of uSIF for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.usif.variants import VARIANTS
from stages.plot_rows import Row

TESTS = {
    "sts12": "STS 2012",
    "sts13": "STS 2013",
    "sts14": "STS 2014",
    "sts15": "STS 2015",
    "sts16": "STS 2016",
    "mean_12_15": "mean of 2012-15",
    "sick": "SICK",
    "stsb_dev": "STS Benchmark dev",
    "stsb_test": "STS Benchmark test",
    "lee": "news stories",
}
OF_TEST_SENTENCES, OF_OTHER_TEXT = "of the test sentences", "of other text"  # the common components
TITLES: dict[str, str] = {name: variant.title for name, variant in VARIANTS.items()}


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    (means,), (tasks,), (elsewhere,) = (metrics[key].values() for key in ("similarity", "probes", "elsewhere"))
    headline = next(test for test in ("mean_12_15", *means["up"]) if test in means["up"])
    return [
        charts.record(
            "usif-ablation",
            f"What each part is worth, {_name(headline)}",
            "Pearson's r x 100 of cosines with people's scores. The claims are judged with the components of the test "
            "sentences themselves, as in the paper; those of other text stand next to them.",
            _protocols({OF_TEST_SENTENCES: means, OF_OTHER_TEXT: elsewhere}, headline),
        ),
        charts.record(
            "usif-tests",
            "Every test",
            "The plain average, SIF with one component removed, and uSIF with five removed in pieces.",
            _tests({TITLES[name]: means[name] for name in ("average", "sif_wr", "up")}),
        ),
        charts.record(
            "usif-probes",
            "Supervised tasks",
            "Accuracy x 100, for relatedness (sick_r) Pearson's r x 100, of a small classifier on fixed vectors.",
            _probes(tasks),
        ),
    ]


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, by file name: one row a variant and test."""
    (means,), (tasks,), (elsewhere,) = (metrics[key].values() for key in ("similarity", "probes", "elsewhere"))
    return {
        "similarity": [
            {"variant": TITLES[name], "test": _name(test), "components": components, "pearson": value}
            for components, variants in ((OF_TEST_SENTENCES, means), (OF_OTHER_TEXT, elsewhere))
            for name, scores in variants.items()
            for test, value in scores.items()
        ],
        "probes": [
            {"variant": _variant(name), "task": task, "score": value}
            for task, scores in tasks.items()
            for name, value in scores.items()
        ],
    }


def _protocols(series: dict[str, dict[str, dict[str, float]]], test: str) -> go.Figure:
    """One bar a variant and source of the components, the variants in the order of the first source's results."""
    first = next(iter(series.values()))
    ordered = sorted((name for name in first if test in first[name]), key=lambda name: -first[name][test])
    figure = go.Figure()
    for source, means in series.items():
        there = [name for name in ordered if test in means.get(name, {})]
        if there:
            values, titles = [means[name][test] for name in there], [f" {TITLES[name]} " for name in there]
            figure.add_bar(x=values, y=titles, name=source, orientation="h")
    figure.update_xaxes(title="r x 100")
    figure.update_yaxes(type="category", dtick=1)
    figure.update_layout(height=160 + 30 * len(ordered))
    return figure


def _tests(series: dict[str, dict[str, float]]) -> go.Figure:
    figure = go.Figure()
    for title, correlations in series.items():
        figure.add_bar(x=[_name(test) for test in correlations], y=list(correlations.values()), name=title)
    figure.update_yaxes(title="r x 100")
    return figure


def _probes(tasks: dict[str, dict[str, float]]) -> go.Figure:
    figure = go.Figure()
    for name in dict.fromkeys(name for scores in tasks.values() for name in scores):
        by_task = {task: scores[name] for task, scores in tasks.items() if name in scores}
        figure.add_bar(x=list(by_task), y=list(by_task.values()), name=_variant(name))
    figure.update_yaxes(title="score x 100")
    return figure


def _name(test: str) -> str:
    return TESTS.get(test, test)


def _variant(name: str) -> str:
    return TITLES.get(name, "most frequent class")
