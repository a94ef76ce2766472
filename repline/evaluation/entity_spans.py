"""Named entities against a gold standard: whole spans with and without their type, and differences with intervals.

The scores are those of `repline.evaluation.chunking`. Intervals are of 200 resamples of the sentences; a difference is
measured on the same resamples.
"""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from repline.corpora.chunks.tag_spans import spans
from repline.evaluation.chunking import SpanScores, chunk_scores
from repline.evaluation.replication.bootstrap import REPLICATES, drawn_items

Tags = Sequence[Sequence[str]]


class Gain(TypedDict):
    """A difference of F1, from 2.5 % to 97.5 % of the resamples."""

    f1: float
    interval: list[float]


def entity_scores(gold: Tags, predicted: Tags) -> dict[str, SpanScores]:
    """Precision, recall and F1 of found entities.

    Args:
        gold: IOB2 tags of types, of each sentence.
        predicted: the same; types that the gold standard does not have count in `spans` alone.

    Returns:
        As `chunk_scores`: `overall` and each gold type; and `spans`, whatever the type. `overall` and `spans` have
        also `f1_interval`, from 2.5 % to 97.5 % of the resamples.
    """
    kinds = {tag[2:] for tags in gold for tag in tags if tag != "O"}
    comparable = [[tag if tag[2:] in kinds else "O" for tag in tags] for tags in predicted]
    any_gold, any_found = _without_types(gold), _without_types(predicted)
    scores: dict[str, SpanScores] = {**chunk_scores(gold, comparable)}
    scores["spans"] = chunk_scores(any_gold, any_found)["overall"]
    scores["overall"]["f1_interval"] = _interval(resampled_f1(gold, comparable))
    scores["spans"]["f1_interval"] = _interval(resampled_f1(any_gold, any_found))
    return scores


def f1_gain(gold: Tags, predicted: Tags, baseline: Tags) -> Gain:
    """How much higher the overall F1 of typed entities is than that of a baseline, with its interval."""
    kinds = {tag[2:] for tags in gold for tag in tags if tag != "O"}
    predicted_tags, baseline_tags = (
        [[tag if tag[2:] in kinds else "O" for tag in tags] for tags in side] for side in (predicted, baseline)
    )
    gain = chunk_scores(gold, predicted_tags)["overall"]["f1"] - chunk_scores(gold, baseline_tags)["overall"]["f1"]
    return {"f1": gain, "interval": _interval(resampled_f1(gold, predicted_tags) - resampled_f1(gold, baseline_tags))}


def resampled_f1(gold: Tags, predicted: Tags) -> np.ndarray:
    """The overall F1 on resamples of the sentences [REPLICATES]; 0 where there is no entity, or no sentence."""
    if not gold and not predicted:
        return np.zeros(REPLICATES)
    counts = np.array(
        [
            (len(set(gold_spans) & set(predicted_spans)), len(gold_spans), len(predicted_spans))
            for gold_spans, predicted_spans in ((spans(a), spans(b)) for a, b in zip(gold, predicted, strict=True))
        ]
    )  # [sentences, (right, gold, found)]
    drawn = np.array([counts[drawn_items(len(counts), number)].sum(axis=0) for number in range(REPLICATES)])
    return 2 * drawn[:, 0] / np.maximum(drawn[:, 1] + drawn[:, 2], 1)


def _without_types(tags: Tags) -> list[list[str]]:
    return [[tag if tag == "O" else f"{tag[0]}-span" for tag in sentence] for sentence in tags]


def _interval(values: np.ndarray) -> list[float]:
    return [float(bound) for bound in np.quantile(values, (0.025, 0.975))]
