"""Accuracy on test of each variant over its seeds, and controls that see only one sentence of a pair."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation
from repline.evaluation.nested_measures import Replicate
from repline.evaluation.replication.bootstrap import drawn_runs
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.evaluation.replication.units import draws_of_units, units_of_pairs
from repline.evaluation.replication.weighted_draws import mean_of_draws
from repline.systems.definition_nli.corpus import Data, Split
from repline.systems.definition_nli.training import PREDICTIONS
from repline.training.convergence import not_converged

Answers = Mapping[str, Sequence[NDArray[np.bool_]]]  # by variant, for each seed, which test pairs are right


def evaluate(models: Mapping[str, Sequence[Path]], data: Data) -> Evaluation:
    """Accuracy of every variant and of the controls on test.

    Args:
        models: by variant, the folder of each seed's model.
        data: what they were trained on.

    Raises:
        InputError: a folder without predictions.
    """
    answers = {variant: [right_pairs(model, data.pairs) for model in seeds] for variant, seeds in models.items()}
    controls = {"controls": one_sided(data.pairs["train"], data.pairs["test"])}
    return Evaluation(
        accuracies(answers) | controls,
        resampled_accuracies(answers, units_of_test_pairs(data.pairs["test"])),
        not_converged=not_converged(models, "dev_accuracy"),
    )


def right_pairs(model: Path, pairs: Mapping[str, Split]) -> NDArray[np.bool_]:
    """Whether a trained model's label is right for each test pair [n]; InputError where it has no predictions."""
    if not (model / PREDICTIONS).is_file():
        raise InputError(f"{model / PREDICTIONS}: there is no such file; train the model again")
    with np.load(model / PREDICTIONS, allow_pickle=False) as predictions:
        labels = np.array(sorted(set(pairs["train"].labels)))[predictions["test"]]
    return labels == np.array(pairs["test"].labels)


def accuracies(runs: Answers) -> dict[str, dict[str, list[float] | float | None]]:
    """By variant: `accuracy`, the mean over seeds; `deviation` among seeds, None for one seed; `seeds`, each value."""
    accuracy_by_variant = {}
    for variant, seed_answers in runs.items():
        accuracy_of_seeds = [float(is_right.mean()) for is_right in seed_answers]
        deviation = float(np.std(accuracy_of_seeds, ddof=1)) if len(accuracy_of_seeds) > 1 else None
        accuracy_by_variant[variant] = {
            "accuracy": float(np.mean(accuracy_of_seeds)),
            "deviation": deviation,
            "seeds": accuracy_of_seeds,
        }
    return accuracy_by_variant


def units_of_test_pairs(test: Split) -> NDArray[np.int64]:
    """The units of the test pairs that are drawn together: [n, k], as `draws_of_units` takes them."""
    return units_of_pairs(test.groups, *([" ".join(tokens) for tokens in side] for side in (test.first, test.second)))


def resampled_accuracies(runs: Answers, units: NDArray[np.int64]) -> list[Replicate]:
    """Replicates of `accuracies`: seeds and units of test pairs are resampled, the same ones for all variants.

    Args:
        units: [n, k], of each test pair.
    """
    weights = draws_of_units(units)
    weights = weights[weights.any(axis=1)]
    accuracies_of_seeds = [
        {variant: mean_of_draws(is_right, weights).tolist() for variant, is_right in zip(runs, answers, strict=True)}
        for answers in zip(*runs.values(), strict=True)
    ]
    replicates: list[Replicate] = []
    for replicate in range(len(weights)):
        seeds = [accuracies_of_seeds[seed] for seed in drawn_runs(len(accuracies_of_seeds), replicate)]
        mean = {variant: mean_of_runs([seed[variant][replicate] for seed in seeds]) for variant in runs}
        replicates.append({variant: {"accuracy": accuracy} for variant, accuracy in mean.items()})
    return replicates


def one_sided(train: Split, test: Split) -> dict[str, float]:
    """Controls: accuracy of the most frequent label, and of logistic regression on the words of one sentence."""
    accuracy_by_control = {
        "most_frequent": float(np.mean([label == _most_frequent(train.labels) for label in test.labels]))
    }
    for name, train_sentences, test_sentences in (
        ("premise", train.first, test.first),
        ("hypothesis", train.second, test.second),
    ):
        words = CountVectorizer(analyzer=list, binary=True)
        classes = LogisticRegression(max_iter=200).fit(words.fit_transform(train_sentences), train.labels)
        accuracy_by_control[name] = float(classes.score(words.transform(test_sentences), test.labels))
    return accuracy_by_control


def _most_frequent(labels: Sequence[str]) -> str:
    return max(sorted(set(labels)), key=labels.count)
