"""How good captions are, by the measures of COCO: BLEU and CIDEr-D, for every caption, so that resamples are sums.

METEOR is not here: its program needs Java, and what other packages have under this name is another measure.
"""

import functools
import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ORDERS = 4  # the longest n-grams
SPREAD = 6.0  # sigma of CIDEr-D, in words

Caption = Sequence[str]


class Weighted(NamedTuple):
    """N-grams of one length with their weights, and the sum of the squares of these."""

    weights: dict[tuple[str, ...], float]
    squares: float


def bleu_counts(captions: Sequence[Caption], references: Sequence[Sequence[Caption]]) -> NDArray[np.int64]:
    """What BLEU adds up over captions [N, 10]: right n-grams (4), n-grams (4), the lengths of caption and reference.

    They are those of sacrebleu without tokenisation, which also computes a score of every caption and takes ten times
    as long. The reference's length is the one closest to the caption's, the shorter of two that are as close.

    Args:
        references: of each caption, one or more.
    """
    rows = np.zeros((len(captions), 2 * ORDERS + 2), dtype=np.int64)
    for row, caption, caption_references in zip(rows, captions, references, strict=True):
        reference_grams = [_grams(tuple(reference)) for reference in caption_references]
        for gram, count in _grams(tuple(caption)).items():
            row[len(gram) - 1] += min(count, max(grams[gram] for grams in reference_grams))
        row[ORDERS:-2] = [max(len(caption) - n, 0) for n in range(ORDERS)]
        row[-2] = len(caption)
        row[-1] = min(map(len, caption_references), key=lambda length: (abs(length - len(caption)), length))
    return rows


def corpus_bleu(counts: NDArray[np.int64], weights: NDArray) -> dict[str, NDArray[np.float64]]:
    """`bleu_1` to `bleu_4` of corpora in which captions occur as often as weights say, between 0 and 1: [R] each.

        BLEU-n = min(1, exp(1 - r / c)) (p_1 ... p_n)^(1/n),    0 where some p is 0

    Args:
        counts: [N, 10], of `bleu_counts`.
        weights: [R, N].

    Source: Papineni et al. 2002, equations 2 and 3.
    """
    sums = weights @ counts  # [R, 10]
    matches, every = sums[:, :ORDERS], sums[:, ORDERS : 2 * ORDERS]
    length, reference_length = sums[:, -2], sums[:, -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(matches / np.maximum(every, 1))  # [R, 4]; -inf where nothing is right
        brevity = np.minimum(1.0, np.exp(1 - reference_length / np.maximum(length, 1e-9)))
        means = np.cumsum(logs, 1) / np.arange(1, ORDERS + 1)
        return {f"bleu_{n}": brevity * np.exp(means[:, n - 1]) for n in range(1, ORDERS + 1)}


def cider_d(captions: Sequence[Caption], references: Sequence[Sequence[Caption]]) -> NDArray[np.float64]:
    """CIDEr-D of each caption [N], from 0 to 10; that of a corpus is the mean.

        g_w(x) = count_w(x) log(N / max(1, pictures with w in a reference)),    for each n-gram w of 1 to 4 words
        sim_n(c, r) = sum_w min(g_w(c), g_w(r)) g_w(r) / (|g(c)| |g(r)|)
        CIDEr-D(c) = 10 mean_n mean_r exp(-(l(c) - l(r))^2 / (2 sigma^2)) sim_n(c, r),    sigma = 6

    As in the COCO tool l is the number of pairs of words, N is that of the captions given, and counts are not divided
    by the length; words are not stemmed. Where all n-grams occur in every picture (N = 1, for one) it is 0.

    Source: Vedantam, Zitnick & Parikh 2015, "CIDEr: Consensus-based Image Description Evaluation", sections 4 and 5.
    """
    there, log_number, reference_weights = _weighted_references(
        tuple(tuple(tuple(reference) for reference in caption_references) for caption_references in references)
    )
    scores = np.zeros(len(captions))
    for row, (caption, caption_references, weighted_references) in enumerate(
        zip(captions, references, reference_weights, strict=True)
    ):
        ours = _weighted(caption, there, log_number)
        for reference, weights in zip(caption_references, weighted_references, strict=True):
            apart = max(len(caption) - 1, 0) - max(len(reference) - 1, 0)
            similar = sum(map(_similarity, ours, weights)) / ORDERS
            scores[row] += math.exp(-(apart**2) / (2 * SPREAD**2)) * similar / len(caption_references)
    return 10 * scores


def distinct(captions: Sequence[Caption]) -> int:
    """How many different captions there are."""
    return len({tuple(caption) for caption in captions})


@functools.lru_cache(maxsize=1 << 16)  # networks write many captions twice, and every reference is counted twice
def _grams(caption: tuple[str, ...]) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(caption[start : start + n]) for n in range(1, ORDERS + 1) for start in range(len(caption) - n + 1)
    )


@functools.lru_cache(maxsize=1)  # many models are measured by the same references, one after the other
def _weighted_references(
    references: tuple[tuple[tuple[str, ...], ...], ...],
) -> tuple[Counter[tuple[str, ...]], float, list[list[list[Weighted]]]]:
    """In how many pictures each n-gram is, log N, and g of every reference by the length of its n-grams."""
    there = Counter(
        gram
        for caption_references in references
        for gram in {gram for reference in caption_references for gram in _grams(reference)}
    )
    log_number = math.log(max(len(references), 1))
    return (
        there,
        log_number,
        [
            [_weighted(reference, there, log_number) for reference in caption_references]
            for caption_references in references
        ],
    )


def _weighted(caption: Caption, there: Counter[tuple[str, ...]], log_number: float) -> list[Weighted]:
    vectors: list[dict[tuple[str, ...], float]] = [{} for _ in range(ORDERS)]
    for gram, count in _grams(tuple(caption)).items():
        vectors[len(gram) - 1][gram] = count * (log_number - math.log(max(1, there[gram])))
    return [Weighted(vector, sum(value**2 for value in vector.values())) for vector in vectors]


def _similarity(ours: Weighted, theirs: Weighted) -> float:
    size = math.sqrt(ours.squares * theirs.squares)
    if not size:
        return 0.0
    pairs = ((value, theirs.weights[gram]) for gram, value in ours.weights.items() if gram in theirs.weights)
    return sum(min(value, other) * other for value, other in pairs) / size
