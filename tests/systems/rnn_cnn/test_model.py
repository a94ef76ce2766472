"""The encoder, its pooling and the tying of word vectors, against the paper's equations."""

import numpy as np
import pytest
import torch
from torch import nn

from repline.errors import InputError
from repline.systems.rnn_cnn.model import ContextModel, pooled

WORDS = [f"w{number}" for number in range(12)]
KINDS = [
    {"decoder": "cnn"},
    {"decoder": "rnn"},
    *({"decoder": decoder, "feed": feed} for decoder in ("ar_rnn", "ar_cnn") for feed in ("teacher", "uniform")),
]


def made(dimensions=6, units=4, targets=5, words=WORDS, **more):
    torch.manual_seed(0)
    return ContextModel(words, dimensions, units, targets, **more).eval()


def vectors_of(model, sentences, lengths):
    return model.sentence_vectors(model.embedding(torch.tensor(sentences)), torch.tensor(lengths))


def test_mean_and_maximum_of_two_states():
    states = torch.tensor([[[1.0, 4.0], [3.0, 2.0]]])  # columns of H = [[1, 3], [4, 2]]
    assert pooled(states, torch.tensor([2])).tolist() == [[2, 3, 3, 4]]
    assert pooled(states, torch.tensor([2]), "max").tolist() == [[3, 4]]


def test_what_stands_behind_the_end_does_not_count_even_where_states_are_negative():
    states = torch.tensor([[[-1.0], [-3.0], [0.0]]])
    assert pooled(states, torch.tensor([2])).tolist() == [[-2, -1]]


def test_one_word_has_mean_and_maximum_alike():
    mean, highest = vectors_of(made(), [[3]], [1]).chunk(2, 1)
    assert torch.equal(mean, highest)


def test_padding_and_the_order_of_the_batch_change_nothing():
    model = made()
    alone = vectors_of(model, [[1, 2, 3]], [3])
    padded = vectors_of(model, [[4, 5, 6, 7, 8], [1, 2, 3, 9, 9]], [5, 3])
    torch.testing.assert_close(padded[1:], alone, rtol=0, atol=1e-6)
    turned = vectors_of(model, [[1, 2, 3, 0, 0], [4, 5, 6, 7, 8]], [3, 5])
    torch.testing.assert_close(turned.flip(0), padded, rtol=0, atol=1e-6)
    mean, highest = padded.chunk(2, 1)
    assert (highest >= mean - 1e-6).all()


def test_a_reversed_sentence_exchanges_the_directions():
    model = made()
    for name, weight in list(model.encoder.named_parameters()):
        if name.endswith("_reverse"):
            weight.data.copy_(getattr(model.encoder, name.removesuffix("_reverse")))
    there = vectors_of(model, [[1, 2, 3, 4]], [4]).unflatten(1, (2, 2, -1))  # mean and max; forward and backward
    back = vectors_of(model, [[4, 3, 2, 1]], [4]).unflatten(1, (2, 2, -1))
    torch.testing.assert_close(back, there.flip(2))


@pytest.mark.parametrize("part", ["decoder", "embedding"])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_without_weights_a_word_costs_the_logarithm_of_the_vocabulary(kind, part):
    model = made(words=[f"w{number}" for number in range(5000)], **kind)
    with torch.no_grad():
        for weight in getattr(model, part).parameters():
            weight.zero_()
    sentences, lengths, targets = torch.tensor([[1, 2]]), torch.tensor([2]), torch.tensor([[3, 4, 5, 6, 7]])
    total, count = model.losses(model(sentences, lengths, targets), targets)
    assert (total / count).item() == pytest.approx(8.5172, abs=1e-4)


def test_unknown_targets_do_not_count():
    model = made()
    outputs = torch.randn(2, 5, 6)
    targets = torch.tensor([[1, 0, 3, 0, 5], [0, 0, 0, 0, 0]])
    total, count = model.losses(outputs, targets)
    expected = nn.functional.cross_entropy(model.logits(outputs[0]), targets[0] - 1, ignore_index=-1, reduction="sum")
    assert count == 3 and total.item() == pytest.approx(expected.item(), rel=1e-5)


def test_the_word_vectors_are_one_tensor_whose_gradient_is_that_of_both_ends():
    model = made().double()
    assert [name for name, parameter in model.named_parameters() if parameter.shape == (13, 6)] == ["embedding.weight"]
    sentences, lengths, targets = torch.tensor([[1, 2, 3]]), torch.tensor([3]), torch.tensor([[2, 4, 5, 6, 3]])

    def loss():
        return model.losses(model(sentences, lengths, targets), targets)[0]

    loss().backward()
    gradient = model.embedding.weight.grad
    for row, column in ((1, 0), (2, 3), (3, 5), (4, 1), (9, 2)):  # read, read and predicted, predicted, neither
        values = []
        for step in (1e-6, -1e-6):
            with torch.no_grad():
                model.embedding.weight[row, column] += step
                values.append(loss().item())
                model.embedding.weight[row, column] -= step
        assert (values[0] - values[1]) / 2e-6 == pytest.approx(float(gradient[row, column]), rel=1e-3, abs=1e-7)


def test_numbers_of_parameters():
    for units, parameters in ((300, 1_083_600), (1200, 10_814_400)):
        encoder = nn.GRU(300, units, bidirectional=True, device="meta")
        assert sum(weight.numel() for weight in encoder.parameters()) == parameters
    with torch.device("meta"):
        small = ContextModel(WORDS, 300, 300, 30)
    assert sum(weight.numel() for weight in small.encoder.parameters()) == 1_083_600
    assert sum(weight.numel() for weight in small.decoder.first.parameters()) == 10_809_000
    with torch.device("meta"):
        large = ContextModel(WORDS, 300, 1200, 30)
    assert sum(weight.numel() for weight in large.decoder.first.parameters()) == 43_209_000


def test_a_model_is_read_as_it_was_saved(tmp_path):
    model = made(decoder="ar_cnn", feed="uniform", pooling="max")
    model.save_pretrained(tmp_path)
    again = ContextModel.from_pretrained(tmp_path).eval()
    assert again.words == WORDS and again.feed == "uniform"
    assert torch.equal(vectors_of(again, [[1, 2]], [2]), vectors_of(model, [[1, 2]], [2]))


def test_mistakes():
    with pytest.raises(InputError, match="7 is odd"):
        made(dimensions=7, decoder="rnn")
    with pytest.raises(InputError, match="needs the words that follow"):
        made(decoder="ar_rnn")(torch.tensor([[1]]), torch.tensor([1]))


def test_models_begin_with_given_vectors():
    model, vectors = made(), torch.from_numpy(np.random.default_rng(0).random((12, 6), np.float32))
    model.begin(vectors)
    assert torch.equal(model.embedding.weight[1:], vectors)
    torch.testing.assert_close(model.embedding.weight[0], vectors.mean(0))
