"""data/models/definition_nli -> data/evaluation/definition_nli: metrics, claims, figures, plots."""

from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import read_card
from repline.evaluation.resampling import side_by_side
from repline.report import charts
from repline.systems.definition_nli.corpus import Split, read_data
from repline.systems.definition_nli.evaluation import accuracies, one_sided, resampled_accuracies
from repline.systems.definition_nli.settings import Settings, read
from repline.systems.definition_nli.training import PREDICTIONS
from stages import run
from stages.conclusion import conclude
from stages.definition_nli.places import CORPORA, MODELS


def main() -> None:
    settings = read()
    metrics: dict[str, Any] = {}
    repeated, rows = {}, []
    for name in settings.corpora:
        pairs = read_data(CORPORA / name).pairs
        runs = {
            variant: [_right(MODELS / name / variant / f"seed-{seed}", pairs) for seed in settings.seeds]
            for variant in settings.variants
        }
        metrics[name] = accuracies(runs) | {
            "controls": one_sided(pairs["train"], pairs["test"]),
            "counts": read_card(CORPORA / name)["counts"],
        }
        repeated[name] = resampled_accuracies(runs)
        rows += [
            {"corpus": name, "variant": f"{name}: {variant}", "accuracy": metrics[name][variant]["accuracy"]}
            for variant in settings.variants
        ]
    conclude("definition_nli", metrics, _figures(settings, metrics), {"accuracy": rows}, side_by_side(**repeated))


def _right(model: Path, pairs: dict[str, Split]) -> np.ndarray:
    """Which test pairs a model labels as they are."""
    with np.load(model / PREDICTIONS, allow_pickle=False) as predictions:
        found = np.array(sorted(set(pairs["train"].labels)))[predictions["test"]]
    return found == np.array(pairs["test"].labels)


def _figures(settings: Settings, metrics: dict[str, Any]) -> list[dict[str, Any]]:
    figures = []
    for name in settings.corpora:
        measured = metrics[name]
        bars = {variant.replace("_", " "): measured[variant]["accuracy"] for variant in settings.variants}
        bars |= {f"words of the {side} alone": measured["controls"][side] for side in ("premise", "hypothesis")}
        bars["most frequent label"] = measured["controls"]["most_frequent"]
        caption = (
            f"Accuracy on test, {name}: mean of {len(settings.seeds)} seeds. The shuffled dictionary gives each word "
            "the definition of another one; what it gains, no definition has given."
        )
        chart = charts.bars(bars, "accuracy")
        figures.append(charts.record(f"definition_nli-{name}", f"Accuracy, {name}", caption, chart))
    return figures


if __name__ == "__main__":
    run(main)
