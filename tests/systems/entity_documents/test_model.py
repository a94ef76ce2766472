import numpy as np
import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.entity_documents.model import PADDING, UNKNOWN, DocumentClassifier
from repline.systems.entity_documents.training import label_loss

WIDTHS = [[3, 7, 11], [3, 7, 11], [3, 11]]
PAPER = [{"widths": widths, "filters": filters} for widths, filters in zip(WIDTHS, (512, 256, 256), strict=True)]


def small(**changes):
    torch.manual_seed(0)
    shape = {"labels": ["a", "b", "c"], "words": ["x", "y", "z"], "dimensions": 4, "dropout": 0.5}
    layers = [{"widths": [3, 5], "filters": 3}, {"widths": [3], "filters": 4}]
    return DocumentClassifier(**(shape | {"layers": layers} | changes)).eval()


def test_the_three_layers_have_the_papers_parameters():
    with torch.device("meta"):
        model = DocumentClassifier(["a"], ["x"], 200, PAPER)
    weights = [sum(convolution.weight.numel() for convolution in layer) for layer in model.layers]
    assert weights == [2_150_400, 8_257_536, 2_752_512]
    assert sum(convolution.bias.numel() for layer in model.layers for convolution in layer) == 2_816
    assert sum(parameter.numel() for parameter in model.layers.parameters()) == 13_163_264
    assert model.output[-1].in_features == 512


def test_a_place_sees_fifteen_tokens_on_each_side():
    model = small(layers=[{"widths": widths, "filters": 2} for widths in WIDTHS], words=list("abcdefgh"))
    with torch.no_grad():
        for layer in model.layers:
            for convolution in layer:
                convolution.weight.abs_()
        model.embedding.weight[1:].abs_()  # no ReLU is at zero, so that every token that is seen counts
        changed = torch.full((60, 60), 2)
        before = model.features(changed)[:, :, 30]
        changed.fill_diagonal_(3)  # row n has another token at place n
        moved = (model.features(changed)[:, :, 30] != before).any(dim=1)
    assert moved.nonzero().flatten().tolist() == list(range(15, 46))


def test_padding_changes_nothing():
    model = small()
    ids = torch.tensor([[2, 3, 4, UNKNOWN, 2]])
    with torch.no_grad():
        for layer in model.layers:
            for convolution in layer:
                convolution.bias.fill_(0.7)  # which would light up places without a token
    wide = torch.cat([ids, torch.full((1, 44), PADDING)], dim=1)
    torch.testing.assert_close(model(ids), model(wide), rtol=0, atol=1e-6)


def test_probabilities_of_each_label_alone():
    model = small()
    ids = torch.randint(0, 5, (7, 9))
    probabilities = model.probabilities(ids, batch=3)
    assert probabilities.shape == (7, 3)
    assert ((probabilities > 0) & (probabilities < 1)).all()
    with torch.no_grad():
        model.output[-1].weight[0] += 1
        model.output[-1].bias[0] -= 2
    torch.testing.assert_close(model.probabilities(ids)[:, 1:], probabilities[:, 1:])


def test_the_loss_is_the_mean_over_labels_and_its_gradient_is_right():
    model = small().double()
    ids, gold = torch.tensor([[2, 3, 4], [4, 4, 0]]), torch.tensor([[1.0, 0, 1], [0, 0, 1]]).double()
    loss = label_loss(model, (ids, gold))
    p = model(ids).sigmoid()
    by_hand = -(gold * p.log() + (1 - gold) * (1 - p).log()).mean()
    torch.testing.assert_close(loss, by_hand)
    torch.testing.assert_close(loss, binary_cross_entropy_with_logits(model(ids), gold))
    loss.backward()
    weight, step = model.layers[0][0].weight, 1e-6
    for entry in [(0, 0, 1), (2, 3, 0)]:
        with torch.no_grad():
            weight[entry] += step
            above = label_loss(model, (ids, gold))
            weight[entry] -= 2 * step
            below = label_loss(model, (ids, gold))
            weight[entry] += step
        assert weight.grad[entry].item() == pytest.approx(((above - below) / (2 * step)).item(), rel=1e-4, abs=1e-9)


def test_it_begins_with_given_vectors_and_base_rates():
    vectors, has_vector = torch.arange(12.0).reshape(3, 4), torch.tensor([True, False, True])
    model = small()
    before = model.embedding.weight.detach().clone()
    model.begin(vectors, has_vector, torch.tensor([0.5, 0.1, 0.9]))
    assert torch.equal(model.embedding.weight[[2, 4]], vectors[[0, 2]])
    assert torch.equal(model.embedding.weight[[0, 1, 3]], before[[0, 1, 3]])
    torch.testing.assert_close(model.output[-1].bias.sigmoid(), torch.tensor([0.5, 0.1, 0.9]))


def test_documents_as_numbers():
    ids = small().numbers([["y", "strange", "x", "z"], [], ["z"]], longest=3)
    assert ids.tolist() == [[3, UNKNOWN, 2], [0, 0, 0], [4, 0, 0]]
    assert small().numbers([[], []], longest=3).shape == (2, 1)


def test_a_hidden_layer_is_an_option():
    model = small(hidden=6)
    assert [type(part).__name__ for part in model.output] == ["Dropout", "Linear", "ReLU", "Dropout", "Linear"]
    assert model(torch.tensor([[2]])).shape == (1, 3)


def test_it_is_read_again(tmp_path):
    model = small()
    model.save_pretrained(tmp_path)
    again = pretrained(DocumentClassifier, tmp_path)
    ids = torch.tensor([[2, 3, 4]])
    assert again.labels == ["a", "b", "c"]
    np.testing.assert_array_equal(again.probabilities(ids), model.probabilities(ids))


@pytest.mark.parametrize("changes", [{"labels": []}, {"layers": []}, {"layers": [{"widths": [4], "filters": 2}]}])
def test_shapes_that_are_none_are_refused(changes):
    with pytest.raises(InputError, match="a classifier needs labels and layers of odd widths"):
        small(**changes)
