"""Custom autograd functions and the models that use them, under autocast to bfloat16: near what float32 gives."""

from contextlib import nullcontext

import pytest
import torch

from repline.algebra.circular_convolution import bind, unbind
from repline.layers.linear_cross_entropy import linear_cross_entropy
from repline.layers.stacked_state import StackedState
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.model import BracketRNN
from repline.systems.hrrlm.model import HRRLM, TiedLSTM
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.systems.lstm_memorization.training import middle_token_loss
from repline.systems.rrnet.language_model import RRNetLanguageModel
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.systems.urn.training import next_character_loss
from repline.training.half_precision import LSTMInFloat32, has_bfloat16_lstm
from repline.training.language_models import language_modeling_loss

WORDS = [f"w{number}" for number in range(20)]


def autocast():
    return torch.autocast("cpu", dtype=torch.bfloat16)


def both(make, backward_inside):
    """Values and gradients in float32, and under autocast, from `make() -> (leaves, loss)`."""
    results = []
    for enabled in (False, True):
        torch.manual_seed(0)
        leaves, loss = make(enabled)
        if enabled and backward_inside:
            with autocast():
                loss.backward()
        else:
            loss.backward()
        results.append((float(loss.detach()), [leaf.grad for leaf in leaves if leaf.grad is not None]))
    return results


def near(single, mixed, tolerance):
    (value, gradients), (half, of_half) = single, mixed
    assert half == pytest.approx(value, rel=tolerance)
    assert len(gradients) == len(of_half) > 0
    flat, flat_half = (torch.cat([part.flatten().double() for part in parts]) for parts in (gradients, of_half))
    assert all(part.dtype == torch.float32 for part in of_half)
    assert float((flat - flat_half).norm() / flat.norm()) < tolerance


@pytest.mark.parametrize("inside", [False, True], ids=["after", "inside"])
@pytest.mark.parametrize("name", ["bind", "unbind", "linear_cross_entropy", "stack"])
def test_functions(name, inside):
    weight = torch.randn(8, 8, generator=torch.Generator().manual_seed(1))

    def make(enabled):
        x, y, bias = (torch.randn(*size).requires_grad_() for size in ((5, 8), (8, 8), (8,)))
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=enabled):
            product = x @ weight  # bfloat16 under autocast
            assert product.dtype == (torch.bfloat16 if enabled else torch.float32)
            if name == "linear_cross_entropy":
                return (x, y, bias), linear_cross_entropy(product, y, bias, torch.arange(5))
            if name == "stack":
                stack = StackedState(5, 2, 8, like=x)
                stack.push(torch.arange(5) < 3, product)
                return (x,), stack.pop(torch.arange(5) < 2).float().square().sum()
            return (x, y), {"bind": bind, "unbind": unbind}[name](product, y[:5]).float().square().sum()

    near(*both(make, inside), tolerance=0.03)


def language_model(model):
    ids = torch.randint(0, 20, (3, 9))
    return language_modeling_loss()(model, (ids, ids.roll(-1, 1), torch.tensor(True)))[0]


def bracketed(model):
    ids = torch.randint(0, 20, (3, 9))
    ids[:, 1], ids[:, 3], ids[:, 5], ids[:, 8] = 20, 20, 21, 21
    targets = torch.where(ids < 20, ids, -100)
    return language_modeling_loss()(model, (ids, targets, torch.tensor(True)))[0]


def characters(model):
    return next_character_loss(model, (torch.randint(0, 20, (3, 9)),))


MODELS = {
    "urn": (lambda: URN(WORDS, WORDS, 8, 3), characters),
    "full urn": (
        lambda: URN(WORDS, WORDS, 8),
        characters,
    ),
    "matrices": (
        lambda: UnconstrainedRecurrence(WORDS, WORDS, 8, 0.0),
        characters,
    ),
    "reader": (
        lambda: LSTMReader(WORDS, WORDS, 8, 8, 0.0),
        characters,
    ),
    "awd lstm": (lambda: AWDLSTM(20, embedding=8, units=12, layers=2), language_model),
    "bracket rnn": (lambda: BracketRNN(20, embedding=8, units=12, layers=2, merge_units=16), bracketed),
    "bracket rnn B": (lambda: BracketRNN(20, embedding=8, units=8, layers=1, variant="B", attention=True), bracketed),
    "hrrlm": (lambda: HRRLM(WORDS, dimensions=16, width=8, layers=1, dropout=0.0), language_model),
    "tied": (lambda: TiedLSTM(WORDS, dimensions=16, layers=1, dropout=0.0), language_model),
    "rrnet recur": (
        lambda: RRNetLanguageModel(WORDS, embedding=8, units=8, kind="recur", dropout_input=0.0, dropout_output=0.0),
        language_model,
    ),
    "rrnet lstm": (
        lambda: RRNetLanguageModel(WORDS, embedding=8, units=8, kind="lstm", dropout_input=0.0, dropout_output=0.0),
        language_model,
    ),
    "middle token": (
        lambda: MiddleTokenLSTM(20, 8, 1.0),
        lambda model: middle_token_loss(model, (torch.randint(0, 20, (4, 5)),)),
    ),
}


needs_bfloat16_lstm = pytest.mark.skipif(not has_bfloat16_lstm(), reason="this processor has no bfloat16 LSTM")


@pytest.mark.parametrize("lstm", [pytest.param("bfloat16", marks=needs_bfloat16_lstm), "float32"])
@pytest.mark.parametrize("inside", [False, True], ids=["after", "inside"])
@pytest.mark.parametrize("name", MODELS)
def test_models(name, inside, lstm):
    build, loss = MODELS[name]

    def make(enabled):
        model = build().train()
        torch.manual_seed(1)
        with (
            LSTMInFloat32() if lstm == "float32" else nullcontext(),
            torch.autocast("cpu", dtype=torch.bfloat16, enabled=enabled),
        ):
            return list(model.parameters()), loss(model)

    near(*both(make, inside), tolerance=0.1)
