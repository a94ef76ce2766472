"""Figures of morph2vec for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from stages.plot_rows import Row

NUMBERS = ("cosine", "p10")


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json: held-out words by method, and word tests as tables of colours."""
    records = []
    for space, measured in metrics.items():
        shares = {name: scores["p10"] for name, scores in measured["held_out"].items() if isinstance(scores, dict)}
        records.append(
            charts.record(
                f"held-out-{space}",
                f"Held-out words of {space}",
                "How many held-out words have their true vector among the 10 nearest of the prediction. Bars that end "
                "in _unseen did not look at the word's own vector to find its candidates.",
                charts.bars(shares, "P@10"),
            )
        )
        for part, number in (("similarity", "spearman"), ("analogies", "accuracy")):
            if not measured.get(part):
                continue
            tests = list(measured[part])
            methods = list(measured[part][tests[0]])
            values = [[measured[part][test][method][number] for test in tests] for method in methods]
            records.append(
                charts.record(
                    f"{part}-{space}",
                    f"{part.capitalize()}, {space}",
                    "On the words that each method knows: the targets lack words that are not in their text.",
                    charts.heatmap(values, methods, tests, number),
                )
            )
    return records


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The rows behind `dvc plots`: one a method and space."""
    rows = []
    for space, measured in metrics.items():
        for method, scores in measured["held_out"].items():
            if isinstance(scores, dict):
                rows.append({"method": f"{space}: {method}", **{number: scores[number] for number in NUMBERS}})
    return {"held_out": rows}
