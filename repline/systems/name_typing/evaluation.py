"""Accuracy and micro-F1 of predicted sets of types, thresholds, and predictions that need no vector.

With Y, P in {0,1}^(M x T), gold and predicted:

    ACC = share of names whose predicted set is the gold set
    micro-F1 = 2 TP / (sum P + sum Y), counted over all names and types

Every number is computed for many weights of the test names at once, [R]: the first row of weights counts each name once
and gives the number itself, the others are replicates (`repline.evaluation.replication.weighted_draws`).

Source: Yaghoobzadeh, Kann & Schütze 2018, section 6.1.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from repline.evaluation.evaluations import Evaluation
from repline.evaluation.nested_measures import Array, Metric
from repline.evaluation.replication.weighted_draws import mean_of_draws, numbers, replicates, weights_of
from repline.pretrained import pretrained
from repline.systems.name_typing.corpus import Names, controlled
from repline.systems.name_typing.model import CLASSIFIERS
from repline.systems.name_typing.settings import Classifier, Control
from repline.training.convergence import not_converged

THRESHOLDS = np.arange(1, 20) / 20
MAX_FEW_TYPES = 2  # types of a name; above it the paper's models rank otherwise
MAX_CONSTANT_TYPES = 8  # constant predictions are of at most this many types


def evaluate_labels(names: Mapping[str, Names]) -> Evaluation:
    """Predictions that are the same for all names of a label set, those without a vector among them."""
    scores = constants(names, weights_of(len(names["test"].names)), covered=False)
    return Evaluation(numbers([scores]), replicates([scores]))


def evaluate(
    models: Mapping[Control, Mapping[Classifier, Sequence[Path]]],
    names: Mapping[str, Names],
    types: Sequence[str],
    least: int,
) -> Evaluation:
    """The classifiers of one vector space and of its controls, and predictions that are the same for all names.

    Args:
        models: by control and classifier, the folder of each seed's model.
        names, types: of `repline.systems.name_typing.corpus.read_data`.
        least: see `by_types`.

    Returns:
        metrics: `names`, the counts of `label_counts`; `constants`; and by control and classifier what
        `classifier_scores` gives.

    Raises:
        InputError: a folder holds no model.
    """
    weights = weights_of(len(names["test"].names))
    scores = constants(names, weights, covered=True)
    parts = {"constants": Evaluation(numbers([scores]), replicates([scores]))}
    for control, folders_by_classifier in models.items():
        controlled_names = controlled(names, control)
        classifiers = Evaluation.side_by_side(
            {
                classifier: _classifier(classifier, folders, controlled_names, weights, least)
                for classifier, folders in folders_by_classifier.items()
            }
        )
        in_epochs: dict[str, Sequence[Path]] = {
            name: folders for name, folders in folders_by_classifier.items() if name != "lr"
        }
        parts[control] = replace(classifiers, not_converged=not_converged(in_epochs))
    whole = Evaluation.side_by_side(parts)
    whole.metrics["names"] = label_counts(names, types)
    return whole


def _classifier(
    classifier: Classifier, folders: Sequence[Path], names: Mapping[str, Names], weights: NDArray, least: int
) -> Evaluation:
    """The measures of one classifier: the mean over its seeds."""
    runs = []
    for folder in folders:
        model = pretrained(CLASSIFIERS[classifier], folder)
        dev, test = (probabilities(model, names[split]) for split in ("dev", "test"))
        runs.append(classifier_scores(dev, test, names, weights, least))
    return Evaluation(numbers(runs), replicates(runs))


def probabilities(model: nn.Module, names: Names) -> NDArray[np.float32]:
    """P(t|n) of the covered names, [c, T]."""
    device = next(model.parameters()).device
    with torch.inference_mode():
        parts = [model(part.to(device)).sigmoid() for part in torch.from_numpy(names.vectors).split(8192)]
    return torch.cat(parts).cpu().numpy()


Scores = dict[str, NDArray[np.float64]]  # acc and f1, each [R]


def name_counts(predicted: NDArray[np.bool_], gold: NDArray[np.bool_]) -> NDArray[np.int64]:
    """[M, 4]: of each name how many types are right, predicted and gold, and whether the sets are the same.

    Args:
        predicted, gold: [M, T].
    """
    n_right = (predicted & gold).sum(1)
    return np.stack([n_right, predicted.sum(1), gold.sum(1), (predicted == gold).all(1)], axis=1)


def measures(counts: NDArray[np.int64], weights: NDArray[np.int64]) -> Scores:
    """ACC and micro-F1, each [R]; the F1 of empty sets against empty sets is 0.

    Args:
        counts: of `name_counts`. weights: [R, M].
    """
    n_right, predicted, gold = (weights @ counts[:, :3]).T
    both = predicted + gold
    f1 = np.divide(2.0 * n_right, both, out=np.zeros(len(weights)), where=both > 0)
    return {"acc": mean_of_draws(counts[:, 3], weights), "f1": f1}


def by_types(counts: NDArray[np.int64], weights: NDArray[np.int64], least: int) -> dict[str, Scores]:
    """The measures of the names with exactly N gold types, by N, where more than `least` names have N types."""
    number = counts[:, 2]
    groups = [size for size, members in Counter(number.tolist()).items() if members > least]
    return {str(size): _measures_where(number == size, counts, weights) for size in sorted(groups)}


def _measures_where(is_counted: NDArray[np.bool_], counts: NDArray, weights: NDArray) -> Scores:
    return measures(counts[is_counted], weights[:, is_counted])


def best_threshold(probabilities: NDArray[np.floating], gold: NDArray[np.bool_]) -> float:
    """The threshold of `THRESHOLDS` with the best micro-F1, the same for all types; the lowest if several are best."""
    once = np.ones((1, len(gold)), np.int64)
    f1 = [measures(name_counts(probabilities > threshold, gold), once)["f1"][0] for threshold in THRESHOLDS]
    return float(THRESHOLDS[int(np.argmax(f1))])


def classifier_scores(
    dev: NDArray[np.floating], test: NDArray[np.floating], names: Mapping[str, Names], weights: NDArray, least: int
) -> dict[str, dict[str, Array]]:
    """All measures of one classifier, at 0.5 and at the threshold that is best on dev: arrays [R], nested.

    Args:
        dev, test: P(t|n) of the covered names [c, T].
        weights: [R, n] of all names of test.
        least: see `by_types`.

    Returns:
        "half" and "tuned": acc, f1, by_types, few_types (at most `MAX_FEW_TYPES`), many_types (more) and threshold of
        the covered names, and all_names: acc and f1 where a name without a vector has no type.
    """
    test_names = names["test"]
    scores: dict[str, dict[str, Array]] = {}
    for rule, threshold in (("half", 0.5), ("tuned", best_threshold(dev, names["dev"].covered_labels))):
        predicted = np.zeros_like(test_names.labels)
        predicted[test_names.covered] = test > threshold
        counts = name_counts(predicted, test_names.labels)
        covered, drawn = counts[test_names.covered], weights[:, test_names.covered]
        scores[rule] = {
            **measures(covered, drawn),
            "by_types": by_types(covered, drawn, least),
            "few_types": _measures_where(covered[:, 2] <= MAX_FEW_TYPES, covered, drawn),
            "many_types": _measures_where(covered[:, 2] > MAX_FEW_TYPES, covered, drawn),
            "all_names": measures(counts, weights),
            "threshold": np.full(len(weights), threshold),
        }
    return scores


def constants(names: Mapping[str, Names], weights: NDArray, covered: bool) -> dict[str, Scores]:
    """Scores on test of predictions that are the same for all names: arrays [R].

    Args:
        covered: only the names with a vector.

    Returns:
        "majority": the most common set of types in training; "top_1" ...: the most frequent types there; "empty"; and
        "best": the one of these with the best micro-F1 on dev.
    """
    train, dev, test = (
        names[split].covered_labels if covered else names[split].labels for split in ("train", "dev", "test")
    )
    if covered:
        weights = weights[:, names["test"].covered]
    sets = {"empty": np.zeros(test.shape[1], bool), "majority": most_common_set(train)}
    order = np.argsort(-train.sum(0), kind="stable")
    for size in range(1, min(MAX_CONSTANT_TYPES, len(order)) + 1):
        sets[f"top_{size}"] = np.isin(np.arange(len(order)), order[:size])
    once = np.ones((1, len(dev)), np.int64)
    dev_f1 = {name: _constant(types, dev, once)["f1"][0] for name, types in sets.items()}
    sets["best"] = sets[max(dev_f1, key=lambda name: dev_f1[name])]
    return {name: _constant(types, test, weights) for name, types in sets.items()}


def _constant(types: NDArray[np.bool_], gold: NDArray[np.bool_], weights: NDArray) -> Scores:
    return measures(name_counts(np.tile(types, (len(gold), 1)), gold), weights)


def most_common_set(labels: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The most common set of types [T]; of equally common sets the one that comes first."""
    rows, first_rows, counts = np.unique(labels, axis=0, return_index=True, return_counts=True)
    return rows[np.lexsort((first_rows, -counts))[0]]


def label_counts(names: Mapping[str, Names], types: Sequence[str]) -> dict[str, Metric]:
    """Counts of a label set: types; by split names, names with a vector, types per name, types without a name."""
    return {"types": len(types)} | {
        split: {
            "names": len(part.names),
            "covered": int(part.covered.sum()),
            "mean_types": float(part.labels.sum(1).mean()),
            "unseen_types": int((part.labels.sum(0) == 0).sum()),
        }
        for split, part in names.items()
    }
