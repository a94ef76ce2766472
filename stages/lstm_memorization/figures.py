"""Figures of the evaluation of the memorisation runs for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

WATCHED = ("unigram", "language")  # whose training the paper draws


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    drawn = [
        charts.record(
            "longest",
            "Recalling the middle token, by the length of the input",
            "Accuracy on sequences of rare words, the same for every distribution of the training data; Wilson 95 % "
            "intervals.",
            _by_length(metrics),
        ),
        charts.record(
            "dynamics",
            "Validation and test during training",
            "Validation is of the training distribution and rises first; by rare words it is tested whether the model "
            "recalls. The smallest model on its shortest and its longest sequences.",
            _dynamics(metrics),
        ),
    ]
    if "example" in metrics["counting"]:
        caption = "The two cell units that tell the step best, over one test sequence that was answered rightly."
        drawn += [charts.record("counting", "Units that count", caption, _counting(metrics["counting"]))]
    return drawn


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, by file name."""
    return {
        "by_length": [
            {"model": f"{name}, {size}", "length": int(length[1:]), "accuracy": run["test_accuracy"]}
            | dict(zip(("low", "high"), run["test_interval"], strict=True))
            for name, size, length, run in _runs(metrics)
        ],
        "dynamics": [
            {"model": f"{name} {length}, {part}", "epoch": epoch, "accuracy": value}
            for name, length, run in _watched(metrics)
            for part in ("validation", "test")
            for epoch, value in enumerate(run["history"][f"{part}_accuracy"], 1)
        ],
        "counting": [
            {"state": state, "steps": steps.replace("_", " "), "r2": regression["whole"]}
            for state in ("c", "h")
            for steps, regression in metrics["counting"].get(state, {}).items()
        ],
    }


def _by_length(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    lines: dict[str, list[tuple[int, float, float, float]]] = {}
    for name, size, length, run in _runs(metrics):
        point = (int(length[1:]), run["test_accuracy"], *run["test_interval"])
        lines.setdefault(f"{name}, d = {size[1:]}", []).append(point)
    for name, points in lines.items():
        lengths, accuracies, low, high = (list(column) for column in zip(*sorted(points), strict=True))
        error = {
            "symmetric": False,
            "array": [h - v for h, v in zip(high, accuracies, strict=True)],
            "arrayminus": [v - lo for v, lo in zip(accuracies, low, strict=True)],
            "thickness": 1,
        }
        figure.add_scatter(x=lengths, y=accuracies, error_y=error, name=name, mode="lines+markers")
    figure.update_xaxes(title="tokens in a sequence", rangemode="tozero")
    return _as_accuracy(figure)


def _dynamics(metrics: Metrics) -> go.Figure:
    figure = go.Figure()
    for name, length, run in _watched(metrics):
        for part, dash in (("validation", "solid"), ("test", "dot")):
            values = run["history"][f"{part}_accuracy"]
            figure.add_scatter(
                x=list(range(1, len(values) + 1)),
                y=values,
                customdata=[epoch * run["steps_per_epoch"] for epoch in range(1, len(values) + 1)],
                hovertemplate="epoch %{x}, %{customdata} steps: %{y:.1%}",
                name=f"{name} {length[1:]}, {part}",
                mode="lines",
                line={"dash": dash},
            )
    figure.update_xaxes(title="epoch")
    return _as_accuracy(figure)


def _counting(counting: Metrics) -> go.Figure:
    figure = go.Figure()
    best = counting["c"]["to_the_middle"]
    for unit, r2, values in zip(best["best_units"], best["best"], counting["example"], strict=False):
        figure.add_scatter(x=list(range(len(values))), y=values, name=f"unit {unit} (R² {r2:.3f})", mode="lines")
    figure.add_vline(x=counting["length"] // 2, line_dash="dot", annotation_text="to be recalled")
    figure.update_xaxes(title="step")
    figure.update_yaxes(title="c")
    return figure


def _as_accuracy(figure: go.Figure) -> go.Figure:
    figure.update_yaxes(title="accuracy", range=[-0.02, 1.02], tickformat=".0%")
    return figure


def _runs(metrics: Metrics) -> list[tuple[str, str, str, Metrics]]:
    return [
        (name, size, length, run)
        for name, by_size in metrics["runs"].items()
        for size, by_length in by_size.items()
        for length, run in by_length.items()
    ]


def _watched(metrics: Metrics) -> list[tuple[str, str, Metrics]]:
    """The runs of the smallest size whose training is drawn: the shortest and the longest sequences."""
    watched = []
    for name in WATCHED:
        by_size = metrics["runs"].get(name)
        if by_size:
            by_length = by_size[min(by_size, key=lambda size: int(size[1:]))]
            ends = sorted(by_length, key=lambda length: int(length[1:]))
            watched += [(name, length, by_length[length]) for length in dict.fromkeys((ends[0], ends[-1]))]
    return watched
