"""Figures of the evaluation of TransEA for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

NO_VARIANT = ("graph", "medians")
HITS = ("hits_1", "hits_3", "hits_10")


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    return [
        charts.record(
            "transea-mean-rank",
            "What numbers are worth",
            "Filtered mean rank of the test triples as a share of that of TransE, mean of the seeds; less is better. "
            "Each dot is a seed.",
            _mean_ranks(metrics),
        ),
        charts.record(
            "transea-hits",
            "Hits, and hits as the paper counts them",
            "Filtered, TransEA. The authors' program counts a hit at k when at most k entities are better, which is "
            "rank k + 1, and ties in its favour.",
            _hits(metrics),
        ),
        charts.record(
            "transea-numbers",
            "Numbers predicted",
            "Mean error on a scale of 0 to 1, of numbers in training and held out. Medians: of each attribute.",
            _errors(metrics),
        ),
    ]


def plots(metrics: Metrics, relations: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, by file name."""
    return {
        "mean_rank": [
            {
                "variant": f"{graph}: {name}",
                "mean_rank": scores["filtered"]["all"]["mr"],
                "mrr": scores["filtered"]["all"]["mrr"],
            }
            for graph, measured in metrics.items()
            for name, scores in _variants(measured).items()
        ],
        "relations": [
            {
                "graph": graph,
                "relation": relation,
                "variant": variant,
                "triples": seeds[0]["triples"],
                "hits_10": sum(scores["hits_10"] for scores in seeds) / len(seeds),
                "mean_rank": sum(scores["mr"] for scores in seeds) / len(seeds),
            }
            for graph, measured in relations.items()
            for relation, variants in measured.items()
            for variant, seeds in variants.items()
        ],
    }


def _variants(measured: Metrics) -> Metrics:
    return {name: scores for name, scores in measured.items() if name not in NO_VARIANT}


def _mean_ranks(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    for graph, measured in metrics.items():
        variants = _variants(measured)
        first = variants.get("transe", next(iter(variants.values())))["filtered"]["all"]["mr"]
        values = [scores["filtered"]["all"]["mr"] / first for scores in variants.values()]
        figure.add_bar(x=list(variants), y=values, name=graph)
        dots = [(name, mr / first) for name, scores in variants.items() for mr in scores["runs_mr"]]
        figure.add_scatter(
            x=[name for name, _ in dots],
            y=[ratio for _, ratio in dots],
            mode="markers",
            marker={"size": 4, "color": "grey"},
            name=f"{graph}, seeds",
            showlegend=False,
        )
    figure.update_yaxes(title="mean rank / TransE's")
    return figure


def _hits(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    for graph, measured in metrics.items():
        scores = measured.get("transea", next(iter(_variants(measured).values())))["filtered"]["all"]
        labels = [f"{graph}, {name.removeprefix('hits_')}" for name in HITS]
        figure.add_bar(x=labels, y=[scores[name] for name in HITS], name=f"{graph}: hits")
        figure.add_bar(x=labels, y=[scores[f"paper_{name}"] for name in HITS], name=f"{graph}: the paper's")
    figure.update_yaxes(title="share", tickformat=".0%")
    return figure


def _errors(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    for part in ("train_mae", "test_mae"):
        rows = {
            f"{graph}: {name}": scores[part]
            for graph, measured in metrics.items()
            for name, scores in measured.items()
            if scores.get(part) is not None
        }
        figure.add_bar(x=list(rows), y=list(rows.values()), name="training" if part == "train_mae" else "held out")
    figure.update_yaxes(title="mean error")
    return figure
