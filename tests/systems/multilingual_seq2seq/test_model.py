"""The encoder-decoder and its losses: the invariants of the paper's equations."""

import math

import pytest
import torch

from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder, similarity_loss
from repline.systems.multilingual_seq2seq.training import JointLoss, stacked
from tests.systems.multilingual_seq2seq.small_texts import small_data

DATA = small_data()
FIRST = torch.tensor([[6, 7, 8, 0], [9, 10, 11, 12], [13, 6, 0, 0]])  # en
SECOND = torch.tensor([[18, 19, 20], [21, 22, 0], [25, 18, 0]])  # de
NUMBER = torch.zeros(3, dtype=torch.long)
PAIRS = [["en", "de"]]


def model(kind="lstm", **more):
    torch.manual_seed(0)
    return MultilingualEncoderDecoder(DATA.words, DATA.rows, kind, 5, 4, dropout=0.0, **more)


def test_distance_and_its_gradient():
    first, second = torch.tensor([[1.0, 2.0]], requires_grad=True), torch.zeros(1, 2)
    loss = similarity_loss(first, second)
    loss.backward()
    assert loss == 5 and first.grad.tolist() == [[2.0, 4.0]]


@pytest.mark.parametrize("kind", ["lstm", "bag"])
def test_the_encoder_is_not_told_the_language(kind):
    vectors = model(kind).encode(stacked(FIRST, FIRST))
    assert torch.equal(vectors[:3], vectors[3:]) and similarity_loss(vectors[:3], vectors[3:]) == 0


@pytest.mark.parametrize("kind", ["lstm", "bag"])
@pytest.mark.parametrize("pooling", ["mean", "max", "attention"])
def test_a_sentence_alone_has_the_vector_that_it_has_among_others(kind, pooling):
    network = model(kind, pooling=pooling)
    vectors = network.encode(FIRST)
    for row, length in enumerate((3, 4, 2)):
        assert torch.allclose(network.encode(FIRST[row : row + 1, :length])[0], vectors[row], atol=1e-6)


def gradient(network, similarity, weight_decay=0.0):
    network.zero_grad()
    loss, _, _ = JointLoss(PAIRS, similarity, weight_decay)(network, (NUMBER, FIRST, SECOND))
    loss.backward()
    return network.embedding.weight.grad.clone()


@pytest.mark.parametrize("kind", ["lstm", "bag"])
def test_alpha_weighs_the_similarity_part_of_the_gradient_alone(kind):
    network = model(kind)
    network.zero_grad()
    source, target = network.encode(FIRST), network.encode(SECOND)
    both = network.translation_loss(source, SECOND, "de") + network.translation_loss(target, FIRST, "en")
    both.backward()
    alone = network.embedding.weight.grad.clone()
    assert torch.allclose(gradient(network, 0.0), alone, atol=1e-6)
    once, twice = gradient(network, 1.0) - alone, gradient(network, 2.0) - alone
    assert once.abs().max() > 1e-4 and torch.allclose(2 * once, twice, atol=1e-5)
    decayed = gradient(network, 0.0, weight_decay=0.1) - alone
    assert torch.allclose(decayed, 0.2 * network.embedding.weight.detach(), atol=1e-5)


def test_the_decoder_knows_the_source_by_its_vector_alone():
    network = model()
    states = torch.randn(1, 4, network.size)
    mask = torch.ones(1, 4, dtype=torch.bool)
    ordered, reordered = (network.pool(states[:, order], mask) for order in ([0, 1, 2, 3], [3, 1, 0, 2]))
    losses = [network.translation_loss(vector, SECOND[:1], "de") for vector in (ordered, reordered)]
    assert torch.allclose(*losses, atol=1e-6)


@pytest.mark.parametrize("kind", ["lstm", "bag"])
@pytest.mark.parametrize(("own_words", "choices"), [(True, 14), (False, len(DATA.words))])
def test_a_decoder_that_knows_nothing_is_uniform(kind, own_words, choices):
    network = model(kind, own_words=own_words)
    torch.nn.init.zeros_(network.output.weight)
    torch.nn.init.zeros_(network.output.bias)
    loss = network.translation_loss(network.encode(FIRST), SECOND, "de")
    assert loss.item() == pytest.approx(math.log(choices), abs=1e-5)


def test_the_translation_loss_counts_the_end_and_each_sentence_the_same():
    network = model()
    source = network.encode(FIRST)
    batch_loss = network.translation_loss(source, SECOND, "de")
    alone = [
        network.translation_loss(source[row : row + 1], SECOND[row : row + 1, :n], "de")
        for row, n in enumerate((3, 2, 2))
    ]
    assert torch.allclose(batch_loss, torch.stack(alone).mean(), atol=1e-6)
    state, total = network.decoder.begin(source[:1]), 0.0
    for before, word in zip([4, 18, 19, 20], [18, 19, 20, 2], strict=True):
        state = network.decoder.step(network.embedding(torch.tensor([before])), state)
        logits = network.output(state.hidden)[0, DATA.rows["de"]]
        total -= logits.log_softmax(0)[DATA.rows["de"].index(word)] / 4
    assert torch.allclose(alone[0], total, atol=1e-6)


def test_a_model_comes_back_from_its_folder_and_writes_the_language_that_is_asked(tmp_path):
    network = model().eval()
    network.save_pretrained(tmp_path)
    again = MultilingualEncoderDecoder.from_pretrained(tmp_path).eval()
    assert torch.equal(again.encode(FIRST), network.encode(FIRST))
    for language in ("en", "fr"):
        for beam in (1, 3):
            translations = again.translate(FIRST, language, beam=beam, longest=6)
            assert len(translations) == 3
            assert all(word.startswith(language) for words in translations for word in words)
