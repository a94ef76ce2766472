"""Every trained model keeps to its device: nothing is moved or read in passing, and shapes need no numbers."""

import numpy as np
import pytest
import torch

from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.likelihood import bracket_likelihood
from repline.systems.bracket_rnn.model import BracketRNN
from repline.systems.hrrlm.chunk_model import ChunkHRRLM, chunks_of
from repline.systems.hrrlm.model import HRRLM, TiedLSTM
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.systems.lstm_memorization.training import middle_token_loss, recall
from repline.systems.rrnet import math_expressions, propositional_logic
from repline.systems.rrnet.language_model import RRNetLanguageModel
from repline.systems.rrnet.tasks import ExpressionEvaluator, RelationClassifier
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.systems.urn.training import next_character_loss, number_loss
from repline.training.language_models import language_modeling_loss, negative_log_likelihood
from tests.training.pretend_device import DEVICE, OnDevice, PretendDevice, on_device

WORDS = [f"w{number}" for number in range(20)]
IDS = torch.randint(0, 20, (3, 9), generator=torch.Generator().manual_seed(0))
FIRST = torch.tensor(True)
LANGUAGE_MODELS = {
    "awd lstm": lambda: AWDLSTM(20, embedding=8, units=12, layers=2, word_dropout=0.1, alpha=1.0),
    "bracket rnn": lambda: BracketRNN(20, embedding=8, units=12, layers=2, merge_units=16, predict=True),
    "bracket rnn B": lambda: BracketRNN(20, embedding=8, units=8, layers=1, variant="B", attention=True),
    "hrrlm": lambda: HRRLM(WORDS, dimensions=16, width=8, layers=1),
    "tied": lambda: TiedLSTM(WORDS, dimensions=16, layers=1),
    "rrnet": lambda: RRNetLanguageModel(WORDS, embedding=8, units=8),
    "rrnet recur": lambda: RRNetLanguageModel(WORDS, embedding=8, units=8, kind="recur"),
    "rrnet lstm": lambda: RRNetLanguageModel(WORDS, embedding=8, units=8, kind="lstm"),
}
READERS = {
    "urn": lambda: URN(WORDS, WORDS, 8, 3),
    "full urn": lambda: URN(WORDS, WORDS, 8),
    "matrices": lambda: UnconstrainedRecurrence(WORDS, WORDS, 8, 0.05),
    "lstm": lambda: LSTMReader(WORDS, WORDS, 8, 8, 0.05),
}


def bracketed():
    ids = IDS.clone()
    ids[:, 1], ids[:, 3], ids[:, 5], ids[:, 8] = 20, 20, 21, 21
    return ids


def test_the_pretend_device_behaves_as_a_gpu():
    with PretendDevice():
        x = on_device(torch.ones(3))
        assert x.device == DEVICE and isinstance(torch.zeros(2, device=x.device), OnDevice)
        assert isinstance(x.new_zeros(2) + 1, OnDevice) and not isinstance(x.cpu(), OnDevice)
        assert x.cpu().numpy().sum() == float(x.sum()) == 3
        for wrong in (lambda: x + torch.ones(3), lambda: x.numpy(), lambda: np.asarray(x), lambda: (x * 2).numpy()):
            with pytest.raises((TypeError, RuntimeError), match="device"):
                wrong()


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_language_models(name):
    model = LANGUAGE_MODELS[name]()
    ids = bracketed() if name.startswith("bracket") else IDS
    targets = torch.where(ids < 20, ids, -100)
    with PretendDevice():
        batch = on_device((ids, targets, FIRST))
        loss = language_modeling_loss()
        for part in (on_device(model).train(), model.eval()):
            value, words, _ = loss(part, batch)
            assert isinstance(value, OnDevice) and isinstance(words, OnDevice)
            loss(part, on_device((ids, targets, ~FIRST)))  # with the state carried
            loss(part, on_device((IDS, IDS, ~FIRST)))  # also from brackets into text without
        nats = negative_log_likelihood(model)((ids, targets, FIRST))  # loaders give batches of the CPU
        assert isinstance(nats, OnDevice) and nats.shape == ((ids < 20).sum(),)


