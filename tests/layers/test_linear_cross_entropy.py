"""Loss and gradients against the softmax layer written out."""

import pytest
import torch
from torch.autograd import gradcheck
from torch.nn.functional import cross_entropy, linear

from repline.layers import linear_cross_entropy as module
from repline.layers.linear_cross_entropy import linear_cross_entropy


def _inputs(dtype=torch.float32, bias=True):
    generator = torch.Generator().manual_seed(0)
    hidden, weight = (torch.randn(size, generator=generator).to(dtype) for size in ((13, 6), (21, 6)))
    targets = torch.randint(0, 21, (13,), generator=generator)
    parts = [hidden, weight, torch.randn(21, generator=generator).to(dtype) if bias else None]
    return [part if part is None else part.requires_grad_() for part in parts], targets


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("block", [1, 21 * 4, 1 << 20])
def test_it_is_the_softmax_layer_written_out(monkeypatch, bias, block):
    monkeypatch.setattr(module, "BLOCK", block)
    (hidden, weight, offset), targets = _inputs(bias=bias)
    leaves = [part for part in (hidden, weight, offset) if part is not None]
    ours = linear_cross_entropy(hidden * 2, weight, offset, targets) / 3
    plain = cross_entropy(linear(hidden * 2, weight, offset), targets, reduction="sum") / 3
    torch.testing.assert_close(ours, plain)
    for gradient, expected in zip(torch.autograd.grad(ours, leaves), torch.autograd.grad(plain, leaves), strict=True):
        torch.testing.assert_close(gradient, expected, atol=1e-5, rtol=1e-5)


def test_gradients_in_double_precision(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 21 * 5)
    parts, targets = _inputs(torch.float64)
    assert gradcheck(lambda *inputs: linear_cross_entropy(*inputs, targets), parts)


def test_places_count_by_their_factors(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 21 * 4)
    (hidden, weight, bias), targets = _inputs()
    factors = torch.rand(13, generator=torch.Generator().manual_seed(1))
    rows = torch.tensor([3, 0, 7, 20])  # a part of the words
    row_targets = targets % len(rows)
    ours = linear_cross_entropy(hidden, weight[rows], bias[rows], row_targets, factors)
    plain = (factors * cross_entropy(linear(hidden, weight[rows], bias[rows]), row_targets, reduction="none")).sum()
    torch.testing.assert_close(ours, plain)
    parts = (hidden, weight, bias)
    for gradient, expected in zip(torch.autograd.grad(ours, parts), torch.autograd.grad(plain, parts), strict=True):
        torch.testing.assert_close(gradient, expected, atol=1e-5, rtol=1e-5)


def test_a_gpu_takes_more_rows_at_once():
    words = 20_000
    assert module.rows_of_block(torch.empty(words, 2)) == module.BLOCK // words
    assert module.rows_of_block(torch.empty(words, 2, device="meta")) == module.BLOCK_OF_GPU // words > 1000
    assert module.rows_of_block(torch.empty(2 * module.BLOCK_OF_GPU, 2, device="meta")) == 1


def test_large_scores_do_not_overflow_and_no_words_are_no_loss():
    hidden, weight = torch.tensor([[1000.0], [-1000.0]], requires_grad=True), torch.tensor([[1.0], [-1.0]])
    loss = linear_cross_entropy(hidden, weight, None, torch.tensor([0, 0]))
    loss.backward()
    assert loss == 2000
    assert torch.isfinite(hidden.grad).all()
    assert linear_cross_entropy(hidden[:0], weight, None, torch.zeros(0, dtype=torch.long)) == 0


def test_gradients_are_only_made_where_they_are_wanted():
    (hidden, weight, offset), targets = _inputs()
    loss = linear_cross_entropy(hidden.detach(), weight, offset.detach(), targets)
    loss.backward()
    assert weight.grad is not None and offset.grad is None
    with torch.no_grad():
        assert not linear_cross_entropy(hidden, weight, offset, targets).requires_grad
