"""The hand example of the attention, and the algebra of equation 1."""

import math

import pytest
import torch

from repline.systems.definition_nli.definition_attention import combination, definition_attention, five_of_seven

DEFINITION = torch.tensor([[[2.0, 0.0], [0.0, 1.0]]])  # two tokens, two features
OWN_STATES, OTHER_STATES = torch.eye(2), torch.tensor([[0.0, 2.0]])  # the states of both sentences


def attention_of_both(definition=DEFINITION, is_token=None):
    is_token = torch.ones(definition.shape[:2], dtype=torch.bool) if is_token is None else is_token
    means = torch.stack([OWN_STATES.mean(0), OTHER_STATES.mean(0)])[None]
    return definition_attention(definition, is_token, means)[0]


def random_states(seed=0):
    torch.manual_seed(seed)
    return torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4)


def test_the_hand_example():
    own_state, other_state = attention_of_both()
    torch.testing.assert_close(own_state, torch.tensor([1.17496, 0.41252]), rtol=0, atol=1e-5)
    torch.testing.assert_close(other_state, torch.tensor([0.39114, 0.80443]), rtol=0, atol=1e-5)
    z = combination(torch.tensor([[0.0, 1.0]]), own_state[None], other_state[None], torch.ones(7))
    torch.testing.assert_close(z, torch.tensor([[3.13220, 2.65085]]), rtol=0, atol=1e-5)


def test_the_mean_of_the_scores_is_the_score_of_the_mean():
    torch.manual_seed(0)
    sentence, definition = torch.randn(5, 8), torch.randn(1, 7, 8)
    is_token = torch.arange(7)[None] < 4
    scores = (sentence @ definition[0, :4].T / math.sqrt(8)).mean(0)  # A over all places of the sentence, then its mean
    expected = scores.softmax(0) @ definition[0, :4]
    attention = definition_attention(definition, is_token, sentence.mean(0)[None, None])
    torch.testing.assert_close(attention[0, 0], expected, rtol=1e-6, atol=1e-6)


def test_a_definition_of_one_token():
    definition = torch.tensor([[[2.0, 3.0], [9.0, 9.0]]])
    own_state, other_state = attention_of_both(definition, torch.tensor([[True, False]]))
    torch.testing.assert_close(torch.stack([own_state, other_state]), definition[0, [0, 0]])
    w = torch.randn(7)
    expected = (w[0] + w[1] + w[4]) * own_state + (w[3] + w[6]) * own_state * own_state
    torch.testing.assert_close(combination(own_state, own_state, other_state, w), expected)


def test_seven_weights_have_five_degrees_of_freedom():
    weights = torch.randn(7, dtype=torch.float64, requires_grad=True)
    last, own_state, other_state = (state.double() for state in random_states())
    z = combination(last, own_state, other_state, weights)
    torch.testing.assert_close(combination(last, own_state, other_state, five_of_seven(weights)), z)
    (gradient,) = torch.autograd.grad((z * torch.randn_like(z)).sum(), weights)
    torch.testing.assert_close(gradient[2], gradient[1] - gradient[0])
    torch.testing.assert_close(gradient[5], gradient[4] - gradient[0])


@pytest.mark.parametrize("same", [True, False])
def test_sentences_may_change_places_where_their_weights_are_equal(same):
    last, own_state, other_state = random_states()
    triple = torch.tensor([0.5, -1.0, 2.0])
    weights = torch.cat([torch.ones(1), triple, triple if same else -triple])
    z, swapped = combination(last, own_state, other_state, weights), combination(last, other_state, own_state, weights)
    assert torch.allclose(z, swapped, atol=1e-6) == same


def test_without_attention_there_is_the_last_state_alone():
    last, own_state, other_state = random_states()
    torch.testing.assert_close(combination(last, own_state, other_state, torch.tensor([0.5])), 0.5 * last)
