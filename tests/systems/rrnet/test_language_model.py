"""RRNet as a language model: streams in segments, perplexity, its policy, tied vectors."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from repline.systems.rrnet.language_model import RRNetLanguageModel
from repline.systems.rrnet.language_model_training import stream_perplexity
from repline.training.language_model_batches import END


def _language_model(kind, **changes):
    torch.manual_seed(0)
    sizes = {"embedding": 6, "units": 8, "kind": kind, "dropout_input": 0.0, "dropout_output": 0.0}
    return RRNetLanguageModel(list("abcdefg"), **(sizes | changes))


@pytest.mark.parametrize("kind", ["lstm", "recur", "learned"])
def test_a_stream_is_read_in_segments(kind):
    model = _language_model(kind).eval()
    words = torch.randint(0, 7, (3, 12))
    whole, _ = model(words, model.initial_state(3))
    state, parts = model.initial_state(3), []
    for segment in words.split(5, 1):
        hidden, state = model(segment, state)
        parts.append(hidden)
    torch.testing.assert_close(torch.cat(parts, 1), whole, atol=1e-5, rtol=1e-5)
    assert model.decode(whole).shape == (3, 12, 7)


@pytest.mark.parametrize("kind", ["lstm", "learned"])
def test_the_perplexity_of_a_stream_counts_each_word_once_in_its_row_and_segment(kind):
    model, ids = _language_model(kind), np.random.default_rng(0).integers(0, 7, 60)
    torch.nn.init.normal_(model.readout.weight)
    view = SimpleNamespace(ids={"test": ids}.get)
    perplexity, shares, pieces = stream_perplexity(model, view, "test", batch=3, steps=8)
    read = torch.from_numpy(np.append(END, ids[:-1]).reshape(3, 20))
    with torch.no_grad():
        hidden, _ = model(read, model.initial_state(3))
        nats = cross_entropy(model.decode(hidden).flatten(0, 1), torch.from_numpy(ids), reduction="none").view(3, 20)
    assert perplexity == pytest.approx(float(nats.mean().exp()), rel=1e-5)
    sums = torch.stack([segment.sum(1) for segment in nats.split(8, 1)])  # [3 segments, 3 rows]
    np.testing.assert_allclose(pieces, np.stack([sums.flatten(), np.repeat([8, 8, 4], 3)], 1), rtol=1e-4)
    assert shares is None if kind == "lstm" else sum(shares.values()) == pytest.approx(1)


def test_a_model_that_only_recurs_is_the_lstm():
    lstm, recur = _language_model("lstm"), _language_model("recur")
    recur.load_state_dict(
        {name: value for name, value in lstm.state_dict().items() if "layer" not in name}, strict=False
    )
    names = {name.removesuffix("_l0"): value for name, value in lstm.layer.state_dict().items()}
    recur.layer.cells[2].load_state_dict(names)
    words = torch.randint(0, 7, (3, 12))
    expected, state = lstm(words, lstm.initial_state(3))
    hidden, recurring = recur(words, recur.initial_state(3))
    assert (hidden - expected).abs().max() < 1e-6
    assert (recurring.now - torch.cat(state, 1)).abs().max() < 1e-6
    assert lstm.penalty() == recur.penalty() == 0


@pytest.mark.parametrize(("baseline", "most"), [("value", 0), ("mean", 2)])
def test_a_policy_learns_from_the_words_that_follow(baseline, most):
    model = _language_model("learned", baseline=baseline, most=most).train()
    words = torch.randint(0, 7, (3, 12))
    torch.manual_seed(1)
    hidden, state = model(words, model.initial_state(3))
    model.decode(hidden)
    whole = model.penalty()
    whole.backward()
    assert model.layer.policy.scores.weight.grad.abs().max() > 0
    assert model.readout.weight.grad is None  # rewards pass no gradient
    assert int(state.sizes.max()) <= 2
    again = _language_model("learned", baseline=baseline, most=most).train()
    torch.manual_seed(1)
    hidden, _ = again(words, again.initial_state(3))
    again.decode(hidden.flatten(0, 1)[:20])  # a loop that leaves words out
    torch.testing.assert_close(again.penalty(), whole)
    if baseline == "value":
        assert model.expected.weight.grad.abs().max() > 0


def test_words_that_are_equally_probable_reward_no_operation():
    model = _language_model("learned", baseline="mean", entropy_weight=0.0).train()
    torch.nn.init.zeros_(model.readout.weight)
    torch.nn.init.zeros_(model.readout.bias)
    hidden, _ = model(torch.randint(0, 7, (3, 12)), model.initial_state(3))
    model.decode(hidden)
    model.penalty().backward()
    assert model.layer.policy.scores.weight.grad.abs().max() < 1e-6


def test_a_segment_of_one_word_adds_nothing():
    model = _language_model("learned").train()
    hidden, _ = model(torch.randint(0, 7, (3, 1)), model.initial_state(3))
    scores = model.decode(hidden)
    assert model.penalty() == 0
    scores.logsumexp(-1).mean().backward()
    assert all(parameter.grad is None or parameter.grad.isfinite().all() for parameter in model.parameters())


def test_tied_vectors_need_one_size():
    assert _language_model("lstm", tied=False).readout.weight.shape == (7, 8)
    with pytest.raises(ValueError, match="embedding = units, found 6 and 8"):
        _language_model("lstm", tied=True)
