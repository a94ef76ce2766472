"""Custom autograd functions and the models that use them, under autocast to bfloat16: near what float32 gives."""

import pytest
import torch

from repline.algebra.circular_convolution import bind, unbind
from repline.evaluation.classification.peer_networks import HAN, RecurrentClassifier, TextCNN
from repline.evaluation.classification.training import label_loss
from repline.layers import sru
from repline.layers.linear_cross_entropy import linear_cross_entropy
from repline.layers.stacked_state import StackedState
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.model import BracketRNN
from repline.systems.definition_nli.model import DefinitionNLI
from repline.systems.hcan.model import HCAN, MAX_UNFUSED_LENGTH
from repline.systems.hrrlm.model import HRRLM, TiedLSTM
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.systems.lstm_memorization.training import middle_token_loss
from repline.systems.name_typing.model import SeparatePerceptrons, SharedPerceptron
from repline.systems.name_typing.training import type_loss
from repline.systems.rrnet.language_model import RRNetLanguageModel
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.systems.urn.training import next_character_loss
from repline.training.half_precision import ATTENTION, LSTM, InFloat32, supported_kernels
from repline.training.language_models import language_modeling_loss
from tests.training.pretend_device import PretendDevice, on_device

CPU = torch.device("cpu")
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


def documents(model):
    length = MAX_UNFUSED_LENGTH + 6
    ids = torch.randint(2, 22, (3, 4, 5) if model.hierarchical else (3, length))
    ids[0, 2:], ids[1, ..., -2:] = 0, 0
    return label_loss(model, (ids, torch.tensor([0, 1, 1])))


def pairs_with_definitions(kind, weights=7):
    model = DefinitionNLI(["no", "yes"], WORDS, 8, kind, weights, dropout=0.0)
    model.begin(torch.randn(20, 8), torch.arange(20) % 2 == 0)
    model.define({"w1": ["w3", "w4"], "w2": ["w5"], "w4": ["w6", "w7", "w1"]})
    return model


def pairs(model):
    sentences = torch.tensor([[1, 2, 3, 4], [2, 6, 5, 0], [5, 8, 3, 0], [9, 3, 0, 0]])
    return torch.nn.functional.cross_entropy(model(sentences), torch.tensor([0, 1]))


def names(model):
    return type_loss(model, (torch.randn(7, 6), torch.randint(0, 2, (7, 3)).float()))


MODELS = {
    "hcan": (lambda: HCAN("ab", WORDS, 6, 4, 5, size=8, heads=2, dropout=0.0), documents),
    "hcan, joint": (
        lambda: HCAN("ab", WORDS, 6, 4, 5, size=8, heads=2, dropout=0.0, norm="joint", values="sequence"),
        documents,
    ),
    "hcan, maximum": (lambda: HCAN("ab", WORDS, 6, 4, 5, size=8, heads=2, dropout=0.0, pooling="maxpool"), documents),
    "hcan, flat": (lambda: HCAN("ab", WORDS, 6, 4, 25, size=8, heads=2, dropout=0.0, flat=True), documents),
    "han": (lambda: HAN("ab", WORDS, 6, 4, 5, units=4, hidden=8, dropout=0.0), documents),
    "gru": (lambda: RecurrentClassifier("ab", WORDS, 6, 4, 25, units=4, dropout=0.0), documents),
    "cnn": (lambda: TextCNN("ab", WORDS, 6, 4, 25, filters=4, dropout=0.0), documents),
    "esim": (lambda: pairs_with_definitions("esim"), pairs),
    "bdn": (lambda: pairs_with_definitions("bdn"), pairs),
    "definitions": (lambda: pairs_with_definitions("proposed"), pairs),
    "definitions without attention": (lambda: pairs_with_definitions("proposed", 1), pairs),
    "perceptrons": (lambda: SeparatePerceptrons(6, 3, 8), names),
    "perceptron": (lambda: SharedPerceptron(6, 3, 8), names),
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


@pytest.mark.parametrize("kernels", ["of this processor", "in float32"])
@pytest.mark.parametrize("inside", [False, True], ids=["after", "inside"])
@pytest.mark.parametrize("name", MODELS)
def test_models(name, inside, kernels):
    build, loss = MODELS[name]

    def make(enabled):
        model = build().train()
        torch.manual_seed(1)
        with (
            supported_kernels("bf16-mixed", CPU) if kernels == "of this processor" else InFloat32(LSTM, ATTENTION),
            torch.autocast("cpu", dtype=torch.bfloat16, enabled=enabled),
        ):
            return list(model.parameters()), loss(model)

    near(*both(make, inside), tolerance=0.1)


def test_the_recurrence_of_other_devices_takes_both_precisions():
    products, skip = torch.randn(2, 3, 2, 4, 5).bfloat16(), torch.randn(2, 3, 2, 5).bfloat16()
    bias = torch.randn(2, 2, 5)
    on_cpu = sru.recurrence(products.float(), bias, skip.float())
    with PretendDevice():
        elsewhere = sru.recurrence(*on_device((products, bias, skip)))
    torch.testing.assert_close(elsewhere.as_subclass(torch.Tensor), on_cpu)
