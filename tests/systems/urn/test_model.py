"""The Unitary Recurrent Network and its baselines: the sheet's invariants, on random parameters."""

import pytest
import torch

from repline.algebra.orthogonal import parameter_count
from repline.systems.urn import model as urn
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence

SYMBOLS = [chr(ord("a") + index) for index in range(12)]


def _model(k=3, n=50, symbols=SYMBOLS, dropout=0.05, scale=10.0):
    torch.manual_seed(0)
    model = URN(symbols, ["yes", "no"], n=n, k=k, dropout=dropout).eval()
    with torch.no_grad():
        model.embedding *= scale
    return model


@pytest.mark.parametrize(("n", "k", "count"), [(50, 3, 144), (32, 3, 90), (50, None, 1225)])
def test_parameters_per_symbol(n, k, count):
    model = URN(SYMBOLS, ["yes", "no"], n=n, k=k)
    assert model.embedding.shape == (12, count) == (12, parameter_count(n, k))
    assert model.embedding.abs().max() <= 0.05


def test_state_keeps_its_norm_over_a_thousand_symbols():
    for k in (3, None):
        ids = torch.randint(0, 12, (4, 1000), generator=torch.Generator().manual_seed(1))
        norms = _model(k).states(ids).norm(dim=-1)
        assert (norms - 1).abs().max() < 1e-4


def test_state_is_the_product_of_the_matrices_applied_to_e1():
    model = _model()
    word = "abcadel"
    ids = torch.tensor([[model.index[symbol] for symbol in word]])
    state = model.states(ids)[0, -1].double()
    torch.testing.assert_close(state, model.phrase(word)[:, 0], atol=1e-5, rtol=0)
    for symbol in reversed(word):
        state = model.matrix(symbol).mT @ state
    torch.testing.assert_close(state, torch.eye(50)[0].double(), atol=1e-4, rtol=0)


def test_later_symbols_multiply_from_the_left():
    model = _model()
    torch.testing.assert_close(model.phrase("ab"), model.matrix("b") @ model.matrix("a"))
    assert torch.equal(model.phrase(""), torch.eye(50).double())


