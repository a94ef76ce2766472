"""The loss over replies, the head of inference, and that the tasks share an encoder and nothing else."""

import math

import pytest
import torch

from repline.errors import InputError
from repline.systems.conversations.model import ConversationEncoder, response_loss
from repline.systems.conversations.task_batches import INFERENCE, REPLY
from repline.systems.conversations.training import task_loss

WORDS = [f"w{number}" for number in range(30)]
LABELS = ["contradiction", "entailment", "neutral"]


def _model(labels=LABELS):
    torch.manual_seed(0)
    return ConversationEncoder(WORDS, labels, dimensions=8, buckets=20, layers=[8, 6], replies=[6, 6], hidden=5)


def _batch(task, targets):
    tokens, lengths = torch.tensor([1, 2, 3, 4, 5, 6, 7, 8]), torch.tensor([2, 1, 3, 2])
    return torch.tensor([task]), tokens, lengths, torch.tensor(targets)


def test_one_pair_has_no_loss_and_equal_scores_that_of_chance():
    assert float(response_loss(torch.tensor([[3.7]]))) == 0
    assert math.isclose(float(response_loss(torch.full((128, 128), 0.2))), math.log(128), rel_tol=1e-6)
    assert math.isclose(float(response_loss(torch.eye(2))), -math.log(math.e / (math.e + 1)), rel_tol=1e-6)


def test_the_loss_is_over_rows():
    scores = torch.tensor([[1.0, 0.0], [5.0, 1.0]])
    rows = [math.log(1 + math.exp(-1)), math.log(1 + math.exp(4))]
    columns = [math.log(1 + math.exp(4)), math.log(1 + math.exp(-1))]
    assert math.isclose(float(response_loss(scores)), sum(rows) / 2, rel_tol=1e-6)
    both = (sum(rows) + sum(columns)) / 4
    assert math.isclose(float(response_loss(scores, symmetric=True)), both, rel_tol=1e-6)


def test_a_reply_that_says_the_same_is_no_rival():
    scores = torch.tensor([[1.0, 9.0, 0.0], [9.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    masked = response_loss(scores, torch.tensor([7, 7, 8]))
    rows = [math.log(1 + math.exp(-1))] * 2 + [math.log(1 + 2 * math.exp(-1))]
    assert math.isclose(float(masked), sum(rows) / 3, rel_tol=1e-6)
    assert float(response_loss(scores, torch.tensor([7, 8, 9]))) == float(response_loss(scores)) > float(masked)


def test_replies_keep_their_length():
    model = _model()
    u = model(torch.tensor([1, 2, 3]), torch.tensor([1, 2]))
    with torch.no_grad():
        model.replies[-1].weight.mul_(100)
    assert (model.replies(u).norm(dim=1) > 2).all()


def test_the_tasks_share_the_encoder_alone():
    model = _model()
    for task, targets, trained, untouched in (
        (REPLY, [5, 6], "replies", "head"),
        (INFERENCE, [0, 2], "head", "replies"),
    ):
        model.zero_grad()
        task_loss(model, _batch(task, targets))[0].backward()
        assert all(weight.grad is None for weight in getattr(model, untouched).parameters())
        assert all(weight.grad is not None for weight in getattr(model, trained).parameters())
        assert all(weight.grad is not None for weight in model.encoder.parameters())


def test_the_head_adds_nothing_to_the_encoder():
    with_head, without = _model(), _model([])
    for weight, expected in zip(with_head.encoder.parameters(), without.encoder.parameters(), strict=True):
        assert torch.equal(weight, expected)
    assert without.head is None
    with pytest.raises(InputError, match="without labels"):
        without.infer(torch.zeros(1, 6), torch.zeros(1, 6))


def test_features_of_inference_are_the_papers():
    model = _model()
    first, second = torch.randn(3, 6), torch.randn(3, 6)
    features = torch.cat([first, second, (first - second).abs(), first * second], 1)
    torch.testing.assert_close(model.infer(first, second), model.head(features))
    assert model.head[0].in_features == 24


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"layers": [8, 6], "replies": [5]}, "expected 6 units"),
        ({"encoder": "transformer", "dimensions": 9, "heads": 2, "layers": [6], "replies": [6]}, "2 heads divide"),
    ],
)
def test_sizes_that_do_not_fit_are_an_error(sizes, message):
    with pytest.raises(InputError, match=message):
        ConversationEncoder(WORDS, **sizes)
