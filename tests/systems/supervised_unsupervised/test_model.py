"""InferSent: its size, its pooling, its classifier."""

import pytest
import torch

from repline.errors import InputError
from repline.systems.supervised_unsupervised.model import InferSent, features

LABELS = ["contradiction", "entailment", "neutral"]


def parameters(module):
    return sum(parameter.numel() for parameter in module.parameters())


def test_the_papers_numbers_of_parameters():
    with torch.device("meta"):
        model = InferSent(LABELS, 300, 2048, 512)
    assert parameters(model.encoder) == 38_502_400 and parameters(model.classifier) == 8_653_315


@pytest.fixture
def model():
    torch.manual_seed(0)
    return InferSent(LABELS, 5, 4, 6).double()


@pytest.fixture
def sentences():
    torch.manual_seed(1)
    return torch.randn(4, 7, 5, dtype=torch.float64), torch.tensor([7, 3, 1, 5])


def test_a_vector_hangs_on_its_sentence_alone(model, sentences):
    vectors, lengths = sentences
    encoded = model.encode(vectors, lengths)
    alone = torch.cat([model.encode(vectors[[n], :t], lengths[[n]]) for n, t in enumerate(lengths.tolist())])
    torch.testing.assert_close(encoded, alone, rtol=0, atol=1e-10)
    order = torch.tensor([2, 0, 3, 1])
    torch.testing.assert_close(model.encode(vectors[order], lengths[order]), encoded[order], rtol=0, atol=1e-10)
    states = model.states(vectors, lengths)
    for row, length in enumerate(lengths.tolist()):
        torch.testing.assert_close(encoded[row], states[row, :length].amax(0))


def test_the_maximum_of_2017_sees_the_padding(model, sentences):
    vectors, lengths = sentences
    masked = model.encode(vectors, lengths)
    model.padded_maximum = True
    padded = model.encode(vectors, lengths)
    torch.testing.assert_close(padded[1:], masked[1:].clamp(min=0))
    torch.testing.assert_close(padded[0], masked[0])  # the longest has none
    assert (masked < 0).any()


def test_exchanged_sentences_keep_what_is_symmetric():
    torch.manual_seed(2)
    first, second = torch.randn(3, 4), torch.randn(3, 4)
    first_second, second_first = features(first, second), features(second, first)
    assert torch.equal(first_second[:, 8:], second_first[:, 8:])
    assert torch.equal(first_second[:, :4], second_first[:, 4:8]) and torch.equal(
        first_second[:, 4:8], second_first[:, :4]
    )


def test_three_layers_are_one_affine_map_unless_there_is_a_tanh_between(model):
    first, second = torch.randn(2, 9, 8, dtype=torch.float64)
    x = features(first, second)
    (w1, b1), (w2, b2), (w3, b3) = ((layer.weight, layer.bias) for layer in model.classifier)
    affine = x @ (w3 @ w2 @ w1).T + w3 @ w2 @ b1 + w3 @ b2 + b3
    torch.testing.assert_close(model(first, second), affine)
    bent = InferSent(LABELS, 5, 4, 6, nonlinear=True).double()
    bent.classifier.load_state_dict(dict(zip(bent.classifier.state_dict(), (w1, b1, w2, b2, w3, b3), strict=True)))
    expected = torch.tanh(torch.tanh(x @ w1.T + b1) @ w2.T + b2) @ w3.T + b3
    torch.testing.assert_close(bent(first, second), expected)


def test_one_label_is_no_task():
    with pytest.raises(InputError, match="expected at least two labels, found yes"):
        InferSent(["yes"], 5, 4, 6)
