"""The second loss by hand, its gradients, its minimum, and what its two reductions have to do with each other."""

import numpy as np
import pytest
import torch

from repline.systems.supervised_unsupervised.reconstruction import Reconstruction, squared_error, terms
from repline.systems.supervised_unsupervised.state_probe import LeastSquares

KINDS = ("ae", "lm", "combined", "bi_ae", "bi_lm")


def line(*values):
    """One sentence of one-dimensional vectors [1, T, 1]."""
    return torch.tensor(values, dtype=torch.float64)[None, :, None]


def error(predicted, vectors, offset):
    sums, targets = squared_error(line(*predicted), line(*vectors), torch.tensor([len(vectors)]), offset)
    return float(sums), int(targets)


def test_the_example_by_hand():
    words = (1, 2, 3, 4)
    assert error((2, 3, 4, 9), words, 1) == (0, 3)
    assert error((9, 1, 2, 3), words, -1) == (0, 3)
    assert error((9, 1, 2, 3), words, "reversed") == (11, 3)
    assert error((1, 2, 3, 5), words, 0) == (1, 4)


def test_sum_and_mean_of_the_tiny_example():
    both = (
        squared_error(line(2, 2), line(1, 3), torch.tensor([2]), 0),
        squared_error(line(2, 2), line(1, 3), torch.tensor([2]), 1),
    )
    assert [(float(sums), float(sums / targets)) for sums, targets in both] == [(2, 1), (1, 1)]


@pytest.fixture
def batch():
    torch.manual_seed(3)
    lengths = torch.tensor([5, 1, 3])
    vectors, states = torch.randn(3, 5, 4, dtype=torch.float64), torch.randn(3, 5, 6, dtype=torch.float64)
    return states, vectors, lengths


def made(kind, **options):
    return Reconstruction(kind, 6, 4, **options).double()


def test_combined_is_the_mean_of_ae_and_lm(batch):
    combined, ae, lm = (made(kind)(*batch) for kind in ("combined", "ae", "lm"))
    torch.testing.assert_close(combined, (ae + lm) / 2)
    assert lm[1] == 0  # a sentence of one word


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reduction", ["paper", "authors"])
def test_padding_has_no_part_in_it(kind, reduction, batch):
    states, vectors, lengths = batch
    loss = made(kind, reduction=reduction, reversed_targets=True)
    whole = loss(states, vectors, lengths)
    assert whole.isfinite().all()
    inside = torch.arange(5) < lengths[:, None]
    changed_behind_ends = loss(
        torch.where(inside[:, :, None], states, 7.0), torch.where(inside[:, :, None], vectors, -5.0), lengths
    )
    torch.testing.assert_close(changed_behind_ends, whole)
    alone = [loss(states[[n], :t], vectors[[n], :t], lengths[[n]]) for n, t in enumerate(lengths.tolist())]
    torch.testing.assert_close(torch.cat(alone), whole)


def test_the_authors_reduction_is_the_papers_over_places_and_dimensions(batch):
    lengths = batch[2]
    ae, lm = (made(kind)(*batch) for kind in ("ae", "lm"))
    torch.testing.assert_close(made("ae", reduction="authors")(*batch), ae / (lengths * 4))
    torch.testing.assert_close(made("lm", reduction="authors")(*batch), lm / ((lengths - 1) * 4).clamp(min=1))


def test_halves_and_shares(batch):
    states, vectors, lengths = batch
    loss = made("bi_lm", forward_share=0.25)
    forward, backward = (linear(states[..., part]) for linear, part in
                         zip(loss.maps.values(), (slice(0, 3), slice(3, 6)), strict=True))  # fmt: skip
    expected = 0.25 * squared_error(forward, vectors, lengths, 1)[0]
    expected = expected + 0.75 * squared_error(backward, vectors, lengths, -1)[0]
    torch.testing.assert_close(loss(*batch), expected)
    assert [term.share for term in terms("bi_ae")] == [0.5, 0.5]


def test_the_gradient_of_the_map_in_closed_form(batch):
    states, vectors, lengths = batch
    vectors.requires_grad_()
    loss = made("ae")
    loss(states, vectors.detach(), lengths).sum().backward()
    inside = torch.arange(5) < lengths[:, None]
    missed = 2 * (loss.maps["both"](states) - vectors)[inside].detach()  # [M, d]
    torch.testing.assert_close(loss.maps["both"].weight.grad, missed.T @ states[inside])
    torch.testing.assert_close(loss.maps["both"].bias.grad, missed.sum(0))


def test_training_the_map_alone_ends_at_least_squares():
    torch.manual_seed(0)
    states, vectors = torch.randn(8, 6, 6, dtype=torch.float64), torch.randn(8, 6, 4, dtype=torch.float64)
    lengths = torch.tensor([6, 5, 4, 6, 3, 6, 2, 6])
    loss = made("lm")
    optimizer = torch.optim.LBFGS(loss.parameters(), max_iter=100, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        value = loss(states, vectors, lengths).sum()
        value.backward()
        return value

    optimizer.step(closure)
    inside = torch.arange(5) < lengths[:, None] - 1
    inputs, targets = states[:, :-1][inside], vectors[:, 1:][inside]
    extended = np.column_stack([inputs.numpy(), np.ones(len(inputs))])
    best = np.linalg.lstsq(extended, targets.numpy(), rcond=None)[0]
    trained_map = torch.cat([loss.maps["both"].weight.T, loss.maps["both"].bias[None]]).detach().numpy()
    np.testing.assert_allclose(trained_map, best, atol=1e-4)
    fit = LeastSquares()
    for block in (slice(0, 5), slice(5, None)):
        fit.add(inputs[block], targets[block])
    np.testing.assert_allclose(torch.cat([fit.solved()[0], fit.solved()[1][None]]).numpy(), best, atol=1e-8)


def test_it_takes_nothing_from_the_random_numbers_of_others():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    Reconstruction("bi_ae", 6, 4, seed=1)
    assert torch.equal(torch.rand(3), expected)


@pytest.mark.parametrize("kind", KINDS)
def test_every_loss_has_as_many_weights(kind):
    loss = Reconstruction(kind, 4096, 300)
    assert sum(linear.weight.numel() for linear in loss.maps.values()) == 4096 * 300 == 1_228_800
    biases = sum(linear.bias.numel() for linear in loss.maps.values())
    assert biases == (600 if kind.startswith("bi") else 300)
