"""How well gaps are filled in every setting: the paper's measures on resampled scenes, and classes of errors."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.corpora.scenes.scene import SceneSentence, Triplet
from repline.corpora.scenes.scene_statistics import Spread, triplet_statistics
from repline.evaluation.evaluations import Evaluation
from repline.evaluation.nested_measures import Metric
from repline.evaluation.replication.bootstrap import bootstrap
from repline.evaluation.replication.replicate_files import overlay
from repline.systems.context_parser.completions import Completed
from repline.systems.context_parser.gap_measures import Measured, Prediction, counts, gap_measures_in_percent, measured

ERRORS = ("errors", "location_for_next_to", "verb_for_noun", "same_name")


def evaluate(completed: Completed) -> Evaluation:
    """The completions of one corpus, or of the predictions that the authors ship.

    Returns:
        metrics: by setting the measures, the share of candidates that were searched, classes of errors, and exact
        fillers by fold; `chance`, `gaps` and how many `candidates` there are; and what the `scenes` hold, see
        `scene_contents`.
    """
    scenes = measured(completed.sentences, completed.predicted)
    scores = scenes.of(np.arange(len(scenes.gaps)))
    errors: dict[str, NDArray[np.int64]] = {}
    for setting, predicted in completed.predicted.items():
        candidates = sum(completed.candidates[setting])
        scores[setting]["searched"] = sum(completed.searched[setting]) / candidates if candidates else None
        errors[setting] = error_counts(completed.sentences, predicted)
        scores[setting]["errors"] = error_shares(errors[setting])
        scores[setting]["efi_by_fold"] = fillers_by_fold(completed, setting)
    candidate_counts = next(iter(completed.candidates.values()))
    scores["gaps"] = int(scenes.gaps.sum())
    scores["scenes"] = scene_contents(completed.sentences)
    scores["candidates"] = {
        "mean": float(np.mean(candidate_counts)),
        "median": float(np.median(candidate_counts)),
        "most": max(candidate_counts),
    }

    def drawn_scores(run: Measured, drawn: NDArray[np.int64]) -> dict[str, Metric]:
        drawn_errors = {setting: {"errors": error_shares(counted[drawn])} for setting, counted in errors.items()}
        return overlay(run.of(drawn), drawn_errors)

    return Evaluation(scores, bootstrap(drawn_scores, [scenes], items=len(scenes.gaps)))


def scene_contents(sentences: Sequence[SceneSentence]) -> Metric:
    """How much the scenes of some sentences hold: relations, items and classes, and the percentage of each relation.

    Returns:
        `scenes`, how many; `relations, items, classes` as `triplet_statistics` has them; `shares` by relation.

    Source: Rekaby Salama et al. (2018), Table 2.
    """
    scenes = {sentence.scene: sentence.triplets for sentence in sentences}
    statistics = triplet_statistics(list(scenes.values()))
    all_relations = sum(statistics["relations_by_type"].values())
    shares = {kind: 100.0 * count / all_relations for kind, count in statistics["relations_by_type"].items()}
    return {
        "scenes": len(scenes),
        "relations": _spread(statistics["relations"]),
        "items": _spread(statistics["items"]),
        "classes": _spread(statistics["classes"]),
        "shares": shares,
    }


def _spread(spread: Spread) -> dict[str, Metric]:
    return {"least": spread["least"], "mean": spread["mean"], "most": spread["most"]}


def fillers_by_fold(completed: Completed, setting: str) -> list[float | None]:
    """The exact fillers of each fold in percent; None for a fold without a prediction."""
    rows: dict[int, list[np.ndarray]] = {fold: [] for fold in completed.folds}
    predictions = completed.predicted[setting]
    for fold, sentence, prediction in zip(completed.folds, completed.sentences, predictions, strict=True):
        if prediction is not None:
            rows[fold].append(counts(sentence, prediction))
    return [gap_measures_in_percent(np.array(fold_rows))["efi"] if fold_rows else None for fold_rows in rows.values()]


def error_shares(counted: NDArray[np.int64]) -> dict[str, float | None]:
    """The percentages of wrong fillers of each class of `ERRORS`; None where no filler is wrong.

    Args:
        counted: [N, len(ERRORS)], as `error_counts` gives it.
    """
    errors, *classes = counted.sum(axis=0).tolist()
    shares = [100.0 * count / errors if errors else None for count in classes]
    return dict(zip(ERRORS, (float(errors), *shares), strict=True))


def error_counts(sentences: Sequence[SceneSentence], predicted: Sequence[Prediction | None]) -> NDArray[np.int64]:
    """Wrong fillers and their classes by scene, as far as a program can tell: [S, len(ERRORS)].

    The paper sorted its errors by hand (section 4).

        errors: how many fillers are wrong.
        location_for_next_to: the sentence says next to of the right filler and another item, and the wrong filler has
            a Location in common with that item, original in the scene.
        verb_for_noun: a verb fills the place of a noun.
        same_name: an item of the right name, but not the right one.
    """
    scenes = {scene: row for row, scene in enumerate(dict.fromkeys(sentence.scene for sentence in sentences))}
    counted = np.zeros((len(scenes), len(ERRORS)), np.int64)
    for sentence, prediction in zip(sentences, predicted, strict=True):
        if prediction is None:
            continue
        gap = sentence.gaps[0]
        word, filler = sentence.words[gap], prediction.references[gap]
        if filler.lower() in [reference.lower() for reference in word.references]:
            continue
        names = [reference.partition("_")[0] for reference in word.references]
        counted[scenes[sentence.scene]] += (
            1,
            _location_for_next_to(sentence, filler),
            word.coarse.startswith("NN") and prediction.tag.startswith("VB"),
            filler.partition("_")[0] in names,
        )
    return counted


def _location_for_next_to(sentence: SceneSentence, filler: str) -> bool:
    if "next" not in [word.lemma.lower() for word in sentence.words]:
        return False
    other_items = {item for word in sentence.words for item in word.references} - {filler}
    triplets = set(sentence.triplets)
    return any(
        Triplet(filler, "Location", item) in triplets or Triplet(item, "Location", filler) in triplets
        for item in other_items
    )
