"""The hybrid network: shapes, sizes, padding, local maxima, and where order counts."""

import pytest
import torch
from torch.nn.functional import pad

from repline.errors import InputError
from repline.evaluation.classification.peer_networks import TextCNN
from repline.layers.document_network import PADDING
from repline.pretrained import pretrained
from repline.systems.lmtgru.model import CNNLMTGRU, LocalConvolutions

WORDS = list("abcdefgh")
SMALL = {"units": 6, "filters": 5}
VARIANTS = {
    "cnn_lmtgru": {},
    "cnn_gru": {"timescales": [1.0], "timescale_rate": None},
    "cnn_lstm": {"cell": "lstm"},
    "lmtgru": {"convolution": False},
    "lstm": {"convolution": False, "cell": "lstm"},
}


def build(dimensions=7, length=50, **settings):
    torch.manual_seed(0)
    return CNNLMTGRU(["x", "y"], WORDS, dimensions, 1, length, **(SMALL | settings)).eval()


def weights(model, name):
    return sum(value.numel() for key, value in model.named_parameters() if name in key and "bias" not in key)


def test_sizes_are_those_of_the_paper():
    shape = (["chat", "task"], [], 300, 1, 40)
    hybrid, gru = CNNLMTGRU(*shape), CNNLMTGRU(*shape, timescales=[1.0], timescale_rate=None)
    assert weights(hybrid, "recurrence") == 480_600 + 2
    assert weights(gru, "recurrence") == 615_600
    assert weights(hybrid, "convolutions") == 460_800
    assert sum(layer.bias.numel() for layer in hybrid.convolutions.filters) == 384


@pytest.mark.parametrize(("length", "steps"), [(1, 1), (4, 1), (5, 2), (40, 10), (41, 11)])
def test_windows_of_four_places(length, steps):
    layer = LocalConvolutions(6, [3, 4, 5], 8, 4)
    assert layer(torch.randn(2, length, 6), torch.ones(2, length, dtype=torch.bool)).shape == (2, steps, 24)


def test_convolutions_are_those_of_torch():
    torch.manual_seed(0)
    layer, states = LocalConvolutions(6, [2, 3, 4, 5], 8, 1), torch.randn(2, 9, 6)
    maps = layer(states, torch.ones(2, 9, dtype=torch.bool))
    for number, width in enumerate(layer.widths):
        kernel = layer.filters[number].weight.unflatten(1, (width, 6)).transpose(1, 2)
        padded = pad(states.transpose(1, 2), ((width - 1) // 2, width // 2))
        expected = torch.conv1d(padded, kernel, layer.filters[number].bias).relu().transpose(1, 2)
        torch.testing.assert_close(maps[..., 8 * number : 8 * number + 8], expected, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", VARIANTS)
def test_padding_and_company_change_nothing(name):
    model = build(**VARIANTS[name])
    documents = [[["a"]], [list("abcdefg")], [list("hgfed") * 3], [["absent", "b"]], []]
    ids = model.numbers(documents)
    batched = model(ids)
    alone = torch.cat([model(model.numbers([document])) for document in documents])
    torch.testing.assert_close(batched, alone, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(model(pad(ids, (0, 9), value=PADDING)), batched, atol=1e-5, rtol=1e-4)
    assert batched.isfinite().all()


def test_the_place_of_an_isolated_ngram_counts_for_the_hybrid_alone():
    hybrid = build()
    torch.manual_seed(0)
    cnn = TextCNN(["x", "y"], WORDS, 7, 1, 50, filters=5).eval()
    early, late = [["a"] * 6 + list("bcd") + ["a"] * 16], [["a"] * 14 + list("bcd") + ["a"] * 8]
    for model, same in ((cnn, True), (hybrid, False)):
        first, second = model(model.numbers([early, late]))
        assert torch.allclose(first, second, atol=1e-6) == same


@pytest.mark.parametrize("name", VARIANTS)
def test_a_saved_network_is_read_again(name, tmp_path):
    model = build(**VARIANTS[name])
    model.save_pretrained(tmp_path)
    ids = model.numbers([[list("abc")], [list("hg")]])
    torch.testing.assert_close(pretrained(CNNLMTGRU, tmp_path).probabilities(ids), model.probabilities(ids))


def test_groups_that_cannot_share_the_units_are_refused():
    with pytest.raises(InputError, match="3 groups cannot share 7 units evenly"):
        build(units=7, timescales=[1, 2, 3])
