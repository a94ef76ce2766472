"""What several classifiers answer to the test documents, among the labels that they all know."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import repline
from repline.corpora.labelled.classified_texts import Texts
from repline.errors import InputError
from repline.evaluation.leaderboards.shared_items import SharedItems, accuracy, macro_f1
from repline.evaluation.replication.units import single_units
from repline.use.text_classifier import TextClassifier

MACRO_F1 = "macro-F1"


@dataclass(frozen=True)
class LabelScores:
    """What a classifier makes of the test documents: scores of all labels that it knows.

    Attributes:
        labels: names of the L labels, those among them that no document has.
        by_run: [runs, N, L], for each run (seed of training); the largest score is that of its choice.
    """

    labels: Sequence[str]
    by_run: NDArray[np.float64]

    def best_among(self, choices: Sequence[str]) -> NDArray[np.int64]:
        """The label of the largest score among some that it knows, as its place among them: [runs, N]."""
        columns = [self.labels.index(label) for label in choices]
        return self.by_run[:, :, columns].argmax(axis=2)


def saved_classifier(folder: str | Path) -> TextClassifier:
    """The classifier in a folder; InputError where it holds none of texts."""
    model = repline.load(folder)
    if not isinstance(model, TextClassifier):
        raise InputError(f"{folder}: expected a classifier of texts, found another kind of model")
    return model


def saved_scores(model: TextClassifier, raw_texts: Sequence[str]) -> LabelScores:
    """What a saved classifier makes of raw texts."""
    answers = model.classify(list(raw_texts))
    by_text = [[answer.probabilities[label] for label in model.labels] for answer in answers]
    return LabelScores(model.labels, np.array([by_text], dtype=np.float64))


def compared(texts: Texts, candidates: Mapping[str, LabelScores]) -> list[SharedItems]:
    """Accuracy and macro-F1 of all classifiers on the test documents; units are documents.

    Every classifier chooses among the labels that all of them know, for the choice among fewer labels is easier. A
    document whose label one of them does not know is left out: that one cannot be right there.

    Raises:
        InputError: as of `shared_labels`.
    """
    choices = shared_labels(texts.labels, {name: scores.labels for name, scores in candidates.items()})
    gold_names = np.array(texts.labels)[texts.gold["test"]]
    is_answered = {name: np.isin(gold_names, list(scores.labels)) for name, scores in candidates.items()}
    is_shared = np.all(list(is_answered.values()), axis=0)
    gold = np.array([choices.index(label) for label in gold_names[is_shared]], dtype=np.int64)
    answers = {name: scores.best_among(choices)[:, is_shared] for name, scores in candidates.items()}
    measures = {"accuracy": accuracy(gold), MACRO_F1: macro_f1(gold, len(choices))}
    notes = _notes(candidates, choices, is_shared)
    return [
        SharedItems(
            test="test documents",
            measure=measure,
            items=len(gold_names),
            answered={name: int(answered.sum()) for name, answered in is_answered.items()},
            answers=answers,
            statistic=statistic,
            units=single_units(len(gold)),
            notes=notes + (note_on_labels(gold, len(choices)) if measure == MACRO_F1 else []),
        )
        for measure, statistic in measures.items()
    ]


def shared_labels(labels: Sequence[str], by_candidate: Mapping[str, Sequence[str]]) -> list[str]:
    """The labels that all candidates know: those of the texts, then others, which are wrong for every document.

    Args:
        labels: of the texts.
        by_candidate: the labels that each knows.

    Raises:
        InputError: fewer than two are known to all, or one candidate knows none of the texts'.
    """
    for name, known_labels in by_candidate.items():
        if not set(known_labels) & set(labels):
            raise InputError(
                f"{name}: expected one of the labels {', '.join(labels)}, found {', '.join(known_labels)} alone"
            )
    label_lists = list(by_candidate.values())
    shared = [
        label for label in dict.fromkeys([*labels, *label_lists[0]]) if all(label in names for names in label_lists)
    ]
    if len(shared) < 2:
        raise InputError(
            f"expected two labels or more that {', '.join(by_candidate)} all know, found {', '.join(shared) or 'none'}"
        )
    return shared


def note_on_labels(gold: NDArray[np.int64], labels: int) -> list[str]:
    """How many labels the mean of macro-F1 is over, as a note; none where some document has each.

    Args:
        gold: the numbers of the documents' labels, [N].
        labels: how many there are.
    """
    there = len(np.unique(gold))
    if there == labels:
        return []
    return [f"Macro-F1 is the mean over {there:,} of {labels:,} labels; no document here has the rest."]


def _notes(candidates: Mapping[str, LabelScores], choices: Sequence[str], is_shared: NDArray[np.bool_]) -> list[str]:
    """How many labels are no choice here, for how many answers that matters, and how many documents are left out."""
    notes = []
    for name, scores in candidates.items():
        if set(scores.labels) == set(choices):
            continue
        columns = [list(scores.labels).index(label) for label in choices]
        is_other = scores.by_run.max(axis=2) > scores.by_run[:, :, columns].max(axis=2)
        share = float(is_other[:, is_shared].mean()) if is_shared.any() else 0.0
        notes.append(
            f"{name} knows {len(scores.labels):,} labels and chooses among the {len(choices):,} that all know; "
            f"else {share:.1%} of its answers would be another label."
        )
    if left_out := int((~is_shared).sum()):
        documents = "1 document" if left_out == 1 else f"{left_out:,} documents"
        notes.append(f"Left out: {documents} whose label some candidate does not know.")
    return notes
