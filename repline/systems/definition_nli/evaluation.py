"""Accuracy on test of each variant over its seeds, and controls that see only one sentence of a pair."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation
from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.bootstrap import bootstrap
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
        resampled_accuracies(answers, data.pairs["test"].groups),
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


def resampled_accuracies(runs: Answers, groups: Sequence[str]) -> list[Replicate]:
    """Replicates of `accuracies`: seeds and groups of test pairs are resampled, the same ones for all variants.

    Args:
        groups: of each test pair; three pairs about the same words are not independent.
    """
    variants = list(runs)
    seed_answers = list(zip(*runs.values(), strict=True))

    def measure(run: Sequence[NDArray[np.bool_]], items: NDArray[np.integer]) -> dict[str, Metric]:
        return {name: {"accuracy": float(is_right[items].mean())} for name, is_right in zip(variants, run, strict=True)}

    return bootstrap(measure, seed_answers, items=len(groups), groups=groups)


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
