"""Figures of the evaluation of the URN for the report, and rows for DVC's plots."""

from collections.abc import Mapping, Sequence

from repline.evaluation.evaluations import Metrics
from repline.report import charts
from repline.report.figures import Figure
from repline.systems.urn.evaluation import BRACKETS
from repline.systems.urn.rotation_tables import bracket_names
from stages.plot_rows import Row

NAMES = {
    "turn": "k-TURN",
    "turn_code_rate": "k-TURN, learning rate 0.001",
    "full": "Full-URN, learning rate 0.001",
    "full_paper_rate": "Full-URN",
    "arbitrary": "arbitrary matrices",
    "arbitrary_code_rate": "arbitrary matrices, learning rate 0.001",
    "lstm": "LSTM",
    "majority": "majority",
}


def figures(metrics: Metrics) -> list[Figure]:
    """The records of figures.json, for the report."""
    brackets, verbs = (
        {NAMES.get(name, name): values for name, values in metrics[task].items()} for task in ("dyck", "agreement")
    )
    turn = metrics["dyck"]["turn"]
    signs = bracket_names(BRACKETS)
    similarity = turn["plane_similarity"]["round_square"]
    rows, columns = ([f"{sign} plane {number + 1}" for number in range(len(similarity))] for sign in "([")
    return [
        charts.record(
            "dyck-attractors",
            "Closing brackets, by attractors",
            "Accuracy on strings nested deeper than any seen in training; Wilson 95 % intervals, runs pooled.",
            charts.accuracy_curves(brackets, "attractors", 0, "attractors"),
        ),
        charts.record(
            "dyck-depth",
            "Closing brackets, by depth",
            "The hard cases lie deep inside a nesting; training stops at depth 3.",
            charts.accuracy_curves(brackets, "depth", 1, "nesting depth of the pair"),
        ),
        charts.record(
            "agreement-attractors",
            "Verb number, by attractors",
            "Accuracy of singular against plural; compare it with the majority line.",
            charts.accuracy_curves(verbs, "attractors", 0, "attractors"),
        ),
        charts.record(
            "dyck-effects",
            "Average effect of brackets and matching pairs",
            "A matching pair is nearly the identity: what it did to the state is undone.",
            charts.bars(_effects_by_sign(turn), "|Q − I|²"),
        ),
        charts.record(
            "agreement-effects",
            "Average effect of frequent words",
            "How far each word's matrix is from the identity.",
            charts.bars(metrics["agreement"]["turn"]["effects"], "|Q − I|²"),
        ),
        charts.record(
            "dyck-signatures",
            "Signatures",
            "The rotation angles of each symbol as dials: 0° points up, 180° down.",
            charts.dials({signs[name]: angles for name, angles in turn["angles"].items()}),
        ),
        charts.record(
            "dyck-planes",
            "Rotation planes of ( and [",
            "Similarity of each pair of planes, by increasing angle: 2 is the same plane, 0 an orthogonal one.",
            charts.heatmap(similarity, rows, columns, "similarity"),
        ),
    ]


def plots(metrics: Metrics) -> Mapping[str, Sequence[Row]]:
    """The tables behind `dvc plots`, by file name: one row a model and group, or a symbol."""
    effects = _effects_by_sign(metrics["dyck"]["turn"])
    return {
        "dyck_by_attractors": _curve_rows(metrics["dyck"], "attractors", 0),
        "dyck_by_depth": _curve_rows(metrics["dyck"], "depth", 1),
        "agreement_by_attractors": _curve_rows(metrics["agreement"], "attractors", 0),
        "dyck_effects": [{"symbol": name, "effect": value} for name, value in effects.items()],
    }


def _curve_rows(task: Metrics, by: str, first: int) -> Sequence[Row]:
    rows = []
    for name, values in task.items():
        curves = (values[f"accuracy_by_{by}{end}"] for end in ("", "_low", "_high"))
        for group, (accuracy, low, high) in enumerate(zip(*curves, strict=True), start=first):
            if accuracy is not None:
                rows += [{"model": NAMES.get(name, name), by: group, "accuracy": accuracy, "low": low, "high": high}]
    return rows


def _effects_by_sign(turn: Metrics) -> dict[str, float]:
    signs = bracket_names(BRACKETS)
    single = {signs[name]: value for name, value in turn["effects"].items()}
    return single | {BRACKETS[name]: value for name, value in turn["pair_effects"].items()}
