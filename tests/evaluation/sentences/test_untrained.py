import numpy as np
import pytest
import torch

from repline.errors import InputError
from repline.evaluation.sentences.recipes import RandomWeights
from repline.evaluation.sentences.untrained import UNTRAINED, UntrainedEncoder

RANDOM = np.random.default_rng(0)
INDEX = {word: row for row, word in enumerate(["a", "dog", "runs", "US", "us", "."])}
VECTORS = RANDOM.normal(size=(6, 5)).astype(np.float32)
SENTENCES = ["a dog runs .", "dog", "A dog runs a dog runs a dog .", "unknown words", "runs dog a ."]


@pytest.mark.parametrize("kind", UNTRAINED)
def test_a_sentence_does_not_hang_on_the_others_and_the_unknown_is_zero(kind):
    encode = UntrainedEncoder(kind, INDEX, VECTORS, RandomWeights(dimensions=8, seed=1))
    all_vectors = encode(SENTENCES)
    assert all_vectors.shape == (5, 5 if kind == "average" else 8) and all_vectors.dtype == np.float32
    alone = np.concatenate([encode([sentence]) for sentence in SENTENCES])
    np.testing.assert_allclose(all_vectors, alone, atol=1e-5)
    assert not all_vectors[3].any()
    ordered = kind in ("random_lstm", "random_echo_state")
    assert np.allclose(all_vectors[0], all_vectors[4], atol=1e-6) != ordered


@pytest.mark.parametrize("kind", UNTRAINED[1:])
def test_seeds_draw_the_weights(kind):
    first, same, other_seed = (
        UntrainedEncoder(kind, INDEX, VECTORS, RandomWeights(dimensions=8, seed=seed))(SENTENCES) for seed in (1, 1, 2)
    )
    assert (first == same).all() and (first != other_seed).any()


def test_words_are_found_as_they_are_and_then_in_lower_case():
    encode = UntrainedEncoder("average", INDEX, VECTORS)
    np.testing.assert_allclose(encode(["US", "Dog"]), VECTORS[[3, 1]])
    np.testing.assert_allclose(encode(["a dog"])[0], VECTORS[:2].mean(0), atol=1e-6)


def test_the_projection_is_the_maximum_over_projected_words():
    encode = UntrainedEncoder("random_projection", INDEX, VECTORS, RandomWeights(dimensions=6))
    assert encode.projection.abs().max() <= 5**-0.5
    expected = (VECTORS[[0, 1, 2]] @ encode.projection.numpy()).max(axis=0)
    np.testing.assert_allclose(encode(["a dog runs"])[0], expected, atol=1e-6)


def test_the_echo_state_network_is_its_recurrence_both_ways():
    encode = UntrainedEncoder("random_echo_state", INDEX, VECTORS, RandomWeights(dimensions=6, leak=0.3))
    expected = []
    for direction, order in enumerate(([0, 1, 2], [2, 1, 0])):
        inputs, recurrent, bias = (
            weights[direction].numpy() for weights in (encode.inputs, encode.recurrent, encode.biases)
        )
        state, states = np.zeros(3), []
        for row in order:
            state = 0.7 * state + 0.3 * np.tanh(VECTORS[row] @ inputs + state @ recurrent + bias[0])
            states.append(state)
        expected.append(np.max(states, axis=0))
    np.testing.assert_allclose(encode(["a dog runs"])[0], np.concatenate(expected), atol=1e-6)


def test_the_radius_is_about_the_spectral_radius():
    encode = UntrainedEncoder("random_echo_state", INDEX, VECTORS, RandomWeights(dimensions=400, radius=0.8))
    radius = torch.linalg.eigvals(encode.recurrent[0]).abs().max()
    assert 0.7 < float(radius) < 0.95


@pytest.mark.parametrize("dimensions", [7, 0])
def test_odd_dimensions_are_refused(dimensions):
    with pytest.raises(InputError, match=f"expected an even number of dimensions, found {dimensions}"):
        UntrainedEncoder("random_lstm", INDEX, VECTORS, RandomWeights(dimensions=dimensions))


def test_an_unknown_encoder_is_refused():
    with pytest.raises(InputError, match="unknown encoder 'lstm'; valid are average, "):
        UntrainedEncoder("lstm", INDEX, VECTORS)
