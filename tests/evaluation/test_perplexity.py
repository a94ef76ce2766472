import math

import numpy as np
import pytest
import torch

from repline.errors import InputError
from repline.evaluation.perplexity import Likelihood, likelihood, likelihoods, perplexity, row_likelihoods


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


def test_rows_keep_their_own_words_and_are_drawn_as_wholes():
    masks = [torch.tensor([[True, True, False], [True, False, False]]), torch.tensor([[True, True, True]])]
    nats = [torch.tensor([1.0, 2.0, 5.0]), torch.tensor([1.0, 1.0, 2.0])]
    (rows,) = row_likelihoods(lambda batch: (nats[batch],), range(2), lambda batch: (masks[batch],))
    assert (rows.nats.tolist(), rows.words.tolist()) == ([3, 5, 4], [2, 1, 3])
    assert rows.total() == Likelihood(12.0, 6)
    assert rows.total(np.array([1, 1, 0])) == Likelihood(13.0, 4)
    with pytest.raises(InputError, match="no word to predict"):
        row_likelihoods(lambda _: (nats[0][:0],), [0], lambda _: (masks[0] & False,))


def test_a_hopeless_model_has_an_infinite_perplexity():
    assert likelihood(lambda batch: batch, [np.full(3, 1e4)]).perplexity == math.inf


def test_what_has_no_perplexity():
    with pytest.raises(InputError, match="no word to predict"):
        likelihood(lambda batch: batch, [])
    with pytest.raises(InputError, match="no word to predict"):
        likelihood(lambda batch: batch, [np.zeros(0)])
    with pytest.raises(InputError, match="not a number"):
        likelihood(lambda batch: batch, [np.array([1.0, np.nan])])
