"""BLEU against sacrebleu's own corpus score, CIDEr-D against its formula worked out by hand."""

import math

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from repline.evaluation.caption_scores import bleu_counts, cider_d, corpus_bleu, distinct

CAPTIONS = [line.split() for line in ("a dog runs on the grass", "a dog runs", "two men are on a boat in a river")]
REFERENCES = [
    [line.split() for line in ("a brown dog runs on grass", "the dog runs on the grass quickly")],
    [line.split() for line in ("a dog runs", "a cat sleeps on a mat")],
    [line.split() for line in ("two men in a boat on a river", "men are rowing a boat in a wide river")],
]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_bleu_is_that_of_sacrebleu(order):
    scores = corpus_bleu(bleu_counts(CAPTIONS, REFERENCES), np.array([[1, 1, 1], [2, 0, 1]]))[f"bleu_{order}"]
    metric = BLEU(tokenize="none", smooth_method="none", max_ngram_order=order)
    for rows, value in zip(([0, 1, 2], [0, 0, 2]), scores, strict=True):
        streams = [[" ".join(REFERENCES[row][number]) for row in rows] for number in range(2)]
        expected = metric.corpus_score([" ".join(CAPTIONS[row]) for row in rows], streams).score
        assert value == pytest.approx(expected / 100, abs=1e-9)


def test_counts_are_those_of_sacrebleu_for_any_captions():
    rng = np.random.default_rng(0)
    sentences = [[str(word) for word in rng.integers(4, size=rng.integers(0, 9))] for _ in range(800)]
    captions, others_of = sentences[:200], sentences[200:]
    references = [others_of[3 * row : 3 * row + rng.integers(1, 4)] for row in range(200)]
    metric = BLEU(tokenize="none", effective_order=True)
    for row, caption, others in zip(bleu_counts(captions, references), captions, references, strict=True):
        score = metric.sentence_score(" ".join(caption), [" ".join(other) for other in others])
        assert row.tolist() == [*score.counts, *score.totals, score.sys_len, score.ref_len]


def test_bleu_of_nothing_right_is_zero():
    scores = corpus_bleu(bleu_counts([["x", "y"], []], [[["a", "b"]], [["a"]]]), np.array([[1, 1], [0, 1]]))
    assert {name: value.tolist() for name, value in scores.items()} == {f"bleu_{n}": [0.0, 0.0] for n in range(1, 5)}


def test_cider_d_of_a_worked_example():
    """Two pictures: `a` is in both and weighs nothing, every other n-gram weighs log 2."""
    scores = cider_d([["a", "b"], ["a", "d"]], [[["a", "b"], ["a", "c", "b"]], [["a", "d"]]])
    # reference `a b`: one word and one pair agree fully, there are no longer n-grams: 2 of 4 orders are 1
    # reference `a c b`: of the words b, c the caption has b: 1 / sqrt(1 * 2); no pair agrees; one pair longer
    second = math.exp(-1 / 72) * (1 / math.sqrt(2)) / 4
    assert scores == pytest.approx([10 * (2 / 4 + second) / 2, 10 * 2 / 4])


def test_cider_d_clips_what_is_repeated():
    references = [[["b", "c"]], [["d", "e"]]]
    once = cider_d([["b", "c"], ["d", "e"]], references)[0]
    often = cider_d([["b", "b", "b", "b"], ["d", "e"]], references)[0]
    # g(c) = (4 log 2), g(r) = (log 2, log 2): min(4, 1) * 1 / (4 sqrt 2); two pairs longer
    assert once == pytest.approx(5)
    assert often == pytest.approx(10 * math.exp(-4 / 72) * 1 / (4 * math.sqrt(2)) / 4)


def test_cider_d_of_one_picture_and_of_an_empty_caption_is_zero():
    assert cider_d([["b", "c"]], [[["b", "c"]]]).tolist() == [0]
    assert cider_d([[], ["d"]], [[["b"]], [["d"]]]).tolist() == [0, 2.5]


def test_distinct_captions():
    assert distinct([["a"], ["b"], ["a"], ["a", "b"]]) == 3
