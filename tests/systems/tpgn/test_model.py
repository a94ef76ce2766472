"""Both subnets as one recurrence, compared with the equations of the paper word for word."""

import pytest
import torch
from torch import nn
from torch.nn.functional import one_hot

from repline.pretrained import pretrained
from repline.systems.tpgn.corpus import IGNORED
from repline.systems.tpgn.decoding import generate
from repline.systems.tpgn.model import TPGN, CaptionLSTM, matched_units, parameter_count
from repline.systems.tpgn.training import CaptionLoss

V, N, E, D = 11, 6, 5, 3  # words, features, numbers of a word's vector, d


def _model(kind=TPGN, seed=0, dtype=torch.float64, **knobs):
    torch.manual_seed(seed)
    model = kind(V, N, E, D, **knobs)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.5)
    model.mean.copy_(torch.randn(N))
    return model.to(dtype).eval()


def _inputs(batch=4, steps=5, dtype=torch.float64, seed=1):
    generator = torch.Generator().manual_seed(seed)
    words = torch.randint(V, (batch, steps), generator=generator)
    return words, torch.randn(batch, N, generator=generator).to(dtype)


def as_printed(model, words, features):
    """Equations 3 to 18, step by step, with the d^2 x d^2 matrix: p(x_t) [B, T, V]."""
    states = []
    for row, v in zip(words, features, strict=True):
        structure = (model.first.weight @ (v - model.mean) + model.first.bias).view(D, D)
        c1, p, c2 = torch.zeros(D, D, dtype=v.dtype), torch.zeros(D, dtype=v.dtype), torch.zeros(D, dtype=v.dtype)
        steps = []
        for word in row:
            e = model.embedding.weight.T @ one_hot(word, V).to(v.dtype)
            z1 = [
                model.W1[a] @ p + model.sign * model.D1[a] @ e + model.U1[a] @ structure.flatten() + model.b1[a]
                for a in range(4)
            ]
            z2 = [
                structure @ model.w2[a, 0] + model.sign * model.D2[a] @ e + model.U2[a] @ p + model.b2[a]
                for a in range(4)
            ]
            i1, f1, g1, o1 = (part.view(D, D) for part in z1)
            i2, f2, g2, o2 = z2
            c1 = f1.sigmoid() * c1 + i1.sigmoid() * g1.tanh()
            c2 = f2.sigmoid() * c2 + i2.sigmoid() * g2.tanh()
            structure, p = o1.sigmoid() * c1.tanh(), o2.sigmoid() * c2.tanh()
            u = torch.tanh(model.unbinding.weight @ p + model.unbinding.bias)
            f = torch.kron(torch.eye(D, dtype=v.dtype), structure) @ u
            if model.project is not None:
                f = model.project.weight @ f
            steps.append((model.output.weight @ f + model.output.bias).softmax(0))
        states.append(torch.stack(steps))
    return torch.stack(states)


@pytest.mark.parametrize("output", ["free", "tied"])
@pytest.mark.parametrize("sign", ["minus", "plus"])
def test_one_recurrence_is_both_subnets(output, sign):
    model = _model(output=output, sign=sign)
    words, features = _inputs()
    hidden, _ = model(words, model.begin(features))
    torch.testing.assert_close(model.log_probabilities(hidden).exp(), as_printed(model, words, features))


def test_word_by_word_is_the_same():
    model = _model()
    words, features = _inputs()
    whole, last = model(words, model.begin(features))
    state, weights = model.begin(features), model.weights()
    for column, expected in zip(words.T, whole.unbind(1), strict=True):
        hidden, state = model(column[:, None], state, weights)
        torch.testing.assert_close(hidden[:, 0], expected)
    torch.testing.assert_close(state, last)


def test_parameters_of_the_papers_sizes():
    model = TPGN(8791, 2048, 25, 25)
    model.embedding.weight.requires_grad_(False)
    assert parameter_count(model) == 8_495_241
    assert model.embedding.weight.numel() == 219_775


def test_the_lstm_is_as_large():
    for sizes, d, frozen in (((2507, 1000, 64), 16, False), ((8791, 2048, 25), 25, True), ((116, 257, 32), 10, False)):
        parameters_of_tpgn = parameter_count(TPGN(*sizes, d)) - (sizes[0] * sizes[2] if frozen else 0)
        units = matched_units(parameters_of_tpgn, *sizes, frozen)
        difference_of_units = {}
        for lstm_units in (units - 1, units, units + 1):
            model = CaptionLSTM(*sizes, lstm_units)
            model.embedding.weight.requires_grad_(not frozen)
            difference_of_units[lstm_units] = abs(parameter_count(model) - parameters_of_tpgn)
        assert min(difference_of_units, key=difference_of_units.get) == units
        assert difference_of_units[units] / parameters_of_tpgn < 0.01


