"""Figures of the evaluation of lexical contrast for the report, and rows for DVC\'s plots."""

from typing import Any

from repline.report import charts

PARTS = {"adjective": "A", "verb": "V", "noun": "N"}


def figures(metrics: dict[str, Any], spaces: list[str]) -> list[dict[str, Any]]:
    """The records of figures.json, for the report."""
    tests = [name for name in metrics["pairs_in"] if metrics["start"][name]["spearman"] is not None]
    similarity = [[metrics[space][test]["spearman"] for test in tests] for space in spaces]
    apart = [[metrics[space][test]["unconstrained"] for test in tests] for space in spaces]
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
            "Word similarity of the pairs that are not constraints",
            "The effect of the constraints on pairs that they do not contain.",
            charts.heatmap(apart, spaces, tests, "Spearman"),
        ),
        charts.record(
            "antonymy",
            "Antonyms found, and told from synonyms",
            "Questions: F1 of the farthest and of the nearest option, and of the farthest among the opposite and two "
            "synonyms. A, V, N: mean F1 of antonyms and synonyms by part of speech.",
            charts.heatmap(antonymy, spaces, list(_antonymy(metrics["start"])), "F1"),
        ),
    ]


def plots(metrics: dict[str, Any], spaces: list[str]) -> dict[str, list[dict[str, Any]]]:
    """The table behind `dvc plots`: one row a configuration and measure."""
    rows = []
    for space in spaces:
        scores = {test: metrics[space][test]["spearman"] for test in metrics["pairs_in"]} | _antonymy(metrics[space])
        rows += [
            {"configuration": f"{measure}: {space}", "measure": measure, "score": score}
            for measure, score in scores.items()
        ]
    return {"scores": rows}


def _antonymy(space: dict[str, Any]) -> dict[str, float]:
    questions = {f"questions, {rule}": value for rule, value in space["opposites"].items()}
    (contrast,) = space["contrast"].values()
    return questions | {letter: contrast[name]["f1"] for name, letter in PARTS.items()}
