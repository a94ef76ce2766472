"""The random walks behind SIF and uSIF: constants, weights, the confound of length, the gradient that gives them."""

import os
import warnings
from pathlib import Path

import numpy as np
import pytest

from repline.errors import InputError
from repline.lexicons.unigrams import read_unigrams
from repline.systems.usif.random_walk import (
    angular_score,
    angular_similarity,
    derive,
    log_linear_score,
    sif_weights,
    usif_weights,
    word_probabilities,
)

TOY = np.array([0.5, 0.25, 0.15, 0.10])


def test_constants_and_weights_of_four_words():
    constants = derive(TOY, 2)
    assert (constants.threshold, constants.alpha, constants.partition, constants.a) == pytest.approx(
        (0.4375, 0.25, 2, 1.5)
    )
    assert (constants.vocabulary, constants.length, constants.above) == (4, 2, 1)
    assert usif_weights(TOY, constants.a) == pytest.approx([1.2, 1.5, 1.5 / 0.9, 1.5 / 0.85])


@pytest.mark.parametrize(
    ("length", "above", "a"),
    [(11, 1643, 0.001206649022600), (10, 1801, 0.00109985773907), (20, 901, 0.00220911939609)],
)
def test_constants_of_a_vocabulary_as_large_as_the_papers(length, above, a):
    vocabulary = 188_033
    threshold = 1 - (1 - 1 / vocabulary) ** length
    rare = np.full(vocabulary - above, threshold / 2)
    constants = derive(np.concatenate([np.full(above, threshold * 1.001), rare]), length)
    assert constants.threshold == pytest.approx(threshold, rel=1e-9)
    assert constants.alpha == pytest.approx(above / vocabulary, rel=1e-12)
    assert constants.a == pytest.approx(a, rel=1e-11)
    assert constants.a == pytest.approx(
        2 * (1 - constants.alpha) / above, rel=1e-12
    )  # the vocabulary enters by the threshold
    if length == 11:
        assert constants.alpha == pytest.approx(0.008737827934458, rel=1e-12)
        assert constants.threshold == pytest.approx(5.849881405e-5, rel=1e-9)


@pytest.mark.skipif("REPLINE_MIRROR" not in os.environ, reason="the Wikipedia counts come from the mirror")
@pytest.mark.parametrize(("length", "a"), [(11, 0.001206649022600), (10, 0.00109985773907), (20, 0.00220911939609)])
def test_constants_of_the_papers_counts(length, a):
    counts = read_unigrams(Path(os.environ["REPLINE_MIRROR"]) / "lm/enwiki_vocab_min200.txt.gz")["count"].to_numpy()
    assert (len(counts), counts.sum()) == (188_033, 3_484_135_472)
    constants = derive(counts / counts.sum(), length)
    assert constants.a == pytest.approx(a, rel=1e-12 if length == 11 else 1e-11)
    if length == 11:
        assert (constants.above, constants.alpha) == (1643, pytest.approx(0.008737827934458, rel=1e-12))


def test_no_word_above_the_threshold_is_the_limit_of_equal_weights_and_said():
    with pytest.warns(UserWarning, match="every word weighs 2"):
        constants = derive(np.full(10, 0.1), 3)
    assert constants.a == np.inf
    assert usif_weights(TOY, constants.a).tolist() == [2, 2, 2, 2]


def test_every_word_above_the_threshold_is_an_error():
    with pytest.raises(InputError, match=r"every one of the 2 words is more frequent than 0\.5, so that a would be 0"):
        derive(np.array([0.9, 0.8]), 1)


@pytest.mark.parametrize("length", [0, -1, 2.5])
def test_the_length_is_a_positive_whole_number(length):
    with pytest.raises(InputError, match="positive whole number"):
        derive(TOY, length)


def test_no_counts():
    with pytest.raises(InputError, match="found none"):
        derive(np.array([]), 11)


