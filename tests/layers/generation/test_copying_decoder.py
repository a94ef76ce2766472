"""The decoder that copies: its distribution, what is never copied or attended to, and its gradients."""

import math

import pytest
import torch

from repline.layers.generation.attention_recurrence import attention_recurrence
from repline.layers.generation.copy_mixture import mixture_log_likelihood, mixture_log_probabilities
from repline.layers.generation.copying_decoder import NEVER, CopyingDecoder

LENGTHS = torch.tensor([5, 3, 1])
THERE = torch.arange(5)[None] < LENGTHS[:, None]


def build(double=True):
    torch.manual_seed(0)
    network = CopyingDecoder(3, 4)
    return network.double() if double else network


def inputs():
    torch.manual_seed(1)
    states = torch.randn(3, 5, 4, dtype=torch.double) * THERE[..., None]
    return states, torch.randn(3, 6, 3, dtype=torch.double), torch.randn(3, 4, dtype=torch.double)


def test_scores_of_zero_give_ninths():
    """V = {a, b, other}, two labels, the source a b a oov: Z = 9."""
    shares = mixture_log_probabilities(torch.zeros(1, 5), torch.zeros(1, 4), torch.tensor([[0, 1, 0, 5]]), 6).exp()
    assert torch.allclose(shares, torch.tensor([[3, 2, 1, 1, 1, 1]]) / 9)


def test_probabilities_add_up_to_one_and_are_those_of_the_loss():
    torch.manual_seed(0)
    generated, copied = torch.randn(4, 6), torch.randn(4, 7)
    sources = torch.tensor([[1, 1, 2, 6, 7, 6, 1]]).repeat(4, 1)  # repeated words, and two that are unknown
    log_p = mixture_log_probabilities(generated, copied, sources, 8)
    assert torch.allclose(log_p.exp().sum(1), torch.ones(4), atol=1e-6)
    for symbol in range(8):
        log_likelihood = mixture_log_likelihood(generated, torch.full((4,), symbol), copied, sources)
        assert torch.allclose(log_likelihood, log_p[:, symbol], atol=1e-6)


def test_the_printed_normaliser_does_not_add_up():
    """V = {a}, L = {l}, X = {a}: without L in Z p(a) = 1 and p(l) = 1/2; with it 2/3 and 1/3."""
    shares = mixture_log_probabilities(torch.zeros(1, 2), torch.zeros(1, 1), torch.tensor([[0]]), 2).exp()
    assert shares[0].tolist() == pytest.approx([2 / 3, 1 / 3])


def test_without_copy_scores_only_generation_is_left():
    torch.manual_seed(0)
    generated, sources = torch.randn(2, 5), torch.tensor([[1, 2, 5]]).repeat(2, 1)
    closed = torch.full((2, 3), NEVER)
    assert torch.allclose(mixture_log_probabilities(generated, closed, sources, 6)[:, :5].exp(), generated.softmax(1))
    alone = mixture_log_likelihood(generated, torch.tensor([1, 4]))
    assert torch.allclose(mixture_log_likelihood(generated, torch.tensor([1, 4]), closed, sources), alone)
    assert mixture_log_probabilities(generated, closed, sources, 6)[0, 5] == -math.inf


def test_padding_and_the_mark_are_never_copied_and_padding_is_never_attended_to():
    states, embedded, last = inputs()
    decoder = build()
    copied = THERE.clone()
    copied[0, 2] = False  # the mark
    memory = decoder.remember(states, THERE, copied)
    hidden, _ = decoder(embedded, last, memory)
    scores = decoder.copy_scores(hidden, memory)
    assert (scores[:, :, 2][0] == NEVER).all() and (scores.transpose(1, 2)[~copied] <= NEVER / 2).all()
    attention = decoder.attention(hidden[:, 0], memory)
    assert torch.allclose(attention.sum(1), torch.ones(3, dtype=torch.double)) and not attention[~THERE].any()
    assert attention[0, 2] > 0
    same = decoder.remember(torch.ones(3, 5, 4, dtype=torch.double), THERE, THERE)
    assert torch.allclose(decoder.attention(hidden[:, 0], same), THERE / LENGTHS[:, None].double())


def test_the_loop_is_the_steps():
    states, embedded, last = inputs()
    decoder = build()
    leaves = [tensor.requires_grad_() for tensor in (states, embedded, last)] + list(decoder.parameters())
    memory = decoder.remember(states, THERE, THERE)
    looped = decoder(embedded, last, memory)
    state, stepped = decoder.begin(last), []
    for column in embedded.unbind(1):
        state = decoder.step(column, state, memory)
        stepped.append(state)
    by_steps = torch.stack([step.hidden for step in stepped], 1), torch.stack([step.context for step in stepped], 1)
    torch.manual_seed(2)
    weights = torch.randn(2, *by_steps[0].shape, dtype=torch.double)
    gradients = []
    for hidden, context in (looped, by_steps):
        total = (hidden * weights[0] + context * weights[1]).sum() + memory.keys.sum()
        gradients.append(torch.autograd.grad(total, leaves, retain_graph=True))
    for of_loop, of_steps in zip(looped, by_steps, strict=True):
        assert torch.allclose(of_loop, of_steps)
    for of_loop, of_steps in zip(*gradients, strict=True):
        assert torch.allclose(of_loop, of_steps)


def test_gradients_of_the_loop_are_those_of_differences():
    torch.manual_seed(0)
    sizes = [(2, 3, 8), (2, 2), (2, 2), (2, 3, 2)]
    values = [torch.randn(size, dtype=torch.double, requires_grad=True) for size in sizes]
    weight = torch.randn(4, 8, dtype=torch.double, requires_grad=True)
    padding = torch.tensor([[0, 0, 0], [0, 0, NEVER]], dtype=torch.double)
    assert torch.autograd.gradcheck(
        lambda *inputs: attention_recurrence(*inputs[:4], padding, inputs[4]), (*values, weight)
    )


def test_a_row_of_another_sequence_is_that_sequence():
    states, embedded, last = inputs()
    decoder = build()
    memory, indices = decoder.remember(states, THERE, THERE), torch.tensor([2, 0, 0])
    state = decoder.step(embedded[:, 0], decoder.begin(last), memory)
    moved = decoder.step(embedded[indices, 1], state.rows(indices), memory.rows(indices))
    assert torch.allclose(moved.hidden, decoder.step(embedded[:, 1], state, memory).hidden[indices])
