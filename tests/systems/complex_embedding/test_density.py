"""Density matrices: the worked examples, what every one of them is, and projectors of complex vectors."""

import math

import numpy as np
import pytest
import torch

from repline.systems.complex_embedding.density import (
    measured,
    mixture,
    projectors,
    purity,
    states,
    superposed,
    superposition,
)

A, B, TURNED = ([1, 1], [0, 0]), ([1, 1], [0, math.pi]), ([1, 1], [0, math.pi / 2])  # amplitudes times sqrt 2, phases
FIRST = torch.tensor([[[1, 0], [0, 0]]], dtype=torch.complex128)  # |e1><e1|


def sentence(*words):
    amplitudes = torch.tensor([word[0] for word in words], dtype=torch.float64) / math.sqrt(2)
    return states(amplitudes, torch.tensor([word[1] for word in words], dtype=torch.float64))[None]


def drawn(sentences=5, words=7, size=6):
    rng = torch.Generator().manual_seed(0)
    amplitudes = torch.randn(sentences, words, size, generator=rng, dtype=torch.float64)
    phases = torch.randn(sentences, words, size, generator=rng, dtype=torch.float64)
    is_word = torch.arange(words) < torch.tensor([1, 2, 4, 7, 3])[:, None]
    return states(amplitudes / amplitudes.norm(dim=2, keepdim=True), phases), is_word


@pytest.mark.parametrize(
    ("words", "make", "rho", "first"),
    [
        ((A, B), mixture, [[0.5, 0], [0, 0.5]], 0.5),
        ((A, B), superposition, [[1, 0], [0, 0]], 1),
        ((A, TURNED), mixture, [[0.5, 0.25 - 0.25j], [0.25 + 0.25j, 0.5]], 0.5),
        ((A, TURNED), superposition, [[2 / 3, (1 - 1j) / 3], [(1 + 1j) / 3, 1 / 3]], 2 / 3),
    ],
)
def test_worked_examples(words, make, rho, first):
    matrix = make(sentence(*words))
    np.testing.assert_allclose(matrix[0].numpy(), rho, atol=1e-9)
    assert measured(FIRST, matrix).item() == pytest.approx(first)


def test_purity_by_hand():
    assert purity(mixture(sentence(A, TURNED))).item() == pytest.approx(0.75)
    assert purity(superposition(sentence(A, TURNED))).item() == pytest.approx(1)


@pytest.mark.parametrize("make", [mixture, superposition])
def test_what_every_density_matrix_is(make):
    words, is_word = drawn()
    rho = make(words, is_word)
    torch.testing.assert_close(rho, rho.mH)
    torch.testing.assert_close(rho.diagonal(dim1=1, dim2=2).sum(1), torch.ones(5, dtype=torch.complex128))
    assert torch.linalg.eigvalsh(rho).min() >= -1e-9
    pure = purity(rho)
    if make is superposition:
        torch.testing.assert_close(pure, torch.ones_like(pure))
    else:
        assert (pure >= 1 / is_word.sum(1) - 1e-9).all()
        assert (pure <= 1 + 1e-9).all()


def test_one_word_is_the_same_either_way_and_padding_counts_nothing():
    words, is_word = drawn()
    torch.testing.assert_close(mixture(words[:, :1]), superposition(words[:, :1]))
    for make in (mixture, superposition):
        torch.testing.assert_close(make(words, is_word)[2], make(words[2:3, :4])[0])


def test_mixture_is_the_mean_of_projectors():
    words, _ = drawn()
    naive = (words[..., :, None] * words.conj()[..., None, :]).mean(dim=1)
    torch.testing.assert_close(mixture(words), naive)


def test_phases_of_zero_give_real_matrices():
    words, is_word = drawn()
    for make in (mixture, superposition):
        assert make(states(words.real, torch.zeros_like(words.real)), is_word).imag.abs().max() == 0


def test_projectors_are_complete_and_their_probabilities_sum_to_one():
    free = torch.randn(7, 7, dtype=torch.complex128, generator=torch.Generator().manual_seed(1))
    parts = projectors(free, 3)
    torch.testing.assert_close(parts @ parts, parts)
    torch.testing.assert_close(parts, parts.mH)
    torch.testing.assert_close(parts.sum(0), torch.eye(7, dtype=torch.complex128))
    words, is_word = drawn(size=7)
    shares = measured(parts, mixture(words, is_word))
    assert shares.min() >= 0
    torch.testing.assert_close(shares.sum(1), torch.ones(5, dtype=torch.float64))


def test_a_symmetric_projector_is_not_the_one_of_a_complex_vector():
    rho = superposition(sentence(([1, 1], [0, math.pi / 2])))
    assert measured(rho, rho).item() == pytest.approx(1)
    assert measured(rho.mT, rho).item() == pytest.approx(0, abs=1e-9)


def test_words_that_cancel_are_finite_with_their_gradients():
    total = torch.zeros(1, 4, requires_grad=True)
    normalised = superposed(total)
    normalised.sum().backward()
    assert normalised.isfinite().all()
    assert total.grad.isfinite().all()
    opposite = torch.tensor([[[1.0, 0], [-1, 0]]], dtype=torch.complex64)
    assert superposition(opposite).abs().max() == 0
