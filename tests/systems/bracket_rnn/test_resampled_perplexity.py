"""Perplexities on resampled sentences: every model's rows are the same sentences, whatever it reads of them."""

import numpy as np
import pytest
import torch

from repline.evaluation.perplexity import RowLikelihoods, likelihoods
from repline.systems.bracket_rnn.likelihood import bracket_likelihood
from repline.systems.bracket_rnn.resampled_perplexity import perplexity_replicates, text_likelihoods
from repline.systems.bracket_rnn.training import stream_batches
from tests.systems.bracket_rnn.test_training import PLAIN, TREE, model_of, root, text_of  # noqa: F401


@pytest.mark.parametrize("steps", [None, 10])
def test_rows_are_the_same_sentences_with_and_without_brackets(root, steps):  # noqa: F811
    rows = {}
    for name, run in (("tree", TREE), ("plain", PLAIN)):
        torch.manual_seed(0)
        text, model = text_of(root, **run), model_of(root, **run)
        rows[name] = text_likelihoods(model, text, "test", 8, steps)
        batches = stream_batches(text, "test", 8, steps, predict=True, shuffle=False)
        whole = likelihoods(bracket_likelihood(model, len(text)), batches)
        for by_row, expected in zip(rows[name], whole, strict=True):
            total = by_row.total()
            assert (total.words, total.nats) == (expected.words, pytest.approx(expected.nats))
    (words, kinds), (plain, nothing) = rows["tree"], rows["plain"]
    assert not nothing.words.any() and (kinds.words >= words.words).all() and kinds.words.sum() > words.words.sum()
    if steps is None:
        ids, bounds = text_of(root, **PLAIN).ids("test"), text_of(root, **PLAIN).sentences("test")
        assert words.words.tolist() == plain.words.tolist() == np.diff(bounds).tolist()
        assert plain.words.sum() == len(ids)
    else:
        assert len(words.words) == len(plain.words) == 8


def test_models_are_compared_on_the_same_draws():
    counts, none = np.full(30, 5), RowLikelihoods(np.zeros(30), np.zeros(30, dtype=int))
    nats = np.random.default_rng(0).gamma(2, size=30) * 5
    worse = [{"test": (RowLikelihoods(nats * 1.1, counts), none)}]
    better = [{"test": (RowLikelihoods(nats, counts), none)}]
    pairs = list(zip(perplexity_replicates(worse, 50), perplexity_replicates(better, 50), strict=True))
    assert all(
        np.log(a["test"]["perplexity"]) == pytest.approx(1.1 * np.log(b["test"]["perplexity"])) for a, b in pairs
    )
    assert np.std([b["test"]["perplexity"] for _, b in pairs]) > 0
