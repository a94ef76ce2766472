"""Where definitions enter the network, and where they do not."""

import pytest
import torch

from repline.errors import InputError
from repline.systems.definition_nli.model import DefinitionNLI

WORDS = ["a", "dog", "barks", "animal", "that", "hound", "sleeps", "cat"]
DICTIONARY = {"dog": ["animal", "that", "barks"], "hound": ["dog", "that", "sleeps", "unheard"], "cat": ["animal"]}
PREMISES = [["a", "dog", "barks"], ["a", "hound"], ["cat", "dog", "dog", "sleeps"]]
HYPOTHESES = [["a", "hound", "barks"], ["a", "cat", "sleeps", "that"], ["a", "animal"]]


def model(kind="proposed", weights=7, seed=0, dictionary=DICTIONARY, state="last"):
    torch.manual_seed(seed)
    network = DefinitionNLI(["no", "yes"], WORDS, 6, kind, weights, state, dropout=0.0)
    generator = torch.Generator().manual_seed(1)
    unknown = torch.tensor([word in ("hound", "sleeps") for word in WORDS])
    network.begin(torch.randn(len(WORDS), 6, generator=generator), unknown)
    network.define(dictionary)
    return network


def sentences(network):
    return network.numbers(PREMISES + HYPOTHESES)


def outputs(network):
    logits = network(sentences(network))
    network.zero_grad()
    logits.square().sum().backward()
    return logits.detach(), {
        name: parameter.grad for name, parameter in network.named_parameters() if parameter.grad is not None
    }


@pytest.mark.parametrize("without", ["no weight", "no dictionary", "no headword in the batch"])
def test_without_definitions_it_is_esim(without):
    dictionaries = {"no dictionary": {}, "no headword in the batch": {"animals": ["that"]}}
    network = model(dictionary=dictionaries.get(without, DICTIONARY))
    if without == "no weight":
        torch.nn.init.zeros_(network.weights)
    expected, of_esim = outputs(model("esim"))
    logits, gradients = outputs(network)
    assert torch.equal(logits, expected)
    for name, gradient in of_esim.items():
        torch.testing.assert_close(gradients[name], gradient, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("kind", "weights"), [("proposed", 7), ("proposed", 5), ("proposed", 1), ("bdn", 7)])
def test_encoding_a_definition_once_is_encoding_it_at_each_occurrence(kind, weights):
    network = model(kind, weights)
    expected, of_once = outputs(network)
    network.deduplicate = False
    logits, of_each = outputs(network)
    torch.testing.assert_close(logits, expected, rtol=1e-5, atol=1e-6)
    for name, gradient in of_once.items():
        torch.testing.assert_close(of_each[name], gradient, rtol=1e-4, atol=1e-5)
    assert not torch.allclose(logits, outputs(model("esim"))[0], atol=1e-4)


@pytest.mark.parametrize("kind", ["proposed", "bdn"])
def test_only_words_with_a_definition_change(kind):
    network, plain = model(kind), model("esim")
    decoder_inputs = []
    network.decoder.register_forward_pre_hook(lambda _, arguments: decoder_inputs.append(arguments[0]))
    plain.decoder.register_forward_pre_hook(lambda _, arguments: decoder_inputs.append(arguments[0]))
    numbers = sentences(network)
    network(numbers), plain(numbers)
    changed = (decoder_inputs[0] != decoder_inputs[1]).any(2)
    if kind == "proposed":
        headwords = torch.tensor([network.words.index(word) + 1 for word in DICTIONARY])
        assert torch.equal(changed, torch.isin(numbers, headwords))
    else:  # before the encoder: all of a sentence with a headword that is unknown, and no other one
        hound = network.words.index("hound") + 1
        assert torch.equal(changed.any(1), (numbers == hound).any(1))


def test_padding_changes_nothing():
    network = model()
    whole = network(sentences(network))
    longer = torch.nn.functional.pad(sentences(network), (0, 3))
    torch.testing.assert_close(network(longer), whole, rtol=1e-5, atol=1e-6)
    alone = network(network.numbers([PREMISES[1], HYPOTHESES[1]]))
    torch.testing.assert_close(alone, whole[1:2], rtol=1e-5, atol=1e-6)


def test_the_end_state_of_both_directions_is_another():
    last_state, end_states = model(), model(state="ends")
    assert not torch.allclose(last_state(sentences(last_state)), end_states(sentences(end_states)), atol=1e-5)


def test_a_dictionary_changes_and_words_are_added_without_training():
    network = model()
    before = network(sentences(network)).detach()
    network.extend(["whippet"], torch.ones(1, 6), torch.tensor([True]))
    network.define(DICTIONARY)
    torch.testing.assert_close(network(sentences(network)), before)
    pair = network.numbers([["a", "whippet"], ["a", "dog"]])
    undefined = network(pair).detach()
    network.define(DICTIONARY | {"whippet": ["dog", "that", "sleeps"]})
    assert not torch.allclose(network(pair), undefined, atol=1e-5)


@pytest.mark.parametrize(("labels", "weights"), [(["one"], 7), (["one", "two"], 6)])
def test_what_is_no_model(labels, weights):
    with pytest.raises(InputError, match="expected two labels and 1, 5 or 7 weights"):
        DefinitionNLI(labels, WORDS, 6, "proposed", weights)
