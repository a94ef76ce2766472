"""data/models/name_typing, data/<labels> -> data/evaluation/name_typing: metrics, claims, figures, plots."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray

from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.pretrained import pretrained
from repline.systems.name_typing.evaluation import classifier_scores, constants, label_counts
from repline.systems.name_typing.named_vectors import Names, controlled, read_labels, read_names
from repline.systems.name_typing.settings import read
from repline.systems.name_typing.training import MODELS as CLASSIFIERS
from repline.systems.name_typing.training import probabilities
from stages import run, threads
from stages.conclusion import conclude
from stages.name_typing import figures
from stages.name_typing.train import MODELS


def main() -> None:
    settings = read()
    torch.set_num_threads(threads())
    metrics: dict[str, Any] = {}
    repeated: dict[str, Any] = {}
    labels, types = read_labels(Path("data") / settings.labels)
    found = constants(labels, weights_of(len(labels["test"].names)), covered=False)
    metrics |= {"label_sets": {Path(settings.labels).name: label_counts(labels, types)}, "constants": numbers([found])}
    repeated["constants"] = replicates([found])
    for name, space in settings.spaces.items():
        given, _ = read_names(Path("data") / settings.labels, Path("data") / space.vectors, settings.sizes)
        weights = weights_of(len(given["test"].names))
        found = constants(given, weights, covered=True)
        metrics[name] = {"names": label_counts(given, types), "constants": numbers([found])}
        parts = {"constants": replicates([found])}
        for control in ("given", *space.controls):
            names = controlled(given, control)
            scored = {
                kind: _scores(MODELS / name / control / kind, names, weights, settings.least_group)
                for kind in CLASSIFIERS
            }
            metrics[name][control] = {kind: numbers(runs) for kind, runs in scored.items()}
            parts[control] = side_by_side(**{kind: replicates(runs) for kind, runs in scored.items()})
            for kind, one in metrics[name][control].items():
                print(f"{name}/{control}/{kind}: {_line(one)}", flush=True)
        repeated[name] = side_by_side(**parts)
    conclude("name_typing", metrics, figures.figures(metrics), figures.plots(metrics), side_by_side(**repeated))


def _scores(folder: Path, names: Mapping[str, Names], weights: NDArray, least: int) -> list[dict[str, Any]]:
    """The measures of every run of a classifier."""
    found = []
    for run_folder in sorted(folder.glob("seed-*"), key=lambda one: int(one.name.removeprefix("seed-"))):
        model = pretrained(CLASSIFIERS[folder.name], run_folder).eval()
        dev, test = (probabilities(model, names[split]) for split in ("dev", "test"))
        found.append(classifier_scores(dev, test, names, weights, least))
    return found


def _line(scores: dict[str, Any]) -> str:
    return ", ".join(f"{rule} ACC {100 * one['acc']:.1f} F1 {100 * one['f1']:.1f}" for rule, one in scores.items())


if __name__ == "__main__":
    run(main)