@pytest.mark.parametrize("name", READERS)
def test_readers(name):
    with PretendDevice():
        model = on_device(READERS[name]().train())
        assert isinstance(next_character_loss(model, on_device((IDS % 12,))), OnDevice)
        batch = on_device((IDS, torch.tensor([9, 4, 6]), torch.tensor([0, 1, 1])))
        assert isinstance(number_loss(model.eval(), batch), OnDevice)


@pytest.mark.parametrize("name", ["awd lstm", "hrrlm", "tied", "rrnet lstm"])
def test_shapes_of_language_models_without_numbers(name):
    with torch.device("meta"):
        model = LANGUAGE_MODELS[name]().train()
        hidden, _ = model(torch.empty(3, 9, dtype=torch.long), model.initial_state(3))
        logits = model.decode(hidden)
    assert logits.shape == (3, 9, 20) and logits.device.type == "meta"
    logits.sum().backward()
    assert all(parameter.device.type == "meta" for parameter in model.parameters())


def test_shapes_of_a_reader_without_numbers():
    """The others ask which symbols there are, which needs numbers."""
    with torch.device("meta"):
        logits = READERS["lstm"]().eval()(torch.empty(3, 9, dtype=torch.long))
    assert logits.shape == (3, 9, 20) and logits.device.type == "meta"


def test_bracketed_text_is_measured_where_the_model_is():
    model = LANGUAGE_MODELS["bracket rnn"]()
    targets = torch.where(bracketed() < 20, bracketed(), -100)
    with PretendDevice():
        nats, _ = bracket_likelihood(on_device(model).eval(), 20)((bracketed(), targets, FIRST))
        assert isinstance(nats, OnDevice)


def test_the_middle_token():
    with PretendDevice():
        model = on_device(MiddleTokenLSTM(20, 8, 1.0))
        assert isinstance(middle_token_loss(model, on_device((IDS,))), OnDevice)
        accuracy, loss = recall(model, IDS)
        assert 0 <= accuracy <= 1 and loss > 0


def test_chunks():
    number = torch.tensor([[-1, 0, 0, 1, 2, -1], [-1, 0, 1, 1, 2, 3]])
    with PretendDevice():
        model = on_device(ChunkHRRLM(WORDS, dimensions=16, width=8, layers=1).train())
        chunks = chunks_of(*on_device((number, number.clamp(min=0))))
        hidden, fillers = model(on_device(IDS[:2, :6]), chunks)
        assert isinstance(hidden, OnDevice) and isinstance(model.next_chunk_scores(fillers, chunks)[0], OnDevice)


@pytest.mark.parametrize("encoder", ["lstm", "brackets", "imitated", "random", "learned", "recur", "transformer"])
def test_expressions(encoder):
    symbols = list(math_expressions.ALPHABET)
    text = "((1+2)-3)"
    ids = torch.tensor([[symbols.index(symbol) for symbol in text]] * 2)
    lengths, values = torch.tensor([len(text)] * 2), torch.tensor([0, 0])
    with PretendDevice():
        model = on_device(ExpressionEvaluator(symbols, 8, 8, encoder, "merge", 0, 0).train())
        assert isinstance(model(*on_device((ids, lengths, values)))[0], OnDevice)
        assert isinstance(model.eval().predict(*on_device((ids, lengths)))[0], OnDevice)


@pytest.mark.parametrize("encoder", ["lstm", "brackets", "learned", "tree_lstm"])
def test_relations(encoder):
    words = propositional_logic.WORDS
    formula = [words.index(word) for word in ("(", "a", "(", "and", "b", ")", ")") if word in words]
    ids, lengths = torch.tensor([[formula] * 2] * 2), torch.full((2, 2), len(formula))
    with PretendDevice():
        model = on_device(RelationClassifier(words, propositional_logic.RELATIONS, 8, 8, encoder, "merge", 0).train())
        assert isinstance(model(*on_device((ids, lengths)))[0], OnDevice)
