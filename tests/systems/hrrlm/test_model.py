"""The word level: the identities that make the model one product a step, and what its variants promise."""

import copy

import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy, linear

from repline.algebra.circular_convolution import bind, unbind
from repline.systems.hrrlm.model import HRRLM, TiedLSTM, isometric_distance

WORDS = [f"w{number}" for number in range(30)]
SIZE = {"dimensions": 24, "layers": 2, "dropout": 0.0}


def _model(seed=0, **options):
    torch.manual_seed(seed)
    return HRRLM(WORDS, **(SIZE | {"width": 11} | options))


def _ids(*size, seed=1):
    return torch.randint(0, len(WORDS), size, generator=torch.Generator().manual_seed(seed))


def _loss(model, inputs, targets):
    hidden, _ = model(inputs, model.initial_state(len(inputs)))
    return cross_entropy(model.decode(hidden).flatten(0, 1), targets.flatten()) + model.penalty()


def test_scores_are_those_of_a_tied_softmax_with_the_composite_vectors():
    model = _model().eval()
    outputs, _, _ = model.read(_ids(3, 5), model.initial_state(3))
    hidden, _ = model(_ids(3, 5), model.initial_state(3))
    torch.testing.assert_close(
        model.decode(hidden), linear(outputs, model.word_vectors(), model.bias), atol=1e-5, rtol=0
    )


@pytest.mark.parametrize(("step", "second"), [(0, 0.0), (3, 0.3), (10, 1.0), (25, 1.0)])
def test_scores_factorise_over_the_fillers_with_their_alpha(step, second):
    model = _model(annealing=10).eval()
    model.step.fill_(step)
    torch.testing.assert_close(model.alpha(), torch.tensor([1.0, second]))
    outputs, _, _ = model.read(_ids(3, 5), model.initial_state(3))
    hidden, _ = model(_ids(3, 5), model.initial_state(3))
    expected = sum(
        alpha * unbind(role, outputs) @ model.filler_vectors(position).mT
        for position, (alpha, role) in enumerate(zip((1.0, second), model.roles, strict=True))
    )
    torch.testing.assert_close(model.decode(hidden), expected + model.bias, atol=1e-5, rtol=0)


def test_the_composite_is_the_sum_of_the_bindings():
    model = _model(fillers=3, width=7)
    expected = sum(bind(model.roles[position], model.filler_vectors(position)) for position in range(3))
    torch.testing.assert_close(model.word_vectors(), expected, atol=1e-5, rtol=0)


def test_one_filler_that_spans_the_space_is_the_tied_lstm():
    first = HRRLM(WORDS, fillers=1, width=24, **SIZE)
    tied = TiedLSTM(WORDS, **SIZE)
    with torch.no_grad():
        first.roles.copy_(torch.eye(24)[:1])
        first.fillers.copy_(torch.eye(24)[None])
        tied.embedding.copy_(first.coefficients)
    tied.lstm.load_state_dict(first.lstm.state_dict())
    losses = [_loss(model, _ids(4, 6), _ids(4, 6, seed=2)) for model in (first, tied)]
    torch.testing.assert_close(losses[0], losses[1], atol=1e-6, rtol=0)
    for loss in losses:
        loss.backward()
    torch.testing.assert_close(first.coefficients.grad, tied.embedding.grad, atol=1e-6, rtol=0)
    for ours, theirs in zip(first.lstm.parameters(), tied.lstm.parameters(), strict=True):
        torch.testing.assert_close(ours.grad, theirs.grad, atol=1e-6, rtol=0)


def test_the_isometric_penalty_is_zero_for_orthonormal_columns_and_their_number_for_none():
    assert isometric_distance(torch.linalg.qr(torch.randn(650, 640))[0]) < 1e-3
    assert isometric_distance(torch.zeros(650, 640)) == 640
    model = _model(beta=0.5).requires_grad_(False)
    with torch.no_grad():
        model.roles.copy_(torch.eye(24)[:2])
    assert model.penalty() < 1e-8  # bases start orthonormal
    with torch.no_grad():
        model.fillers.zero_()
    assert model.penalty() == pytest.approx(0.5 * 22)
    with torch.no_grad():
        model.fillers[:] = torch.eye(24)[:, :11]  # both blocks the same: the cross terms count, twice
    assert model.penalty() == pytest.approx(0.5 * 2 * 11)