def test_without_the_other_subnet_s_is_a_plain_lstm():
    model = _model()
    nn.init.zeros_(model.W1), nn.init.zeros_(model.D1)
    words, features = _inputs()
    cell = nn.LSTMCell(1, D * D, dtype=torch.float64)
    with torch.no_grad():
        cell.weight_hh.copy_(model.U1.flatten(0, 1))
        cell.bias_ih.copy_(model.b1.flatten())
        cell.bias_hh.zero_()
    h = model.begin(features).hidden[:, : D * D]
    c, hidden = torch.zeros_like(h), model(words, model.begin(features))[0]
    for step in range(words.shape[1]):
        h, c = cell(torch.zeros(len(h), 1, dtype=torch.float64), (h, c))
        torch.testing.assert_close(hidden[:, step, : D * D], h)


def test_the_mean_picture_begins_with_the_bias_alone():
    model = _model()
    state = model.begin(model.mean.expand(2, N))
    torch.testing.assert_close(state.hidden[:, : D * D], model.first.bias.expand(2, -1))
    assert state.hidden[:, D * D :].abs().max() == 0 == state.cell.abs().max()


def test_the_sign_of_d_changes_nothing_but_its_name():
    minus, words_and_features = _model(sign="minus"), _inputs()
    plus = _model(sign="plus")
    plus.load_state_dict(minus.state_dict())
    with torch.no_grad():
        plus.D1.neg_(), plus.D2.neg_()
    states = [model(words_and_features[0], model.begin(words_and_features[1]))[0] for model in (minus, plus)]
    assert torch.equal(*states)


def test_bounds():
    model = _model()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=5.0)
    words, features = _inputs(steps=9)
    hidden, _ = model(words, model.begin(features))
    assert model.structure(hidden).abs().max() <= 1 and model.readout(hidden).abs().max() <= 1
    assert model.predictors(hidden).abs().max() <= D


@pytest.mark.parametrize("kind", [TPGN, CaptionLSTM])
def test_no_word_is_seen_before_it_comes(kind):
    model = _model(kind)
    words, features = _inputs()
    changed = words.clone()
    changed[:, 3:] = (changed[:, 3:] + 1) % V
    before, after = (model(read, model.begin(features))[0] for read in (words, changed))
    torch.testing.assert_close(before[:, :3], after[:, :3])
    assert (before[:, 3:] - after[:, 3:]).abs().amax((1, 2)).min() > 1e-6


@pytest.mark.parametrize("kind", [TPGN, CaptionLSTM])
def test_padding_changes_no_loss(kind):
    model = _model(kind, dtype=torch.float32)
    words, features = _inputs(dtype=torch.float32)
    words[0, 3:] = IGNORED
    loss, rows = CaptionLoss(features.numpy()), torch.arange(len(words))
    short, number = loss(model, (words, rows))
    long, same = loss(model, (nn.functional.pad(words, (0, 6), value=IGNORED), rows))
    assert number == same == 4 * 4 - 2
    torch.testing.assert_close(short, long)


@pytest.mark.parametrize("kind", [TPGN, CaptionLSTM])
def test_gradients_are_those_of_differences(kind):
    model = _model(kind)
    words, features = _inputs(batch=2, steps=4)
    probe = _Probe(model, words)
    names, values = zip(
        *((name, value.detach().requires_grad_()) for name, value in probe.named_parameters()), strict=True
    )

    def total(*values):
        return torch.func.functional_call(probe, dict(zip(names, values, strict=True)), (features,))

    assert torch.autograd.gradcheck(total, values, rtol=1e-5, atol=1e-8)


class _Probe(nn.Module):
    """The loss of fixed words."""

    def __init__(self, model, words):
        super().__init__()
        self.model, self.words = model, words

    def forward(self, features):
        hidden, _ = self.model(self.words[:, :-1], self.model.begin(features))
        scores = self.model.log_probabilities(hidden)
        return -scores.gather(2, self.words[:, 1:, None]).mean()


@pytest.mark.parametrize("kind", [TPGN, CaptionLSTM])
def test_pictures_of_equal_features_have_one_caption(kind):
    model = _model(kind, dtype=torch.float32)
    features = torch.randn(3, N)[[0, 1, 0, 2, 1]].numpy()
    captions = generate(model, features, torch.arange(5).numpy(), longest=6)
    assert captions[0] == captions[2] and captions[1] == captions[4]


def test_saved_and_read_again(tmp_path):
    for kind, knobs in ((TPGN, {"output": "tied"}), (CaptionLSTM, {})):
        model = _model(kind, dtype=torch.float32, **knobs)
        model.save_pretrained(tmp_path / kind.__name__)
        loaded = pretrained(kind, tmp_path / kind.__name__)
        words, features = _inputs(dtype=torch.float32)
        assert torch.equal(*(network(words, network.begin(features))[0] for network in (model, loaded)))
        assert loaded.mean.equal(model.mean)