@pytest.mark.parametrize("training", [False, True])
def test_both_recurrences_agree_with_gradients(monkeypatch, training):
    model = _model().train(training)
    ids = torch.randint(0, 12, (32, 9), generator=torch.Generator().manual_seed(2))
    weight = torch.randn(32, 9, 50)
    results = []
    for few in (64, 0):  # grouped dense products, low-rank updates
        monkeypatch.setattr(urn, "FEW_SYMBOLS", few)
        torch.manual_seed(5)  # the same dropout masks
        states = model.states(ids)
        (gradient,) = torch.autograd.grad((states * weight).sum(), model.embedding)
        results.append((states, gradient))
    torch.testing.assert_close(results[0][0], results[1][0], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(results[0][1], results[1][1], atol=1e-3, rtol=1e-3)


@pytest.mark.parametrize("lengths", [None, torch.tensor([9, 4, 7, 9])])
def test_the_state_that_is_read_is_dropped_alike_after_every_symbol(lengths):
    model, read = _model(k=None, dropout=0.5).train(), []
    model.readout.register_forward_pre_hook(lambda _, given: read.append(given[0]))
    states = torch.randn(4, 9, 50)
    model.states = lambda _: states
    model(torch.zeros(4, 9, dtype=torch.long), lengths)
    whole = states if lengths is None else torch.stack([states[row, length - 1] for row, length in enumerate(lengths)])
    mask = read[0] / whole
    assert set(mask.round(decimals=4).abs().unique().tolist()) == {0, 2}  # the rest is scaled by 1 / (1 - 0.5)
    assert 0.3 < (mask == 0).float().mean() < 0.7
    assert not torch.equal(mask[0], mask[1])
    if lengths is None:
        torch.testing.assert_close(mask, mask[:, :1].expand_as(mask))
    model.eval()(torch.zeros(4, 9, dtype=torch.long), lengths)
    torch.testing.assert_close(read[1], whole)


def test_dropout_keeps_the_matrices_orthogonal_and_the_state_masks_fixed_over_time():
    model = _model(dropout=0.5).train()
    q = model.matrices(model._dropped(model.embedding))
    assert (q.mT @ q - torch.eye(50)).abs().max() < 1e-5
    with torch.no_grad():
        model.embedding.zero_()  # Q = I: the state after t steps is mask^t e_1
    states = model.states(torch.zeros(200, 3, dtype=torch.long))[..., 0]
    alive = states[:, 0] > 0
    assert 60 < alive.sum() < 140
    torch.testing.assert_close(states[alive], torch.tensor([2.0, 4.0, 8.0]).expand(int(alive.sum()), 3))
    assert not states[~alive].any()


def test_a_group_of_sequences_has_its_own_masks_of_the_parameters(monkeypatch):
    model, drawn = _model(k=None, n=8), []
    model.parameter_masks = 2

    def without_the_first_half_of_the_groups(values):
        drawn.append(values)
        return values if len(drawn) > 1 else torch.cat([torch.zeros_like(values[:2]), values[2:]])

    ids = torch.tensor([[0, 3, 0]]).expand(5, 3)
    whole = model.states(ids)
    monkeypatch.setattr(model, "_dropped", without_the_first_half_of_the_groups)
    states = model.train().states(ids)
    assert drawn[0].shape == (4, model.embedding.shape[1])  # two symbols in two groups
    torch.testing.assert_close(drawn[0], model.embedding[[0, 3, 0, 3]])
    torch.testing.assert_close(states[:3], torch.eye(8)[0].expand(3, 3, 8))  # exp(0) moves nothing
    torch.testing.assert_close(states[3:], whole[3:])


@pytest.mark.parametrize(("masks", "groups"), [(1, 1), (4, 4), (100, 8)])
def test_a_batch_has_as_many_masks_as_sequences_at_most(masks, groups):
    model = _model(k=None, n=8, dropout=0.5)
    model.parameter_masks = masks
    ids, drawn = torch.zeros(8, 1, dtype=torch.long), []
    model._dropped = lambda values: drawn.append(values) or values
    model.train().states(ids)
    model.eval().states(ids)
    assert [len(drawn[0]), len(drawn[2])] == [groups, 1]


def test_lengths_read_one_state_and_ignore_what_follows():
    model = _model()
    ids = torch.randint(0, 12, (5, 8), generator=torch.Generator().manual_seed(3))
    lengths = torch.tensor([1, 8, 3, 5, 2])
    everywhere = model(ids)
    read = model(ids, lengths)
    torch.testing.assert_close(read, everywhere[torch.arange(5), lengths - 1], atol=1e-5, rtol=0)
    changed = ids.clone()
    changed[2, 3:] = 0
    torch.testing.assert_close(model(changed, lengths)[2], read[2], atol=1e-5, rtol=0)


def test_unconstrained_recurrence_multiplies_its_matrices():
    torch.manual_seed(0)
    model = UnconstrainedRecurrence(SYMBOLS, ["yes", "no"], n=8).eval()
    state = model.states(torch.tensor([[0, 3, 3]]))[0, -1].double()
    torch.testing.assert_close(state, (model.matrix("d") @ model.matrix("d") @ model.matrix("a"))[:, 0])


@pytest.mark.parametrize(
    "model",
    [
        URN(SYMBOLS, ["yes", "no"], n=8, k=2),
        URN(SYMBOLS, ["yes", "no"], n=8, k=None),
        UnconstrainedRecurrence(SYMBOLS, ["yes", "no"], n=8),
        LSTMReader(SYMBOLS, ["yes", "no"], embedding=4, units=8),
    ],
    ids=lambda model: type(model).__name__,
)
def test_saved_and_loaded_models_are_the_same(model, tmp_path):
    model.eval().save_pretrained(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} >= {"config.json", "model.safetensors"}
    loaded = type(model).from_pretrained(tmp_path).eval()
    ids = torch.randint(0, 12, (3, 6))
    assert torch.equal(loaded(ids), model(ids))
    assert loaded.symbols == SYMBOLS


def test_unknown_and_repeated_symbols():
    with pytest.raises(KeyError):
        _model().matrix("?")
    with pytest.raises(ValueError, match="distinct"):
        URN(["a", "a"], ["yes", "no"])
