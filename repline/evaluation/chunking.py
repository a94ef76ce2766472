"""Chunks against a gold standard: precision, recall and F1 of whole spans with their type.

    P = right / found,   R = right / gold,   F1 = 2 P R / (P + R)

A span is right when its type, its first and its last token are those of a gold span.

Source: Tjong Kim Sang & Buchholz 2000, "Introduction to the CoNLL-2000 Shared Task: Chunking", section 4.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NotRequired, TypedDict

from repline.corpora.chunks.tag_spans import spans
from repline.errors import InputError, in_one_line


class SpanScores(TypedDict):
    """Counts of gold and of found spans, and what is right of them; the interval where it was asked for."""

    precision: float
    recall: float
    f1: float
    gold: int
    found: int
    f1_interval: NotRequired[list[float]]


def chunk_scores(gold: Iterable[Sequence[str]], predictions: Iterable[Sequence[str]]) -> dict[str, SpanScores]:
    """Compare sentences of IOB2 tags.

    Args:
        gold, predictions: the same sentences in the same order.

    Returns:
        `{"overall": {"precision", "recall", "f1", "gold", "found"}, "NP": ..., ...}`, types by falling gold count.

    Raises:
        InputError: a different number of sentences or of tokens.
    """
    expected, predicted, correct = Counter[str](), Counter[str](), Counter[str]()
    try:
        for number, (gold_tags, predicted_tags) in enumerate(zip(gold, predictions, strict=True)):
            if len(gold_tags) != len(predicted_tags):
                raise InputError(
                    f"sentence {number}: expected a predicted tag for each of {len(gold_tags)} gold tags, found "
                    f"{len(predicted_tags)}"
                )
            a, b = set(spans(gold_tags)), set(spans(predicted_tags))
            for counter, chunks in ((expected, a), (predicted, b), (correct, a & b)):
                counter.update(kind for kind, _, _ in chunks)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"expected as many sentences with gold tags as with predicted ones ({in_one_line(error)})"
        ) from None
    kinds = sorted(expected | predicted, key=lambda kind: (-expected[kind], kind))
    scores = {"overall": _scores(correct.total(), predicted.total(), expected.total())}
    return scores | {kind: _scores(correct[kind], predicted[kind], expected[kind]) for kind in kinds}


def _scores(correct: int, predicted: int, gold: int) -> SpanScores:
    precision, recall = correct / predicted if predicted else 0.0, correct / gold if gold else 0.0
    f1 = 2 * correct / (predicted + gold) if predicted + gold else 0.0
    return {"precision": precision, "recall": recall, "f1": f1, "gold": gold, "found": predicted}
