"""Sentences through one vector: pooling, the decoder without attention, cross-entropy over a part of the words."""

import pytest
import torch
from torch.nn.functional import cross_entropy, linear
from torch.nn.utils.rnn import pack_padded_sequence

from repline.layers.beam_search import beam_search
from repline.layers.bottleneck_decoder import BottleneckDecoder
from repline.layers.sentence_pooling import SentencePooling
from repline.layers.weighted_cross_entropy import weighted_cross_entropy


@pytest.mark.parametrize("kind", ["mean", "max", "attention"])
def test_pooling_leaves_out_what_is_behind_the_end(kind):
    torch.manual_seed(0)
    pool = SentencePooling(kind, 4, hidden=3)
    states, mask = -torch.rand(2, 5, 4), torch.arange(5) < torch.tensor([[3], [5]])
    pooled = pool(states, mask)
    assert torch.allclose(pooled[0], pool(states[:1, :3], mask[:1, :3])[0], atol=1e-6)
    assert not pool(states, torch.zeros_like(mask)).any()
    if kind == "attention":
        attention = pool.score(torch.tanh(pool.inner(states[1]))).softmax(0)
        assert torch.allclose(pooled[1], (attention * states[1]).sum(0), atol=1e-6)
    else:
        assert torch.allclose(pooled[1], states[1].mean(0) if kind == "mean" else states[1].amax(0), atol=1e-6)


def test_all_symbols_at_once_are_the_steps_one_after_another():
    torch.manual_seed(0)
    decoder = BottleneckDecoder(3, 6)
    symbols, source, lengths = torch.randn(3, 5, 3), torch.randn(3, 6), torch.tensor([2, 5, 3])
    packed = pack_padded_sequence(symbols, lengths, batch_first=True, enforce_sorted=False)
    found = packed._replace(data=decoder(packed, source))
    states, _ = torch.nn.utils.rnn.pad_packed_sequence(found, batch_first=True)
    state = decoder.begin(source)
    for place in range(5):
        state = decoder.step(symbols[:, place], state)
        there = lengths > place
        assert torch.allclose(states[there, place], state.hidden[there], atol=1e-6)
    ordered = pack_padded_sequence(symbols[[1, 2, 0]], lengths[[1, 2, 0]], batch_first=True)
    assert torch.allclose(decoder(ordered, source[[1, 2, 0]]), found.data, atol=1e-6)


def test_the_decoder_can_be_searched():
    torch.manual_seed(0)
    decoder, embedding, output = BottleneckDecoder(3, 6), torch.randn(5, 3), torch.randn(5, 6)

    def step(symbols, state):
        state = decoder.step(embedding[symbols], state)
        return (state.hidden @ output.T).log_softmax(-1), state

    source = torch.randn(4, 6)
    alone = [beam_search(step, decoder.begin(one[None]), 1, begin=0, end=1, beam=3, longest=6)[0] for one in source]
    batch = beam_search(step, decoder.begin(source), 4, begin=0, end=1, beam=3, longest=6)
    assert [one.symbols for one in alone] == [one.symbols for one in batch]


@pytest.mark.parametrize("rows", [None, [1, 2, 5, 6]])
def test_cross_entropy_is_torchs_with_its_gradients(rows, monkeypatch):
    torch.manual_seed(0)
    monkeypatch.setattr("repline.layers.weighted_cross_entropy.BLOCK", 14)  # two or three places at a time
    chosen = torch.arange(7) if rows is None else torch.tensor(rows)
    made = [torch.randn(6, 3), torch.randn(7, 3), torch.randn(7)]
    targets, weights = torch.randint(len(chosen), (6,)), torch.rand(6)
    found = []
    for fused in (True, False):
        hidden, weight, bias = (one.clone().requires_grad_() for one in made)
        if fused:
            part = None if rows is None else chosen
            loss = weighted_cross_entropy(hidden, weight, bias, targets, weights, part)
        else:
            logits = linear(hidden, weight[chosen], bias[chosen])
            loss = (weights * cross_entropy(logits, targets, reduction="none")).sum()
        (2 * loss).backward()
        found.append((loss, hidden.grad, weight.grad, bias.grad))
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, atol=1e-5)
    if rows is not None:
        assert not found[0][2][[0, 3, 4]].any()
