"""data/{corpora,models}/name_typing, data/<labels> -> data/evaluation/name_typing: metrics, claims, figures, plots."""

from pathlib import Path

import torch

from repline.evaluation.evaluations import Evaluation
from repline.systems.name_typing.corpus import read_data, read_labels
from repline.systems.name_typing.evaluation import evaluate, evaluate_labels, label_counts
from repline.systems.name_typing.model import CLASSIFIERS
from repline.systems.name_typing.settings import Settings, load
from repline.training.run import runs
from stages import run, threads
from stages.conclusion import conclude
from stages.folders import CORPORA, DATA, MODELS
from stages.name_typing import figures


def main() -> None:
    settings = load()
    torch.set_num_threads(threads())
    labels, types = read_labels(DATA / settings.labels)
    parts = {"constants": evaluate_labels(labels)}
    evaluation = Evaluation.side_by_side(parts | {name: evaluate_space(name, settings) for name in settings.spaces})
    evaluation.metrics["label_sets"] = {Path(settings.labels).name: label_counts(labels, types)}
    conclude("name_typing", evaluation, figures.figures(evaluation.metrics), figures.plots(evaluation.metrics))


def evaluate_space(name: str, settings: Settings) -> Evaluation:
    """The classifiers of one vector space and of its controls."""
    space, folder = settings.spaces[name], MODELS / "name_typing" / name
    models = {
        control: {classifier: runs(folder / classifier / control) for classifier in CLASSIFIERS}
        for control in space.with_given
    }
    names, types = read_data(CORPORA / "name_typing" / name)
    print(f"{name}: {len(names['test'].names):,} names of test", flush=True)
    return evaluate(models, names, types, settings.least_group)


if __name__ == "__main__":
    run(main)
