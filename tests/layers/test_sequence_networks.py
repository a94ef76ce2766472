"""Dilated convolutions, the LSTM encoder, the attention decoder and beam search."""

import itertools
import math
from typing import NamedTuple

import pytest
import torch

from repline.layers.dilated_convolution import IteratedDilatedConvolution
from repline.layers.generation.attention_decoder import AttentionDecoder, Memory
from repline.layers.generation.beam_search import beam_search
from repline.layers.recurrent_encoder import LSTMEncoder

BEGIN, END = 0, 1


def test_dilated_convolution_sees_fifteen_places_and_no_padding():
    torch.manual_seed(0)
    network = IteratedDilatedConvolution(4).eval()
    inputs = torch.randn(1, 40, 4, requires_grad=True)
    network(inputs, torch.ones(1, 40, dtype=torch.bool))[0, 20].sum().backward()
    touched = inputs.grad[0].abs().sum(1).nonzero()[:, 0].tolist()
    assert (min(touched), max(touched)) == (13, 27)
    mask = torch.arange(40)[None] < 9
    alone = network(inputs[:, :9], mask[:, :9])
    assert torch.allclose(network(inputs, mask)[:, :9], alone, atol=1e-6)
    assert not network(inputs, mask)[:, 9:].any()


def test_an_iteration_applies_the_same_layers_again():
    torch.manual_seed(0)
    once, twice = IteratedDilatedConvolution(4), IteratedDilatedConvolution(4, iterations=2)
    twice.load_state_dict(once.state_dict())
    inputs, mask = torch.randn(2, 7, 4), torch.ones(2, 7, dtype=torch.bool)
    assert torch.allclose(twice(inputs, mask), once(once(inputs, mask), mask))
    with pytest.raises(ValueError, match="odd"):
        IteratedDilatedConvolution(4, width=2)


@pytest.mark.parametrize("layers", [1, 2])
def test_encoder_reads_each_sequence_as_if_it_were_alone(layers):
    torch.manual_seed(0)
    encoder = LSTMEncoder(3, 4, layers)
    inputs, lengths = torch.randn(3, 6, 3), torch.tensor([2, 6, 4])
    states, last = encoder(inputs, lengths)
    assert states.shape == (3, 6, 8) and last.shape == (3, 8)
    for row, length in enumerate(lengths.tolist()):
        alone, end = encoder(inputs[row : row + 1, :length], torch.tensor([length]))
        assert torch.allclose(states[row, :length], alone[0], atol=1e-6)
        assert torch.allclose(last[row], end[0], atol=1e-6)
    assert not states[0, 2:].any()
    if layers == 2:
        assert torch.allclose(last[0], states[0, 1])


def test_decoder_attends_to_what_is_there_and_feeds_it_back():
    torch.manual_seed(0)
    decoder = AttentionDecoder(7, 5, 6, [4, 8])
    states, symbols = torch.randn(2, 3, 6), torch.randint(7, (2, 4))
    mask = torch.tensor([[True, True, False], [True, True, True]])
    memory = Memory(states, mask)
    last = torch.randn(2, 6)
    logits = decoder(symbols, last, memory)
    assert logits.shape == (2, 4, 7)
    cut = decoder(symbols[:1], last[:1], Memory(states[:1, :2], mask[:1, :2]))
    assert torch.allclose(logits[:1], cut, atol=1e-6)
    state, keys = decoder.begin(last), decoder.keys(memory)
    for position in range(4):
        state, attention = decoder.step(symbols[:, position], state, memory, keys)
        assert torch.allclose(attention.sum(1), torch.ones(2)) and attention[0, 2] == 0
        by_hand = torch.einsum("bd,de,bse->bs", state.hidden[-1], decoder.score.weight, states)
        expected = by_hand.masked_fill(~mask, float("-inf")).softmax(1)
        assert torch.allclose(attention, expected, atol=1e-6)
        scores = decoder.log_probabilities(state)
        assert torch.allclose(scores, logits[:, position].log_softmax(-1), atol=1e-5)
    without = decoder.step(symbols[:, 0], state._replace(attended=torch.zeros(2, 8)), memory, keys)[0]
    assert not torch.allclose(without.attended, decoder.step(symbols[:, 0], state, memory, keys)[0].attended)


class History(NamedTuple):
    """The symbols so far, and the row of the input."""

    inputs: torch.Tensor
    written: torch.Tensor

    def rows(self, indices):
        return History(self.inputs[indices], self.written[indices])


def language(seed, vocabulary=4):
    """A step whose probabilities depend on the input and on everything that was written."""

    def step(symbols, state):
        written = torch.cat([state.written, symbols[:, None]], 1)
        rows = []
        for row, line in zip(state.inputs.tolist(), written.tolist(), strict=True):
            number = seed * 7919 + row * 104729 + sum(symbol * 31**position for position, symbol in enumerate(line))
            scores = torch.randn(vocabulary, generator=torch.Generator().manual_seed(number))
            scores[BEGIN] = float("-inf")
            rows.append((2 * scores).log_softmax(0))
        return torch.stack(rows), History(state.inputs, written)

    return step


def start(inputs):
    return History(torch.arange(inputs), torch.empty(inputs, 0, dtype=torch.long))


def exhaustive(step, row, longest, power):
    best = (-math.inf, [])
    for length in range(1, longest + 1):
        for body in itertools.product((2, 3), repeat=length - 1):
            total, state, before = 0.0, History(torch.tensor([row]), torch.empty(1, 0, dtype=torch.long)), BEGIN
            for symbol in (*body, END):
                scores, state = step(torch.tensor([before]), state)
                total, before = total + float(scores[0, symbol]), symbol
            best = max(best, (total / length**power, list(body)))
    return best


@pytest.mark.parametrize("power", [0.0, 0.9])
def test_a_wide_beam_finds_the_best_sequence_of_all(power):
    for seed in range(3):
        step = language(seed)
        hypotheses = beam_search(step, start(2), 2, begin=BEGIN, end=END, beam=40, longest=4, length_power=power)
        for row, hypothesis in enumerate(hypotheses):
            score, symbols = exhaustive(step, row, 4, power)
            if hypothesis.symbols != symbols:  # a hypothesis that is not finished counts where no other is
                assert hypothesis.score >= score - 1e-5
            else:
                assert hypothesis.score == pytest.approx(score, abs=1e-5)


def test_beam_one_is_greedy_and_stops_at_the_end():
    step = language(5)
    (hypothesis,) = beam_search(step, start(1), 1, begin=BEGIN, end=END, beam=1, longest=30)
    state, before, written = start(1), BEGIN, []
    while True:
        scores, state = step(torch.tensor([before]), state)
        before = int(scores.argmax())
        if before == END or len(written) == 30:
            break
        written.append(before)
    assert hypothesis.symbols == written


def test_inputs_of_a_batch_do_not_touch_each_other():
    step = language(2)
    options = {"begin": BEGIN, "end": END, "beam": 3, "longest": 6, "length_power": 0.9}
    batched = beam_search(step, start(3), 3, **options)
    for row in range(3):
        state = History(torch.tensor([row]), torch.empty(1, 0, dtype=torch.long))
        assert beam_search(step, state, 1, **options) == [batched[row]]
