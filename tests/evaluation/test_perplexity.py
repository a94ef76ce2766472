import math

import numpy as np
import pytest
import torch

from repline.errors import InputError
from repline.evaluation.perplexity import Likelihood, likelihood, likelihoods, perplexity


def test_it_is_the_same_however_the_words_are_cut():
    nats = np.random.default_rng(0).gamma(2.0, size=1000)
    whole = likelihood(lambda batch: batch, [nats])
    cut = likelihood(torch.from_numpy, np.split(nats, [3, 700]))
    assert whole.words == cut.words == 1000
    assert cut.cross_entropy == pytest.approx(nats.mean(), rel=1e-12)
    assert perplexity(lambda batch: batch, [nats]) == pytest.approx(math.exp(nats.mean()))


def test_a_uniform_guess_has_the_size_of_the_vocabulary():
    assert perplexity(lambda batch: torch.full((2, 3), math.log(50.0)), range(4)) == pytest.approx(50)


def test_the_mean_is_over_words_and_not_over_batches():
    assert likelihood(lambda batch: batch, [np.zeros(9), np.ones(1)]).cross_entropy == pytest.approx(0.1)


def test_brackets_are_charged_to_the_words():
    words, marks = likelihoods(lambda batch: (np.full(4, 1.0), np.full(2, 3.0)), range(5))
    assert (words.words, marks.words) == (20, 10)
    assert words.jointly(marks).perplexity == pytest.approx(math.exp((20 + 30) / 20))
    assert words.jointly(Likelihood(0.0, 0)) == words


def test_a_hopeless_model_has_an_infinite_perplexity():
    assert likelihood(lambda batch: batch, [np.full(3, 1e4)]).perplexity == math.inf


def test_what_has_no_perplexity():
    with pytest.raises(InputError, match="no word to predict"):
        likelihood(lambda batch: batch, [])
    with pytest.raises(InputError, match="no word to predict"):
        likelihood(lambda batch: batch, [np.zeros(0)])
    with pytest.raises(InputError, match="not a number"):
        likelihood(lambda batch: batch, [np.array([1.0, np.nan])])