def test_weights_fall_with_frequency_and_do_not_exceed_two():
    p = np.geomspace(1e-8, 0.05, 50)
    weights = usif_weights(p, 0.0012)
    assert (np.diff(weights) < 0).all()
    assert weights[0] == pytest.approx(2, abs=1e-4)
    assert sif_weights(p, 1e-3)[0] == pytest.approx(1, abs=1e-4)
    assert sif_weights(0.001).item() == 0.5


def test_an_uncounted_word_has_the_smallest_probability():
    probabilities = word_probabilities(["b", "unknown", "a"], ["a", "b"], np.array([3, 1]))
    assert probabilities.tolist() == [0.25, 0.25, 0.75]
    with pytest.raises(InputError, match="positive counts"):
        word_probabilities(["a"], ["a"], np.array([0]))


def test_angular_similarity():
    v = np.random.default_rng(0).normal(size=(20, 7))
    assert (angular_similarity(v, v) == 1).all()
    assert (angular_similarity(v, -v) == 0).all()
    assert angular_similarity([3, 0], [0, 0.1]) == 0.5
    assert angular_similarity([1, 0], [1, 1]) == pytest.approx(0.75)
    w = np.random.default_rng(1).normal(size=(20, 7))
    cosine = (v * w).sum(1) / np.linalg.norm(v, axis=1) / np.linalg.norm(w, axis=1)
    assert angular_similarity(v, w) == pytest.approx(1 - np.arccos(cosine) / np.pi)
    assert angular_similarity(5 * v, w) == pytest.approx(angular_similarity(v, w))


@pytest.mark.parametrize("k", [0.1, 1, 7])
def test_length_confounds_the_log_linear_model_alone(k):
    g, h = np.array([[2 * k, 0], [0, 2 * k]]), np.array([[k, k], [k, k]])
    assert log_linear_score(g.mean(0), g) == pytest.approx(log_linear_score(h.mean(0), h))
    assert log_linear_score(3 * g.mean(0), 3 * g) > log_linear_score(h.mean(0), h)
    assert angular_score(3 * g.mean(0), 3 * g) == angular_score(g.mean(0), g) == pytest.approx(0.5625)
    assert angular_score(h.mean(0), h) == 1


def _probability(c, v, p, alpha, partition):
    """p(w | c) = α p(w) + (1 - α) d(c, v_w) / Z: Ethayarajh 2018, eq. 8 (its d is of c̃_s, not of c_t as printed)."""
    return alpha * p + (1 - alpha) * angular_similarity(c, v) / partition


def test_the_weight_is_the_gradient_of_the_log_probability():
    """f(c) = log p(w | c) at c orthogonal to v, ‖c‖ = 1/‖v‖: ∇f = a / (π (p + a/2)) v, with f scaled by α."""
    rng = np.random.default_rng(3)
    v = rng.normal(size=6) * 2
    c = rng.normal(size=6)
    c -= (c @ v) / (v @ v) * v
    c *= 1 / np.linalg.norm(v) / np.linalg.norm(c)
    alpha, partition, p = 0.0087, 94016.5, 3e-4
    a = (1 - alpha) / (alpha * partition)
    step = 1e-5 * np.linalg.norm(c)
    gradient = [
        (
            np.log(_probability(c + step * axis, v, p, alpha, partition))
            - np.log(_probability(c - step * axis, v, p, alpha, partition))
        )
        / (2 * step)
        for axis in np.eye(6)
    ]
    assert gradient == pytest.approx(a / (np.pi * (p + a / 2)) * v, abs=1e-6)
    assert usif_weights(p, a) / np.pi * v == pytest.approx(gradient, abs=1e-6)


def test_probabilities_of_a_uniform_vocabulary_sum_to_one():
    vectors = np.random.default_rng(5).normal(size=(4000, 8))
    probabilities = _probability(vectors[0], vectors, np.full(4000, 1 / 4000), 0.01, 2000)
    assert probabilities.sum() == pytest.approx(1, abs=0.02)  # Z = |V|/2 is a mean over directions


def test_enough_words_give_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        derive(TOY, 2)
