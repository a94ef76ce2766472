"""Figures of the evaluation of lexical contrast for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.lexical_contrast.space_scores import RULES
from stages.plot_rows import Row

PARTS = {"adjective": "A", "verb": "V", "noun": "N"}


def figures(metrics: Metrics, spaces: list[str]) -> list[Figure]:
    """The records of figures.json, for the report."""
    tests = [name for name in metrics["pairs_in"] if metrics["start"][name]["spearman"] is not None]
    similarity = [[metrics[space][test]["spearman"] for test in tests] for space in spaces]
    changed = [space for space in spaces if space != "start"]
    apart = [[_gain(metrics[space][test]) for test in tests] for space in changed]
    antonymy = [list(_antonymy(metrics[space]).values()) for space in spaces]
    return [
        charts.record(
            "similarity",
            "Word similarity, by constraint sets",
            "Spearman correlation, mean of the runs. Many pairs of the tests are constraints themselves.",
            charts.heatmap(similarity, spaces, tests, "Spearman"),
        ),
        charts.record(
            "similarity-unconstrained",
            "Gain in word similarity on the pairs that are not constraints",
            "Spearman correlation minus that of the start, both on the pairs that the constraints do not contain.",
            charts.heatmap(apart, changed, tests, "Spearman"),
        ),
        charts.record(
            "antonymy",
            "Antonyms found, and told from synonyms",
            "Questions: F1 of the farthest and of the nearest option, and of the farthest among the opposite and two "
            "synonyms. A, V, N: mean F1 of antonyms and synonyms by part of speech.",
            charts.heatmap(antonymy, spaces, list(_antonymy(metrics["start"])), "F1"),
        ),
    ]


def plots(metrics: Metrics, spaces: list[str]) -> Mapping[str, Sequence[Row]]:
    """The table behind `dvc plots`: one row a configuration and measure."""
    rows = []
    for space in spaces:
        scores = {test: metrics[space][test]["spearman"] for test in metrics["pairs_in"]} | _antonymy(metrics[space])
        rows += [
            {"configuration": f"{measure}: {space}", "measure": measure, "score": score}
            for measure, score in scores.items()
        ]
    return {"scores": rows}


def _gain(scores: Metrics) -> float | None:
    after, before = scores["unconstrained"], scores["start_unconstrained"]
    return None if after is None or before is None else after - before


def _antonymy(space: Metrics) -> dict[str, float]:
    questions = {f"questions, {rule}": value for rule, value in space["opposites"].items() if rule in RULES}
    for source, scores in space.get("questions", {}).items():
        questions |= {f"{source}, {rule}": value for rule, value in scores.items() if rule in RULES}
    (contrast,) = space["contrast"].values()
    return questions | {letter: contrast[name]["f1"] for name, letter in PARTS.items()}
