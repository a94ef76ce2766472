"""What several classifiers answer to the test documents whose label they all can give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import repline
from repline.corpora.labelled.classified_texts import Texts
from repline.errors import InputError
from repline.evaluation.leaderboards.shared_items import SharedItems, accuracy, macro_f1, single_units
from repline.use.text_classifier import TextClassifier


@dataclass(frozen=True)
class Guesses:
    """The label numbers that a classifier gives the test documents, and which of the labels it knows.

    Attributes:
        by_run: [runs, N], for each run (seed of training); the number of labels stands for a label that the documents
            do not have.
        labels: bool [C], whether it can give each label of the documents.
    """

    by_run: NDArray[np.int64]
    labels: NDArray[np.bool_]

    @classmethod
    def of_runs(cls, probabilities: Sequence[NDArray]) -> "Guesses":
        """The most probable labels of runs that learnt all labels: [N, C] each."""
        by_run = np.stack([run.argmax(axis=1) for run in probabilities])
        return cls(by_run, np.ones(probabilities[0].shape[1], dtype=bool))


def saved_guesses(folder: str | Path, raw_texts: Sequence[str], labels: Sequence[str]) -> Guesses:
    """What a saved classifier says of raw texts.

    Raises:
        InputError: the folder holds no classifier of texts, or one that knows none of the labels.
    """
    model = repline.load(folder)
    if not isinstance(model, TextClassifier):
        raise InputError(f"{folder}: expected a classifier of texts, found another kind of model")
    if not set(model.labels) & set(labels):
        raise InputError(
            f"{folder}: expected one of the labels {', '.join(labels)}, found {', '.join(model.labels)} alone"
        )
    number_of = {label: number for number, label in enumerate(labels)}
    answers = model.classify(list(raw_texts))
    guesses = np.array([[number_of.get(answer.label, len(labels)) for answer in answers]], dtype=np.int64)
    return Guesses(guesses, np.array([label in model.labels for label in labels], dtype=bool))


def compared(texts: Texts, guesses: Mapping[str, Guesses]) -> list[SharedItems]:
    """Accuracy and macro-F1 of all classifiers on the test documents; units are documents.

    A classifier cannot answer a document whose label it does not know.
    """
    gold = texts.gold["test"]
    is_answered = {name: guess.labels[gold] for name, guess in guesses.items()}
    is_shared = np.all(list(is_answered.values()), axis=0)
    shared = gold[is_shared]
    measures = {"accuracy": accuracy(shared), "macro-F1": macro_f1(shared, len(texts.labels))}
    return [
        SharedItems(
            test="test documents",
            measure=measure,
            items=len(gold),
            answered={name: int(answered.sum()) for name, answered in is_answered.items()},
            answers={name: guess.by_run[:, is_shared] for name, guess in guesses.items()},
            statistic=statistic,
            units=single_units(len(shared)),
        )
        for measure, statistic in measures.items()
    ]
