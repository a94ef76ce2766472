"""Invariants of one level and of the network: hand-worked attention, masks, padding, permutations, gradients, sizes."""

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from repline.errors import InputError
from repline.layers.document_network import PADDING
from repline.pretrained import pretrained
from repline.systems.hcan.model import HCAN, MAX_UNFUSED_LENGTH, ConvolutionalAttention, attended, convolved

WORDS = [f"w{number}" for number in range(30)]
DOCUMENTS = [
    [["w1"]],
    [["w1", "w2", "w3"], ["w4"]],
    [["w5", "w6", "w7", "w8", "w9"]] * 3,
    [["w2"], ["w9", "absent"], ["w3", "w4"], ["w10"] * 6],
    [["w11", "w12"]],
    [["w3", "w3"], ["w3"]],
    [["w20", "w21", "w22", "w23"], ["w24", "w25"]],
    [[f"w{number}"] for number in range(4)],
]
VARIANTS = [
    {},
    {"branches": 1},
    {"pooling": "maxpool"},
    {"branches": 1, "pooling": "maxpool"},
    {"flat": True},
    {"flat": True, "branches": 1, "pooling": "maxpool"},
    {"values": "sequence", "norm": "joint", "document_dropout": 0.1},
    {"scale": "full"},
]


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def network(**knobs):
    return HCAN(["a", "b", "c"], WORDS, 6, 4, 6, **({"size": 8, "heads": 2} | knobs)).eval()


def level(**knobs):
    return ConvolutionalAttention(4, 4, 2, 6, **({"branches": 1} | knobs)).eval()


def mixed(q, k, v, heads, monkeypatch):
    """The output of branch a for given Q, K, V [l, d], before the layer norm."""
    layer = ConvolutionalAttention(2, 2, heads, 2, branches=1).eval()
    split = [torch.tensor(x).float().view(1, 2, heads, -1).transpose(1, 2) for x in (q, k, v)]
    monkeypatch.setattr(layer, "projected", lambda _: split)
    monkeypatch.setattr(layer, "_normed", lambda states, _: states)
    return layer.sequence(torch.zeros(1, 2, 2), torch.ones(1, 2, dtype=torch.bool))[0]


