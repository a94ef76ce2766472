"""The model that rewrites: its loss, unknown words, and outputs that are held in order."""

import itertools
import math

import pytest
import torch

from repline.corpora.srl.linearisation import MARK, read_target, source_of, target_of
from repline.corpora.srl.propositions import Argument
from repline.errors import InputError
from repline.systems.srl_seq2seq.decoding import decode
from repline.systems.srl_seq2seq.model import END, NOTHING, UNKNOWN, RoleSeq2Seq, sequence_loss
from repline.systems.srl_seq2seq.numbering import numbers, tokens_of

LABELS, WORDS = ["A0", "A1", "V"], ["a", "b", "saw"]
SENTENCE = ["a", "zib", "saw", "a", "zob", "zib"]
ARGUMENTS = [Argument("A0", 0, 1), Argument("V", 2, 2), Argument("A1", 3, 5)]
PAIR = (source_of(SENTENCE, 2), target_of(SENTENCE, ARGUMENTS))
SHORT = (["b", MARK, "saw"], ["(#", "b", "P0:A0)", "(#", "saw", "P0:V)"])


def model(copying=True, **more):
    torch.manual_seed(0)
    return RoleSeq2Seq(LABELS, WORDS, 5, 3, copying=copying, **more).eval()


def test_unknown_words_are_told_apart_by_how_they_are_written():
    network = model()
    sources, targets, owns = numbers(network, [PAIR, SHORT])
    shared = len(network.symbols)
    assert owns == [["zib", "zob"], []]
    assert sources[0].tolist()[1::5] == [shared, shared] and shared + 1 in sources[0]
    assert (targets == NOTHING).sum() == len(PAIR[1]) - len(SHORT[1]) and (targets == END).sum() == 2
    assert tokens_of(network, targets[0].tolist()[:-1], owns[0]) == PAIR[1]
    assert network.known(sources)[0, 1] == UNKNOWN


@pytest.mark.parametrize("copying", [True, False])
def test_probabilities_of_a_step_add_up_to_one(copying):
    network = model(copying)
    sources, _, _ = numbers(network, [PAIR, SHORT])
    log_probabilities, search = network.step(torch.tensor([NOTHING, NOTHING]), network.search(sources))
    assert torch.allclose(log_probabilities.exp().sum(1), torch.ones(2), atol=1e-6)
    next_log_probabilities, _ = network.step(torch.tensor([sources[0, 1], END]), search)
    assert torch.allclose(next_log_probabilities.exp().sum(1), torch.ones(2), atol=1e-6)
    own_words = log_probabilities[0, len(network.symbols) :]
    assert (own_words > -math.inf).all() if copying else (own_words == -math.inf).all()
    assert (
        log_probabilities[1, len(network.symbols) :].max() == -math.inf
        and log_probabilities[:, NOTHING].max() == -math.inf
    )


@pytest.mark.parametrize("copying", [True, False])
def test_the_loss_is_the_mean_of_what_the_steps_give(copying):
    network = model(copying, layers=2)
    sources, targets, _ = numbers(network, [PAIR, SHORT])
    losses = []
    for source, target in zip(sources, targets, strict=True):
        search = network.search(source[source != NOTHING][None])
        last, symbol_log_probabilities = NOTHING, []
        for symbol in target[target != NOTHING].tolist():
            log_probabilities, search = network.step(torch.tensor([last]), search)
            symbol_log_probabilities.append(
                log_probabilities[0, symbol if copying else network.known(torch.tensor(symbol))].item()
            )
            last = symbol
        losses.append(-sum(symbol_log_probabilities) / len(symbol_log_probabilities))
    assert sequence_loss(network, (sources, targets)).item() == pytest.approx(sum(losses) / 2, rel=1e-5)


def test_gradients_are_those_of_differences():
    network = model().double()
    batch = numbers(network, [PAIR, SHORT])[:2]
    sequence_loss(network, batch).backward()
    for name, parameter in network.named_parameters():
        flat, position = parameter.data.view(-1), int(parameter.grad.abs().argmax())
        values = []
        for step in (1e-5, -1e-5):
            flat[position] += step
            values.append(sequence_loss(network, batch).item())
            flat[position] -= step
        slope = (values[0] - values[1]) / 2e-5
        assert parameter.grad.view(-1)[position].item() == pytest.approx(slope, rel=1e-4), name


def test_greedy_decoding_takes_the_best_symbol_each_time():
    network = model()
    (output,) = decode(network, [PAIR[0]])
    sources, _, owns = numbers(network, [(PAIR[0], ())])
    search, last, symbols = network.search(sources), NOTHING, []
    for _ in range(3 * len(PAIR[0]) + 1):
        log_probabilities, search = network.step(torch.tensor([last]), search)
        last = int(log_probabilities.argmax())
        if last == END:
            break
        symbols.append(last)
    assert output == tokens_of(network, symbols, owns[0])


@pytest.mark.parametrize(("copying", "constrained", "beam"), itertools.product([True, False], ["next", "mass"], [1, 3]))
def test_an_output_held_in_order_has_the_words_and_balanced_brackets(copying, constrained, beam):
    network = model(copying)
    sources = [PAIR[0], SHORT[0], ["b"], ["zab", "saw", MARK, "b"]]
    for seed in range(4):
        torch.manual_seed(seed)
        for parameter in network.parameters():
            torch.nn.init.normal_(parameter, std=1.5)
        outputs = decode(network, sources, constrained=constrained, beam=beam)
        for source, output in zip(sources, outputs, strict=True):
            reading = read_target(output)
            assert reading.words == [token for token in source if token != MARK] and reading.balanced
            assert "(# (#" not in " ".join(output) and "(# P0" not in " ".join(output)


def test_an_output_does_not_depend_on_the_rest_of_its_batch():
    network = model()
    sources = [PAIR[0], SHORT[0], ["b"]]
    assert decode(network, sources) == [decode(network, [source])[0] for source in sources]
    knobs = {"constrained": "next", "beam": 3, "length_power": 1.0}
    assert decode(network, sources, **knobs) == [decode(network, [source], **knobs)[0] for source in sources]


def test_no_label_is_refused():
    with pytest.raises(InputError, match="no role to label"):
        RoleSeq2Seq([], WORDS, 5, 3)
