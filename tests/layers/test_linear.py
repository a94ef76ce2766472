"""Linear maps by oneDNN, against PyTorch's own."""

import pytest
import torch
from torch import nn

from repline.layers import linear as module
from repline.layers.linear import Linear, linear, product


@pytest.fixture(autouse=True)
def _processor_on_which_onednn_is_faster(monkeypatch):
    monkeypatch.setattr(module, "_mkl_is_faster", lambda: False)


def values_and_gradients(function, *tensors):
    outputs = function(*tensors)
    torch.manual_seed(1)
    wanted = [tensor for tensor in tensors if tensor is not None and tensor.requires_grad]
    return [outputs, *torch.autograd.grad(outputs, wanted, torch.randn_like(outputs))]


@pytest.mark.parametrize("leading", [(300,), (3, 100), (2, 3, 50)])
@pytest.mark.parametrize("bias", [True, False])
def test_values_and_gradients_are_those_of_torch(leading, bias, monkeypatch):
    torch.manual_seed(0)
    monkeypatch.setattr(module, "SMALLEST", 0)
    inputs = torch.randn(*leading, 40, requires_grad=True)
    weight = torch.randn(70, 40, requires_grad=True)
    offset = torch.randn(70, requires_grad=True) if bias else None
    expected = values_and_gradients(nn.functional.linear, inputs, weight, offset)
    for ours, theirs in zip(values_and_gradients(linear, inputs, weight, offset), expected, strict=True):
        assert ours.shape == theirs.shape and torch.allclose(ours, theirs, rtol=1e-4, atol=1e-4)


def test_products_take_matrices_in_any_layout(monkeypatch):
    torch.manual_seed(0)
    monkeypatch.setattr(module, "SMALLEST", 0)
    left, right = torch.randn(30, 20), torch.randn(30, 10)
    assert torch.allclose(product(left.mT, right), left.mT @ right, atol=1e-5)
    assert torch.allclose(product(left[:, ::2], right[::3]), left[:, ::2] @ right[::3], atol=1e-5)


def test_the_operator_is_given_matrices_without_gaps(monkeypatch):
    given, operator = [], torch.ops.mkldnn._linear_pointwise
    monkeypatch.setattr(module, "SMALLEST", 0)

    def watched(*values):
        given.extend(values[:2])
        return operator(*values)

    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", watched)
    wide = torch.randn(30, 60)
    linear(torch.randn(2, 15, 40)[..., :20], wide[:, 20:40])
    product(wide[:, :20].mT, wide[:, 20:40])
    assert len(given) == 4
    assert all(values.is_contiguous() or values.mT.is_contiguous() for values in given)


def test_large_products_alone_go_to_onednn(monkeypatch):
    calls = []
    operator = module._onednn
    monkeypatch.setattr(module, "_onednn", lambda *tensors: calls.append(tensors) or operator(*tensors))
    layer, large = Linear(512, 512), torch.randn(64, 512)
    layer(large)
    assert len(calls) == 1
    layer(large[:1]), layer(large[0]), layer.double()(large.double())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert linear(large, torch.randn(512, 512)).dtype == torch.bfloat16
    assert len(calls) == 1


def test_without_the_operator_torch_computes(monkeypatch):
    monkeypatch.setattr(module, "_has_operator", lambda: False)
    monkeypatch.setattr(module, "_onednn", None)  # calling it would fail
    inputs, weight = torch.randn(64, 512), torch.randn(512, 512)
    assert torch.equal(linear(inputs, weight), nn.functional.linear(inputs, weight))


def test_where_mkl_is_faster_torch_computes(monkeypatch):
    monkeypatch.setattr(module, "_mkl_is_faster", lambda: True)
    monkeypatch.setattr(module, "_onednn", None)
    inputs, weight = torch.randn(64, 512), torch.randn(512, 512)
    assert torch.equal(linear(inputs, weight), nn.functional.linear(inputs, weight))


def test_only_asked_gradients_are_computed(monkeypatch):
    monkeypatch.setattr(module, "SMALLEST", 0)
    weight = torch.randn(5, 4, requires_grad=True)
    linear(torch.randn(3, 4), weight).sum().backward()
    assert weight.grad is not None and weight.grad.shape == (5, 4)