def test_attention_by_hand(monkeypatch):
    eye, values = [[1, 0], [0, 1]], [[1, 2], [3, 4]]
    one_head = [[1.660477, 2.660477], [2.339523, 3.339523]]
    two_heads = [[1.537883, 3.0], [2.0, 3.462117]]
    torch.testing.assert_close(mixed(eye, eye, values, 1, monkeypatch), torch.tensor(one_head), atol=1e-6, rtol=0)
    torch.testing.assert_close(mixed(eye, eye, values, 2, monkeypatch), torch.tensor(two_heads), atol=1e-6, rtol=0)


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_heads_are_slices_and_branches_are_multiplied(heads):
    layer = ConvolutionalAttention(4, 4, heads, 6).eval()
    states, there = torch.randn(1, 5, 4), torch.ones(1, 5, dtype=torch.bool)
    projections = layer.convolution((states + layer.positions[:5]).mT)[0].mT.split(4, dim=1)
    queries, keys, values = projections[0::3], projections[1::3], projections[2::3]
    product = torch.ones(5, 4)
    for branch, activation in ((0, torch.nn.functional.elu), (1, torch.tanh)):
        q, k, v = (torch.nn.functional.elu(x[branch]) for x in (queries, keys, values))
        v = activation(values[branch])
        slices = zip(*(x.split(4 // heads, dim=1) for x in (q, k, v)), strict=True)
        product = product * torch.cat([scaled_dot_product_attention(*x[:2], x[2]) for x in slices], dim=1)
    expected = torch.nn.functional.layer_norm(product, (4,))
    torch.testing.assert_close(layer.sequence(states, there)[0], expected, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("knobs", VARIANTS, ids=str)
def test_padding_and_company_change_nothing(knobs):
    model = network(**knobs)
    ids = model.numbers(DOCUMENTS)
    batched = model(ids)
    alone = torch.cat([model(model.numbers([document])) for document in DOCUMENTS])
    torch.testing.assert_close(batched, alone, atol=1e-5, rtol=1e-4)
    padded = torch.nn.functional.pad(ids, (0, 3, 0, 2) if ids.dim() == 3 else (0, 3), value=PADDING)
    torch.testing.assert_close(model(padded), batched, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("pooling", ["target", "maxpool"])
def test_readouts_are_shares_of_what_is_there(pooling):
    model = network(pooling=pooling)
    ids = model.numbers(DOCUMENTS)
    words, sentences = model.readout(ids)
    there = ids != PADDING
    assert torch.equal(words * ~there, torch.zeros_like(words))
    torch.testing.assert_close(words.sum(2), there.any(2).float())
    torch.testing.assert_close(sentences.sum(1), torch.ones(len(ids)))
    assert words[0, 0, 0] == 1
    assert sentences[0, 0] == 1


def test_one_word_and_no_word_are_finite():
    model = network()
    assert model(model.numbers([[["w1"]], [["absent"]], []])).isfinite().all()
    ids = torch.zeros(2, 3, 4, dtype=torch.int32)
    ids[0, 1, 0] = 3  # an empty sentence before it, and a document of none
    assert model(ids).isfinite().all()


def test_a_target_of_zero_takes_the_mean_of_the_values():
    layer = level()
    torch.nn.init.zeros_(layer.target)
    states = torch.randn(2, 4, 4)
    there = torch.tensor([[True] * 4, [True, True, False, False]])
    sequence = layer.sequence(states, there)
    values = torch.nn.functional.elu(layer.target_convolution(sequence.mT))[:, 4:].mT
    expected = torch.stack([values[0].mean(0), values[1, :2].mean(0)])
    torch.testing.assert_close(layer(states, there)[0], expected)


@pytest.mark.parametrize(("width", "same"), [(1, True), (3, False)])
def test_order_matters_by_the_width_alone(width, same):
    layer = level(width=width)
    torch.nn.init.zeros_(layer.positions)
    states, there = torch.randn(1, 5, 4), torch.ones(1, 5, dtype=torch.bool)
    moved = layer(states[:, [3, 0, 4, 1, 2]], there)[0]
    assert torch.allclose(layer(states, there)[0], moved, atol=1e-5) == same


def test_parameters_of_a_level_at_full_size():
    for knobs, expected in (({}, 6_297_088), ({"values": "sequence"}, 5_510_144)):
        layer = ConvolutionalAttention(512, 512, 8, 7, **knobs)
        assert sum(value.numel() for value in layer.parameters()) - layer.positions.numel() == expected


def test_a_second_branch_of_ones_is_no_second_branch():
    two_branches = ConvolutionalAttention(4, 4, 2, 6).eval()
    one_branch = level()
    with torch.no_grad():
        two_branches.convolution.bias[20:] = 100  # tanh of it is 1
        two_branches.convolution.weight[20:] = 0
        state = {
            name: value[:12] if name.startswith("convolution") else value
            for name, value in two_branches.state_dict().items()
        }
        one_branch.load_state_dict(state)
    states, there = torch.randn(3, 6, 4), torch.ones(3, 6, dtype=torch.bool)
    torch.testing.assert_close(two_branches(states, there)[0], one_branch(states, there)[0])


def test_the_layer_norm_is_by_place_and_the_programs_is_not():
    states, there = torch.randn(1, 5, 4), torch.ones(1, 5, dtype=torch.bool)
    changed = states.clone()
    changed[0, 2] += torch.randn(4)
    for norm, state in (("position", True), ("joint", False)):
        layer = level(norm=norm)
        same = torch.isclose(layer._normed(states, there), layer._normed(changed, there), atol=1e-6).all(dim=2)[0]
        assert same.tolist() == [state, state, False, state, state]
        normed = layer._normed(states, there)
        dims = (2,) if state else (1, 2)
        torch.testing.assert_close(normed.mean(dims), torch.zeros_like(normed.mean(dims)), atol=1e-5, rtol=0)
        variance = normed.var(dims, unbiased=False)
        torch.testing.assert_close(variance, torch.ones_like(variance), atol=1e-3, rtol=0)


def test_a_second_branch_stays_within_one():
    _, _, values = ConvolutionalAttention(4, 4, 2, 6).projected(100 * torch.randn(3, 6, 4))
    assert values[:, 2:].abs().max() <= 1
    assert values[:, :2].abs().max() > 1


def test_gradients_reach_every_convolution_position_and_target():
    model = network(size=4, heads=2).train()
    model(model.numbers(DOCUMENTS)).square().sum().backward()
    for layer in model.levels:
        kernels = [*layer.convolution.weight.grad.split(4), *layer.target_convolution.weight.grad.split(4)]
        assert len(kernels) == 8
        assert all(kernel.abs().sum() > 0 for kernel in (*kernels, layer.target.grad, layer.positions.grad))


def test_gradients_are_those_of_differences():
    layer = ConvolutionalAttention(4, 4, 2, 3, dropout=0.0).double()
    states = torch.randn(2, 3, 4, dtype=torch.float64, requires_grad=True)
    there = torch.tensor([[True, True, True], [True, True, False]])
    assert torch.autograd.gradcheck(lambda x: layer(x, there)[0], (states,))


@pytest.mark.parametrize("length", [5, MAX_UNFUSED_LENGTH + 1])
def test_attention_is_that_of_pytorch(length):
    query, key, value = torch.randn(3, 2, 4, length, 3).unbind()
    there = torch.arange(length) < torch.tensor([[length], [3]])
    mask = there[:, None, None].expand(2, 4, length, length)
    expected = scaled_dot_product_attention(query, key, value, attn_mask=mask, scale=0.5)
    torch.testing.assert_close(attended(query, key, value, there, 0.5), expected)


@pytest.mark.parametrize("width", [1, 3, 5])
def test_a_convolution_is_one_product(width):
    layer, states = torch.nn.Conv1d(4, 6, width, padding=width // 2), torch.randn(2, 7, 4)
    torch.testing.assert_close(convolved(layer, states), layer(states.mT).mT)


def test_longer_sentences_than_positions_take_the_last_one():
    layer = level()
    assert layer(torch.randn(1, 9, 4), torch.ones(1, 9, dtype=torch.bool))[0].isfinite().all()


@pytest.mark.parametrize("knobs", [{"heads": 3}, {"width": 2}])
def test_heads_and_widths_that_do_not_fit(knobs):
    with pytest.raises(InputError, match="expected heads that divide the size"):
        network(**knobs)


@pytest.mark.parametrize("knobs", VARIANTS[:5], ids=str)
def test_a_network_is_saved_and_read(tmp_path, knobs):
    model = network(**knobs)
    model.save_pretrained(tmp_path)
    again = pretrained(HCAN, tmp_path)
    ids = model.numbers(DOCUMENTS)
    torch.testing.assert_close(again.probabilities(ids), model.probabilities(ids))
    assert again.labels == ["a", "b", "c"]
    torch.testing.assert_close(again.probabilities(ids).sum(1), torch.ones(len(DOCUMENTS)))
