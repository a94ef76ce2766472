"""Accuracies by distribution, size and length, the longest sequences solved, and how well a state counts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, cast, get_args

import torch

from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.wilson_interval import wilson
from repline.pretrained import pretrained
from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization.counting import Counting, measure_counting
from repline.systems.lstm_memorization.learning_curves import best, landmarks, longest_solved, read_records
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.systems.lstm_memorization.settings import Experiment, Recipe, Settings
from repline.systems.lstm_memorization.training import recall
from repline.training.convergence import not_converged

# what claims name in addition to the test accuracy
Replicated = Literal["early_test_accuracy", "take_off", "together_from", "dip"]
REPLICATED_LANDMARKS: tuple[Replicated, ...] = get_args(Replicated)

Models = Mapping[Experiment, Sequence[Path]]  # the folder of each seed's model; a length not tried is left out


def evaluate(settings: Settings, corpus: Path, models: Models) -> Evaluation:
    """What the best run of every experiment shows, by its validation accuracy; each run alone is a replicate.

    Args:
        corpus: the folder of `repline.systems.lstm_memorization.corpus.build`.
        models: one run for each of `settings.seeds`, in their order.

    Raises:
        InputError: a distribution and size without a model of any length, or a model of another recipe or corpus.
    """
    metrics: Metrics = {"runs": {}, "longest_solved": {}}
    replicates: list[Metrics] = [{"runs": {}, "longest_solved": {}} for _ in settings.seeds]
    for distribution in settings.distributions:
        for part in (metrics, *replicates):
            part["runs"][distribution] = {}
        for size in settings.sizes_of(distribution):
            tried = {
                experiment: models[experiment]
                for experiment in settings.experiments(distribution, size)
                if models.get(experiment)
            }
            if not tried:
                raise InputError(f"{distribution}, d = {size}: there is no trained model of any length; train it first")
            measured = {
                f"n{experiment.length}": measure_experiment(settings.training, corpus, experiment, folders)
                for experiment, folders in tried.items()
            }
            metrics["runs"][distribution][f"d{size}"] = {
                length: length_evaluation.metrics for length, length_evaluation in measured.items()
            }
            for seed, replicate in enumerate(replicates):
                replicate["runs"][distribution][f"d{size}"] = {
                    length: length_evaluation.replicates[seed] for length, length_evaluation in measured.items()
                }
        for part in (metrics, *replicates):
            part["longest_solved"][distribution] = _longest_solved(part["runs"][distribution], settings.solved)
    metrics["random_level"] = 1 / middle_token.read_types(corpus).num_rows
    metrics["counting"] = {}
    if folders := models.get(settings.counting, ()):
        run_counting = counting_of_runs(settings.training, corpus, settings.counting, folders)
        for replicate, counted in zip(replicates, run_counting, strict=True):
            replicate["counting"] = counted
        runs_of_size = metrics["runs"][settings.counting.distribution][f"d{settings.counting.dimensions}"]
        metrics["counting"] = run_counting[runs_of_size[f"n{settings.counting.length}"]["best_run"]]
    trained = {
        f"runs.{experiment.distribution}.d{experiment.dimensions}.n{experiment.length}": folders
        for experiment, folders in models.items()
    }
    return Evaluation(metrics, replicates, not_converged=not_converged({"counting": folders, **trained}))


def measure_experiment(recipe: Recipe, corpus: Path, experiment: Experiment, folders: Sequence[Path]) -> Evaluation:
    """What the best run of an experiment shows, and as replicates the test accuracy and landmarks of every run.

    Args:
        folders: of the runs.
    """
    records = read_records(folders)
    validation = [max(epoch["validation_accuracy"] for epoch in record["history"]) for record in records]
    selected = best(validation)
    test = torch.from_numpy(middle_token.read_test(corpus, experiment.length))
    tested = [recall(read_model(folder, recipe, corpus), test)[0] for folder in folders]
    dynamics = [landmarks(record) for record in records]
    leads = [
        None if run_landmarks["take_off"] is None else run_landmarks["take_off"]["lead"] for run_landmarks in dynamics
    ]
    metrics = {
        "validation_accuracy": validation[selected],
        "test_accuracy": tested[selected],
        "test_interval": [float(end) for end in wilson(round(tested[selected] * len(test)), len(test))],
        "best_run": selected,
        "validation_accuracy_of_runs": validation,
        "test_accuracy_of_runs": tested,
        "take_off_lead_of_runs": leads,
        **dynamics[selected],
    }
    replicates: list[Replicate] = [
        {"test_accuracy": accuracy, **{key: cast(Metric, run_landmarks[key]) for key in REPLICATED_LANDMARKS}}
        for accuracy, run_landmarks in zip(tested, dynamics, strict=True)
    ]
    return Evaluation(metrics, replicates)


def counting_of_runs(recipe: Recipe, corpus: Path, experiment: Experiment, folders: Sequence[Path]) -> list[Counting]:
    """How well the states of each run count; `untrained` is a model with random weights, which has learnt nothing."""
    test = torch.from_numpy(middle_token.read_test(corpus, experiment.length))
    run_counting: list[Counting] = []
    for number, folder in enumerate(folders):
        model = read_model(folder, recipe, corpus)
        torch.manual_seed(number)
        types, size = model.embedding.shape
        untrained = MiddleTokenLSTM(types, size)
        run_counting.append({**measure_counting(model, test), "untrained": measure_counting(untrained, test)})
    return run_counting


def read_model(folder: Path, recipe: Recipe, corpus: Path) -> MiddleTokenLSTM:
    """A trained model; InputError where it is missing, or is of another recipe or of other types than the corpus."""
    model = pretrained(MiddleTokenLSTM, folder, recipe.record())
    types = middle_token.read_types(corpus).num_rows
    if len(model.embedding) != types:
        raise InputError(
            f"{folder}: this model has {len(model.embedding):,} types, and {corpus} has {types:,}; train it again"
        )
    return model


def _longest_solved(by_size: Metrics, solved: float) -> dict[str, int]:
    return {
        size: longest_solved(
            {int(length[1:]): length_scores["test_accuracy"] for length, length_scores in by_length.items()}, solved
        )
        for size, by_length in by_size.items()
    }
