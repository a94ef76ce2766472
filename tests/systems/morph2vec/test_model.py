"""The network: attention by hand, padding, order of candidates, tries against an LSTM, the mirror image of a word."""

import numpy as np
import pytest
import torch
from torch import nn

from repline.pretrained import pretrained
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.training import CosineLoss
from repline.systems.morph2vec.tries import prefix_trie, reverse

MORPHS = list("abcdefgh")
WORD = [[0, 1, 2, 3], [0, 1, 4, -1], [5, -1, -1, -1]]
SECOND_WORD = [[6, 7, -1, -1], [7, -1, -1, -1], [-1] * 4]
NO_CANDIDATES = [[-1] * 4] * 3


def made(**changes):
    torch.manual_seed(0)
    shape = {"dimensions": 5, "embedding": 4, "units": 3} | changes
    model = Morph2Vec(MORPHS, **shape).eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.7)
    return model


@pytest.mark.parametrize("encoder", ["bilstm", "bag", "attentive"])
@pytest.mark.parametrize("mixing", ["attention", "average", "first"])
def test_padding_and_the_order_of_candidates_change_nothing(encoder, mixing):
    model = made(encoder=encoder, mixing=mixing)
    words = torch.tensor([WORD, SECOND_WORD])
    alone = model(words)
    padded = torch.full((2, 5, 6), -1)
    padded[:, :3, :4] = words
    torch.testing.assert_close(model(padded), alone)
    if mixing != "first":
        torch.testing.assert_close(model(words[:1, [2, 0, 1]]), alone[:1])
    torch.testing.assert_close(model(torch.tensor([SECOND_WORD])), alone[1:])
    assert not model(torch.tensor([WORD, NO_CANDIDATES]))[1].any()


def test_weights_sum_to_one_and_a_single_candidate_is_its_own_vector():
    model = made()
    composed = model.compose(torch.tensor([WORD, SECOND_WORD]))
    torch.testing.assert_close(composed.weights.sum(1), torch.ones(2))
    assert not composed.weights[1, 2]
    single = model.compose(torch.tensor([[WORD[1]]]))
    assert single.weights.tolist() == [[1]]
    torch.testing.assert_close(single.vectors, model.encode(torch.tensor([WORD[1]])))


def test_attention_by_hand():
    model = made(dimensions=2, encoder="bag", embedding=2)
    with torch.no_grad():
        model.table.weight[:2] = torch.eye(2)
        model.projection.weight.copy_(torch.eye(2))
        model.projection.bias.zero_()
        model.attention.weight.copy_(torch.eye(2))
        model.attention.query.copy_(torch.tensor([[1.0, 0.0]]))
    composed = model.compose(torch.tensor([[[0], [1]]]))
    expected = torch.tensor([[0.681700, 0.318300]])
    torch.testing.assert_close(composed.weights, expected, atol=1e-6, rtol=0)
    torch.testing.assert_close(composed.vectors, expected, atol=1e-6, rtol=0)
    cosine = nn.functional.cosine_similarity(composed.vectors, torch.tensor([[1.0, 0.0]]))
    assert cosine.item() == pytest.approx(0.906095, abs=1e-6)


def test_tries_give_what_an_lstm_gives():
    model = made()
    sequences = torch.tensor([*WORD, *SECOND_WORD[:2]])
    ends = []
    for recurrence, order in ((model.ahead, sequences), (model.back, reverse(sequences))):
        lstm = nn.LSTM(4, 3, batch_first=True)
        with torch.no_grad():
            lstm.weight_ih_l0.copy_(recurrence.inputs)
            lstm.weight_hh_l0.copy_(recurrence.recurrent)
            lstm.bias_ih_l0.copy_(recurrence.bias)
            lstm.bias_hh_l0.zero_()
        states, _ = lstm(model.table(order.clamp(min=0)))
        last = (order >= 0).sum(1) - 1
        ends.append(states[torch.arange(len(order)), last])
    expected = model.projection(torch.cat(ends, dim=1))
    torch.testing.assert_close(model.encode(sequences), expected)


def test_states_are_shared_by_what_begins_alike():
    levels, nodes = prefix_trie(torch.tensor(WORD), len(MORPHS))
    assert [len(level.morphs) for level in levels] == [2, 1, 2, 1]
    assert nodes[0, :2].tolist() == nodes[1, :2].tolist()
    assert nodes.tolist()[2][1:] == [-1, -1, -1]
    assert reverse(torch.tensor(WORD)).tolist() == [[3, 2, 1, 0], [4, 1, 0, -1], [5, -1, -1, -1]]


def test_words_read_backwards_by_exchanged_lstms_are_the_same():
    model, mirrored = made(), made()
    with torch.no_grad():
        for ours, theirs in ((model.ahead, mirrored.back), (model.back, mirrored.ahead)):
            for source, target in zip(ours.parameters(), theirs.parameters(), strict=True):
                target.copy_(source)
        mirrored.projection.weight.copy_(model.projection.weight.roll(3, dims=1))
    words = torch.tensor([WORD])
    torch.testing.assert_close(mirrored(reverse(words[0])[None]), model(words))


def test_the_loss_is_minus_one_only_along_the_target_and_knows_no_length():
    model, loss, words = made(), CosineLoss(), torch.tensor([WORD, SECOND_WORD])
    targets = torch.randn(2, 5)
    torch.testing.assert_close(loss(model, (words, 3 * targets)), loss(model, (words, targets)))
    along = model(words).detach()
    assert loss(model, (words, 2 * along)).item() == pytest.approx(-1, abs=1e-6)
    assert loss(model, (words, targets)).item() > -0.99
    assert CosineLoss(0.5)(model, (words, targets)) == loss(model, (words, targets))  # it is not in training
    model.train()
    penalised = CosineLoss(0.5)(model, (words, targets)) - loss(model, (words, targets))
    torch.testing.assert_close(penalised, 0.5 * model.compose(words).logits.abs().mean())


def test_a_saved_model_is_the_same(tmp_path):
    model = made()
    model.save_pretrained(tmp_path)
    again = pretrained(Morph2Vec, tmp_path)
    assert again.morphs == MORPHS
    np.testing.assert_array_equal(again(torch.tensor([WORD])).detach(), model(torch.tensor([WORD])).detach())


def test_parameters_of_the_papers_size():
    model = Morph2Vec(["a"], dimensions=300, embedding=75, units=300)
    parts = {name: sum(p.numel() for p in part.parameters()) for name, part in model.named_children()}
    assert parts["ahead"] + parts["back"] == 2 * 4 * 300 * (375 + 1)
    assert parts["projection"] == 600 * 300 + 300
    assert parts["attention"] == 300**2 + 300
