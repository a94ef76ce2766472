"""Sentences through one vector: pooling and the decoder without attention."""

import pytest
import torch

from repline.layers.generation.beam_search import beam_search
from repline.layers.generation.bottleneck_decoder import BottleneckDecoder
from repline.layers.sentence_pooling import SentencePooling


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
    states = decoder(symbols, lengths, source)
    state = decoder.begin(source)
    for step in range(5):
        state = decoder.step(symbols[:, step], state)
        inside = lengths > step
        assert torch.allclose(states[inside, step], state.hidden[inside], atol=1e-6)
    order = [1, 2, 0]
    assert torch.allclose(decoder(symbols[order], lengths[order], source[order]), states[order], atol=1e-6)


def test_the_decoder_can_be_searched():
    torch.manual_seed(0)
    decoder, embedding, output = BottleneckDecoder(3, 6), torch.randn(5, 3), torch.randn(5, 6)

    def step(symbols, state):
        state = decoder.step(embedding[symbols], state)
        return (state.hidden @ output.T).log_softmax(-1), state

    source = torch.randn(4, 6)
    starts = [decoder.begin(vector[None]) for vector in source]
    alone = [beam_search(step, start, 1, begin=0, end=1, beam=3, longest=6)[0] for start in starts]
    batch = beam_search(step, decoder.begin(source), 4, begin=0, end=1, beam=3, longest=6)
    assert [hypothesis.symbols for hypothesis in alone] == [hypothesis.symbols for hypothesis in batch]
