"""How well gaps are filled in every setting: the paper's measures on resampled scenes, and classes of errors."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from repline.corpora.scenes.scene import SceneSentence, Triplet
from repline.evaluation.evaluations import Evaluation
from repline.evaluation.replication.bootstrap import bootstrap
from repline.systems.context_parser.completions import Completed
from repline.systems.context_parser.gap_measures import Prediction, counts, measured, measures


def evaluate(completed: Completed) -> Evaluation:
    """The completions of one corpus, or of the predictions that the authors ship.

    Returns:
        metrics: by setting the measures, the share of candidates that were searched, classes of errors, and exact
        fillers by fold; `chance`, `gaps` and how many `candidates` there are.
    """
    scenes = measured(completed.sentences, completed.predicted)
    scores = scenes.of(np.arange(len(scenes.gaps)))
    for setting, predicted in completed.predicted.items():
        candidates = sum(completed.candidates[setting])
        scores[setting]["searched"] = sum(completed.searched[setting]) / candidates if candidates else None
        scores[setting]["errors"] = error_shares(completed.sentences, predicted)
        scores[setting]["efi_by_fold"] = fillers_by_fold(completed, setting)
    of_gaps = next(iter(completed.candidates.values()))
    scores["gaps"] = int(scenes.gaps.sum())
    scores["candidates"] = {"mean": float(np.mean(of_gaps)), "median": float(np.median(of_gaps)), "most": max(of_gaps)}
    replicates = bootstrap(lambda run, drawn: run.of(drawn), [scenes], items=len(scenes.gaps))
    return Evaluation(scores, replicates)


def fillers_by_fold(completed: Completed, setting: str) -> list[float | None]:
    """The exact fillers of each fold in percent; None for a fold without a prediction."""
    rows: dict[int, list[np.ndarray]] = {fold: [] for fold in completed.folds}
    predictions = completed.predicted[setting]
    for fold, sentence, prediction in zip(completed.folds, completed.sentences, predictions, strict=True):
        if prediction is not None:
            rows[fold].append(counts(sentence, prediction))
    return [measures(np.array(of_fold))["efi"] if of_fold else None for of_fold in rows.values()]


def headline(evaluation: Evaluation, settings: Iterable[str]) -> Evaluation:
    """The exact fillers of one corpus by setting."""

    def fillers(scores: Mapping[str, Any]) -> dict[str, float]:
        return {setting: scores[setting]["efi"] for setting in settings}

    return Evaluation(fillers(evaluation.metrics), [fillers(part) for part in evaluation.replicates])


def error_shares(sentences: Sequence[SceneSentence], predicted: Sequence[Prediction | None]) -> dict[str, float | None]:
    """The percentages of wrong fillers of each class, as far as a program can tell; None where no filler is wrong.

    The paper sorted its errors by hand (section 4).

    Returns:
        errors: how many fillers are wrong.
        location_for_next_to: the sentence says next to of the right filler and another item, and the wrong filler has
            a Location in common with that item, original in the scene.
        verb_for_noun: a verb fills the place of a noun.
        same_name: an item of the right name, but not the right one.
    """
    wrong = [
        (sentence, prediction)
        for sentence, prediction in zip(sentences, predicted, strict=True)
        if prediction is not None
        and prediction.references[sentence.gaps[0]].lower()
        not in [reference.lower() for reference in sentence.words[sentence.gaps[0]].references]
    ]
    classes = {"location_for_next_to": 0, "verb_for_noun": 0, "same_name": 0}
    for sentence, prediction in wrong:
        gap = sentence.gaps[0]
        word, filler = sentence.words[gap], prediction.references[gap]
        classes["verb_for_noun"] += word.coarse.startswith("NN") and prediction.tag.startswith("VB")
        names = [reference.partition("_")[0] for reference in word.references]
        classes["same_name"] += filler.partition("_")[0] in names
        classes["location_for_next_to"] += _location_for_next_to(sentence, filler)
    return {"errors": float(len(wrong))} | {
        name: 100.0 * count / len(wrong) if wrong else None for name, count in classes.items()
    }


def _location_for_next_to(sentence: SceneSentence, filler: str) -> bool:
    if "next" not in [word.lemma.lower() for word in sentence.words]:
        return False
    other_items = {item for word in sentence.words for item in word.references} - {filler}
    triplets = set(sentence.triplets)
    return any(
        Triplet(filler, "Location", item) in triplets or Triplet(item, "Location", filler) in triplets
        for item in other_items
    )
