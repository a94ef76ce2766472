"""The encoders: sizes of the paper, and what follows from reading pixels."""

import pytest
import torch

from repline.errors import InputError
from repline.systems.visual_characters.encoders import EDGE, CharacterEncoder, convolutions, pixel_network

PIXELS = [("fc_1l", 0), ("fc_2l", 0), ("cnn_relu", 0), ("cnn_fc_relu", 12), ("cnn_sm_fc", 12)]


def bitmaps(number=6):
    return torch.rand(number, EDGE, EDGE, generator=torch.Generator().manual_seed(0)) > 0.7


def encoder(kind, features=0, number=6):
    torch.manual_seed(0)
    return CharacterEncoder(kind, number, 8, features, 4).show(bitmaps(number))


@pytest.mark.parametrize(
    ("kind", "features", "parameters"),
    [
        ("cnn_fc_relu", 1024, 1_062_752),
        ("cnn_sm_fc", 4096, 4_208_480),
        ("cnn_relu", 0, 273_248),
        ("fc_1l", 0, 248_320),
        ("fc_2l", 0, 512_000),
    ],
)
def test_parameters_of_the_paper(kind, features, parameters):
    network = pixel_network(kind, 512, features, 32)
    assert sum(parameter.numel() for parameter in network.parameters()) == parameters


def test_a_table_has_a_vector_for_each_character_and_one_for_the_unknown():
    table = CharacterEncoder("emb", 8457, 512).table.weight
    assert table[1:].numel() == 4_329_984 and len(table) == 8458


@pytest.mark.parametrize("features", [256, 4096])
def test_edges_and_parameters_of_the_convolutions(features):
    network = convolutions(features)
    assert sum(parameter.numel() for parameter in network.parameters()) == 320 + 9_248 + 513 * features
    states, shapes = bitmaps(2).float(), []
    for layer in network:
        states = layer(states)
        shapes.append(tuple(states.shape[1:]))
    assert shapes[3] == (32, 10, 10) and shapes[6] == (32, 4, 4) and shapes[-1] == (features,)


@pytest.mark.parametrize(("kind", "features"), PIXELS)
def test_same_bitmaps_same_vectors_and_order_means_nothing(kind, features):
    model = encoder(kind, features).eval()
    pixels = bitmaps()
    pixels[3] = pixels[1]
    vectors = model.show(pixels).cached_table()
    assert torch.equal(vectors[4], vectors[2]) and not torch.allclose(vectors[1], vectors[2])
    order = torch.tensor([5, 2, 0, 1, 4, 3])
    assert torch.allclose(model.show(pixels[order]).cached_table()[1:], vectors[1:][order], atol=1e-6)


@pytest.mark.parametrize(("kind", "features"), [("emb", 0), *PIXELS])
def test_a_batch_is_gathered_from_its_distinct_characters(kind, features):
    model = encoder(kind, features).eval()
    ids = torch.tensor([[3, 1, 3, 0], [1, 6, 0, 0]])
    vectors = model(ids)
    assert vectors.shape == (2, 4, 8) and not vectors[ids == 0].any()
    assert torch.allclose(vectors, model.cached_table()[ids], atol=1e-6)
    assert torch.allclose(vectors[0, 0], model.encode(torch.tensor([3]))[0], atol=1e-6)
    seen = []
    inner = model.encode
    model.encode = lambda ids_encoded: seen.append(ids_encoded) or inner(ids_encoded)
    model(ids)
    assert [ids_encoded.tolist() for ids_encoded in seen] == [[1, 3, 6]]


def test_normalisation_is_over_types_of_characters():
    model = encoder("fc_2l").train()
    often = model(torch.tensor([[1, 2, 2, 2, 2, 3]]))
    once = encoder("fc_2l").train()(torch.tensor([[1, 2, 3]]))
    assert torch.allclose(often[0, [0, 1, 5]], once[0], atol=1e-6)


def test_one_character_alone_is_normalised_by_running_statistics():
    model = encoder("fc_2l").train()
    model(torch.tensor([[1, 2, 3]]))
    alone = model(torch.tensor([[4]]))
    assert model.network.training and torch.allclose(alone, model.eval()(torch.tensor([[4]])), atol=1e-6)


def test_fc_1l_is_one_matrix_and_a_blank_gives_its_bias():
    model = encoder("fc_1l")
    pixels = bitmaps()
    pixels[0] = False
    model.show(pixels)
    linear = model.network[1]
    expected = pixels.flatten(1).float() @ linear.weight.T + linear.bias
    assert torch.allclose(model.cached_table()[1:], expected, atol=1e-6)
    assert torch.equal(model.encode(torch.tensor([1]))[0], linear.bias)


def test_a_table_is_a_linear_layer_on_one_hot_input():
    model = encoder("emb")
    one_hot = torch.eye(7)[torch.tensor([2, 5])]
    assert torch.equal(model.encode(torch.tensor([2, 5])), one_hot @ model.table.weight)


def test_unknown_characters_of_a_table_share_one_vector_and_networks_draw_them():
    model = encoder("emb")
    model.known[4:] = False
    vectors = model(torch.tensor([4, 5, 1]))
    assert torch.equal(vectors[0], model.table.weight[0]) and torch.equal(vectors[0], vectors[1])
    assert not torch.equal(vectors[2], vectors[0])
    drawn = encoder("fc_1l")
    drawn.known[:] = False
    assert not torch.allclose(drawn(torch.tensor([4])), drawn(torch.tensor([5])))


def test_softmax_gives_a_convex_combination_of_rows():
    model = encoder("cnn_sm_fc", 12).eval()
    ids = torch.tensor([1, 4])
    activations = model.activations(ids)
    linear = model.network[2]
    assert torch.allclose(activations.sum(1), torch.ones(2)) and (activations >= 0).all()
    assert torch.allclose(model.encode(ids), activations @ linear.weight.T + linear.bias, atol=1e-6)
    best = activations.argmax(1)
    looked_up = torch.nn.functional.one_hot(best, 12).float() @ linear.weight.T + linear.bias
    assert torch.allclose(looked_up, linear.weight.T[best] + linear.bias, atol=1e-7)


def test_other_bitmaps_than_the_encoder_is_made_for():
    with pytest.raises(InputError, match=r"made for 6 characters of 22 x 22 pixels, found .*\(6, 16, 16\)"):
        encoder("fc_1l").show(torch.zeros(6, 16, 16, dtype=torch.bool))
