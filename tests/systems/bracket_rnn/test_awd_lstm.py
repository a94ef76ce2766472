"""AWD-LSTM: parameter counts, the plain LSTM that it is without regularisers, and what each regulariser does."""

import pytest
import torch
from torch import nn
from torch.nn.functional import linear

from repline.systems.bracket_rnn.awd_lstm import AWDLSTM


def _model(**options):
    torch.manual_seed(0)
    return AWDLSTM(**({"vocabulary": 20, "embedding": 8, "units": 12, "layers": 2} | options))


def _inputs(batch=3, steps=6):
    return torch.randint(0, 20, (batch, steps), generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize(
    ("sizes", "parameters"),
    [
        ({"embedding": 400, "units": 400, "layers": 1}, 5_293_200),
        ({"embedding": 400, "units": 1150, "layers": 3}, 24_221_600),
        ({"embedding": 650, "units": 650, "layers": 2}, 10_000 * 650 + 10_000 + 2 * (8 * 650 * 650 + 8 * 650)),
    ],
)
def test_parameter_counts(sizes, parameters):
    with torch.device("meta"):
        model = AWDLSTM(10_000, **sizes)
    assert sum(parameter.numel() for parameter in model.parameters()) == parameters


def test_without_regularisers_it_is_the_tied_lstm():
    model, inputs = _model(), _inputs()
    values, state = model.embedding[inputs], []
    for layer in model.layers:
        values, (h, c) = nn.LSTM.forward(layer, values.transpose(0, 1))
        values = values.transpose(0, 1)
        state.append((h[0], c[0]))
    for mode in (True, False):
        hidden, new = model.train(mode)(inputs, model.initial_state(3))
        torch.testing.assert_close(hidden, values)
        torch.testing.assert_close(new, tuple(state))
        torch.testing.assert_close(model.decode(hidden), linear(values, model.embedding) + model.bias)
    assert model.penalty() == 0


def test_the_state_carries_on():
    model, inputs = _model().eval(), _inputs(steps=9)
    whole, last = model(inputs, model.initial_state(3))
    first, state = model(inputs[:, :4], model.initial_state(3))
    second, end = model(inputs[:, 4:], state)
    torch.testing.assert_close(torch.cat([first, second], 1), whole)
    torch.testing.assert_close(end, last)
    assert [part[0].shape for part in end] == [(3, 12), (3, 8)]


def test_regularisers_do_nothing_in_evaluation():
    rates = dict.fromkeys(("weight_dropout", "input_dropout", "hidden_dropout", "output_dropout", "word_dropout"), 0.5)
    plain, regular, inputs = _model().eval(), _model(**rates, alpha=2, beta=1), _inputs()
    expected = plain(inputs, plain.initial_state(3))[0]
    torch.testing.assert_close(regular.eval()(inputs, regular.initial_state(3))[0], expected, rtol=0, atol=0)
    assert regular.penalty() == 0
    for name, rate in rates.items():
        regularised = _model(**{name: rate}).train()
        assert not torch.allclose(regularised(inputs, regularised.initial_state(3))[0], expected)


def test_dropout_masks_last_a_whole_sequence():
    model = _model(output_dropout=0.5).train()
    hidden, _ = model(_inputs(steps=30), model.initial_state(3))
    dropped = hidden == 0  # [B, T, d]
    assert dropped.any()
    assert torch.equal(dropped.all(1), dropped.any(1))
    assert not torch.equal(dropped[0, 0], dropped[1, 0])


def test_words_are_dropped_whole():
    model = _model(word_dropout=0.5).train()
    inputs = torch.arange(20)[None].repeat(2, 1)
    vectors = model.embed(inputs)
    gone = (vectors == 0).all(-1)
    assert gone.any()
    assert torch.equal(gone[0], gone[1])  # the same words wherever they stand
    torch.testing.assert_close(vectors[0][~gone[0]], 2 * model.embedding[~gone[0]])


def test_dropped_recurrent_weights_are_still_trained():
    model = _model(weight_dropout=0.5).train()
    hidden, _ = model(_inputs(), model.initial_state(3))
    hidden.sum().backward()
    for layer in model.layers:
        gradient = layer.weight_hh_l0.grad
        assert 0.2 < float((gradient == 0).float().mean()) < 0.8
        assert layer.weight_ih_l0.grad.abs().sum() > 0


def test_the_penalty_is_that_of_the_last_batch():
    model = _model(layers=1, alpha=2.0, beta=1.0).train()
    hidden, _ = model(_inputs(), model.initial_state(3))
    expected = 2 * hidden.square().mean() + (hidden[:, 1:] - hidden[:, :-1]).square().mean()
    torch.testing.assert_close(model.penalty(), expected)
    assert model.penalty() == 0
    model(_inputs(steps=1), model.initial_state(3))
    assert model.penalty() > 0


def test_activations_are_regularised_as_dropped_and_their_changes_as_they_are():
    model = _model(layers=2, alpha=2.0, beta=1.0, output_dropout=0.5)
    raw, _ = model.eval()(_inputs(), model.initial_state(3))
    hidden, _ = model.train()(_inputs(), model.initial_state(3))
    assert not torch.equal(hidden, raw)
    expected = 2 * hidden.square().mean() + (raw[:, 1:] - raw[:, :-1]).square().mean()
    torch.testing.assert_close(model.penalty(), expected)


def test_every_parameter_gets_a_gradient_and_a_bound():
    model = _model(tied=False, uniform=0.05)
    assert model.decoder.shape == (20, 12)
    assert all(parameter.abs().max() <= 0.05 for parameter in model.parameters())
    hidden, _ = model(_inputs(), model.initial_state(3))
    model.decode(hidden).logsumexp(-1).sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_it_is_saved_and_read_back(tmp_path):
    model = _model(tied=True, output_dropout=0.1)
    model.save_pretrained(tmp_path)
    again = AWDLSTM.from_pretrained(tmp_path).eval()
    inputs = _inputs()
    torch.testing.assert_close(
        again(inputs, again.initial_state(3))[0], model.eval()(inputs, model.initial_state(3))[0], rtol=0, atol=0
    )
    assert again.output_dropout == 0.1
