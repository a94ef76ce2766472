"""What each decoder may see, and layer 1 as a transposed convolution."""

import pytest
import torch
from torch.nn.functional import conv_transpose1d

from repline.systems.rnn_cnn.decoders import Positions
from repline.systems.rnn_cnn.model import ContextModel

WORDS = [f"w{number}" for number in range(9)]
SENTENCES, LENGTHS = torch.tensor([[1, 2, 3], [4, 5, 0]]), torch.tensor([3, 2])
TARGETS = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])


def made(decoder, feed="teacher"):
    torch.manual_seed(0)
    return ContextModel(WORDS, 6, 4, 4, decoder=decoder, feed=feed).eval()


def outputs(model, targets):
    torch.manual_seed(1)
    return model(SENTENCES, LENGTHS, targets)


def test_layer_1_is_a_transposed_convolution_over_one_position():
    torch.manual_seed(0)
    layer, vectors = Positions(5, 4, 3), torch.randn(2, 5)
    weight = layer.maps.weight.unflatten(0, (4, 3)).permute(2, 1, 0)  # [z, C, N]
    convolved = conv_transpose1d(vectors[:, :, None], weight).mT + layer.maps.bias.unflatten(0, (4, 3))
    torch.testing.assert_close(layer(vectors), convolved, rtol=1e-5, atol=1e-5)


def test_each_position_has_a_map_of_its_own():
    mapped = Positions(5, 4, 3)(torch.randn(1, 5))[0]
    assert len({tuple(row.tolist()) for row in mapped}) == 4


@pytest.mark.parametrize(
    ("decoder", "feed"),
    [("cnn", "teacher"), ("rnn", "teacher"), ("ar_rnn", "uniform"), ("ar_cnn", "uniform"), ("ar_rnn", "sampled")],
)
def test_without_a_teacher_no_target_is_seen(decoder, feed):
    model = made(decoder, feed)
    assert torch.equal(outputs(model, TARGETS), outputs(model, TARGETS.flip(0).flip(1)))


@pytest.mark.parametrize("decoder", ["ar_rnn", "ar_cnn"])
@pytest.mark.parametrize("changed", range(4))
def test_with_a_teacher_a_position_sees_the_words_before_it_alone(decoder, changed):
    model = made(decoder)
    other_targets = TARGETS.clone()
    other_targets[:, changed] = other_targets[:, changed] % 9 + 1
    before, after = outputs(model, TARGETS), outputs(model, other_targets)
    torch.testing.assert_close(before[:, : changed + 1], after[:, : changed + 1], rtol=0, atol=1e-6)
    if changed < 3:
        assert not torch.allclose(before[:, changed + 1], after[:, changed + 1])


@pytest.mark.parametrize("decoder", ["ar_rnn", "ar_cnn"])
def test_a_step_at_a_time_gives_the_outputs_of_all_positions_together(decoder):
    decoder = made(decoder).decoder
    vectors, previous = torch.randn(3, 16), torch.randn(3, 9, 6)  # more positions than a convolution sees
    state, outputs = None, []
    for position in range(previous.shape[1]):
        output, state = decoder.step(vectors, previous[:, position], state)
        outputs.append(output)
    torch.testing.assert_close(torch.stack(outputs, dim=1), decoder(vectors, previous), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("decoder", ["ar_rnn", "ar_cnn"])
def test_sampled_words_are_those_that_the_model_finds_likely(decoder):
    """Where the vectors make one word certain at every position, it is the one that is drawn, and what is fed."""
    model = made(decoder, "sampled")
    with torch.no_grad():
        model.embedding.weight.zero_()
        model.embedding.weight[7] = 50.0
        last = model.decoder.output if decoder == "ar_rnn" else model.decoder.second
        last.bias.fill_(1.0)
        last.weight.zero_()
    vectors = model.sentence_vectors(model.embedding(SENTENCES), LENGTHS)
    assert model._drawn(vectors).tolist() == [[7] * 4] * 2
    decoded = model.decoder(vectors, model._previous(torch.full((2, 3), 7)))
    torch.testing.assert_close(model.decoded(vectors), decoded)


@pytest.mark.parametrize("decoder", ["ar_rnn", "ar_cnn"])
def test_step_by_step_is_the_same_as_all_positions_together(decoder):
    model = made(decoder)
    vectors = model.sentence_vectors(model.embedding(SENTENCES), LENGTHS)
    whole = model.decoded(vectors, TARGETS)
    for step in range(4):
        last = model.decoder(vectors, model._previous(TARGETS[:, :step]))[:, -1]
        torch.testing.assert_close(last, whole[:, step])