def test_the_second_filler_gets_no_gradient_from_the_score_at_step_zero():
    model = _model(annealing=10).train()
    outputs, basis, _ = model.read(_ids(2, 4), model.initial_state(2))
    hidden = model.scores_of(outputs.detach(), basis)  # the output path alone
    cross_entropy(model.decode(hidden).flatten(0, 1), _ids(2, 4).flatten()).backward()
    assert not model.coefficients.grad[:, 11:].any()
    assert model.coefficients.grad[:, :11].any()
    model.zero_grad()
    _loss(model, _ids(2, 4), _ids(2, 4, seed=3)).backward()
    assert model.coefficients.grad[:, 11:].any()  # the input path remains


def test_training_counts_the_steps_and_reading_does_not():
    model = _model(annealing=2).train()
    alphas = []
    for _ in range(4):
        alphas.append(float(model.alpha()[1]))
        model(_ids(1, 2), model.initial_state(1))
    assert alphas == [0.0, 0.5, 1.0, 1.0]
    model.eval()(_ids(1, 2), model.initial_state(1))
    assert model.step == 4


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("bases", ["isometric", "fixed"])
def test_number_of_parameters_of_the_embedding(bases, bias):
    model = _model(bases=bases, bias=bias)
    assert model.embedding_parameters() == 30 * 22 + 2 * 24 * 11 + 2 * 24 + 30 * bias
    lstm = sum(weight.numel() for weight in model.lstm.parameters())
    trained = sum(weight.numel() for weight in model.parameters())
    assert trained == lstm + 30 * 22 + 30 * bias + (2 * 24 * 11 + 2 * 24 if bases == "isometric" else 0)


@pytest.mark.parametrize("bases", ["isometric", "fixed"])
def test_only_isometric_bases_are_trained(bases):
    model = _model(bases=bases, dropout=0.3).train()
    before = copy.deepcopy(model.state_dict())
    optimizer = torch.optim.Adam([*model.parameters()], 0.01)
    for seed in range(3):
        optimizer.zero_grad()
        _loss(model, _ids(4, 6, seed=seed), _ids(4, 6, seed=seed + 9)).backward()
        optimizer.step()
    for name in ("roles", "fillers"):
        assert torch.equal(before[name], model.state_dict()[name]) == (bases == "fixed")
    assert not torch.equal(before["coefficients"], model.coefficients)


def test_the_state_carries_what_was_read():
    model = _model().eval()
    ids = _ids(2, 8)
    whole, _ = model(ids, model.initial_state(2))
    first, state = model(ids[:, :5], model.initial_state(2))
    second, _ = model(ids[:, 5:], state)
    torch.testing.assert_close(torch.cat([first, second], 1), whole, atol=1e-6, rtol=0)


@pytest.mark.parametrize("kind", [HRRLM, TiedLSTM])
def test_dropout_falls_on_what_the_layers_read_and_on_what_they_give(kind):
    torch.manual_seed(0)
    model = kind(WORDS, **SIZE | {"dropout": 0.25} | ({"width": 11} if kind is HRRLM else {})).train()
    assert model.lstm.dropout == 0.25  # between the layers
    read = []
    model.lstm.register_forward_pre_hook(lambda _, given: read.append(given[0]))
    embedded = torch.ones(8, 20, 24)
    outputs, _ = model._read(embedded, model.initial_state(8))
    assert (read[0] == 0).float().mean() == pytest.approx(0.25, abs=0.03)
    torch.testing.assert_close(read[0].max(), torch.tensor(1 / 0.75))
    assert (outputs == 0).float().mean() == pytest.approx(0.25, abs=0.03)
    outputs, _ = model.eval()._read(embedded, model.initial_state(8))
    assert (outputs != 0).all() and (read[1] == 1).all()


def test_everything_starts_small_as_in_the_appendix():
    model = _model(initial="uniform")
    assert max(weight.abs().max() for weight in model.parameters()) <= 0.05


@pytest.mark.parametrize("model", [_model(annealing=5), _model(bases="fixed"), TiedLSTM(WORDS, **SIZE)])
def test_saved_and_loaded_models_are_the_same(model, tmp_path):
    if isinstance(model, HRRLM):
        model.step.fill_(3)
    model.eval().save_pretrained(tmp_path)
    loaded = type(model).from_pretrained(tmp_path).eval()
    state = model.initial_state(2)
    assert torch.equal(loaded(_ids(2, 3), state)[0], model(_ids(2, 3), state)[0])
    assert loaded.words == WORDS


def test_subspaces_that_cannot_be_orthogonal():
    with pytest.raises(ValueError, match="2 subspaces of 13 dimensions cannot be orthogonal in 24"):
        _model(width=13)
    assert isinstance(_model(width=13, bases="fixed", initial="uniform"), nn.Module)
    with pytest.raises(ValueError, match="'isometric' or 'fixed'"):
        _model(bases="free")
