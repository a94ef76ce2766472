"""Models of urn on raw text, from a copied folder."""

import json
import shutil

import numpy as np
import pytest
import torch

import repline
from repline.errors import InputError
from repline.systems.urn import dyck
from repline.systems.urn.agreement.examples import Examples
from repline.systems.urn.closing_brackets import predicted_closings
from repline.systems.urn.evaluation import CLASSES, predicted_numbers
from repline.systems.urn.settings import AgreementRecipe, DyckCorpus, DyckRecipe
from repline.systems.urn.training import after_start, character_losses, train_agreement, train_dyck
from repline.training.recipes import CPU
from repline.training.run import Run
from tests import language_models

RECIPE = {"n": 6, "dropout": 0.0, "learning_rate": 0.02, "epochs": 3, "batch": 16, "hardware": CPU}
WORDS = ["<pad>", "<unk>", "<NNS>", "<VBG>", "the", "dog", "dogs", "near", ","]


@pytest.fixture(scope="module", params=["turn", "arbitrary", "lstm"])
def brackets(request, tmp_path_factory):
    """A model of brackets, copied; the model itself, and test strings."""
    root = tmp_path_factory.mktemp(request.param)
    dyck.generate(root / "dyck", DyckCorpus(pairs=3, train_depth=2, train_strings=60, test_strings=12, seed=1))
    recipe = DyckRecipe(model=request.param, k=3 if request.param == "turn" else None, **RECIPE)
    train_dyck(recipe, dyck.read(root / "dyck", "train"), Run(root / "model", scratch=root / "scratch"))
    folder = shutil.copytree(root / "model", root / "elsewhere" / "model")
    network = CLASSES[request.param].from_pretrained(root / "model").eval()
    return folder, network, dyck.read(root / "dyck", "test")


def test_brackets_are_scored_and_closed_as_in_the_evaluation(brackets, tmp_path):
    folder, network, ids = brackets
    model, strings = repline.load(folder), dyck.decode(ids)
    with torch.inference_mode():
        logits = network(after_start(torch.from_numpy(ids)))
        losses = character_losses(logits, torch.from_numpy(ids))
    for string, loss in zip(strings, losses, strict=True):
        assert model.score(string).log_probabilities == pytest.approx((-loss).tolist(), abs=1e-4)
    expected = [dyck.ALPHABET[symbol] for symbol in predicted_closings(logits.numpy())[:, 3]]
    assert [closing.bracket for closing in model.closing([string[:3] for string in strings])] == expected
    closing = model.closing(strings[0][:3])
    assert closing.bracket == expected[0] and sum(closing.probabilities.values()) == pytest.approx(1)
    assert closing.probability == max(closing.probabilities.values())
    language_models.check(model, folder, tmp_path, strings[0], "good s")
    assert model.score("( [ ]\n)").tokens == list("([])")
    assert model.answers([{"text": "(["}])[0]["closing"] == model.closing("([").bracket


def test_a_phrase_of_brackets_has_a_matrix(brackets):
    folder, network, _ = brackets
    model = repline.load(folder)
    if not hasattr(network, "phrase"):
        with pytest.raises(InputError, match="this model is an LSTM"):
            model.matrix("()")
        return
    np.testing.assert_allclose(model.matrix("( )"), network.phrase(["(", ")"]).numpy())
    np.testing.assert_allclose(model.matrix(""), np.eye(6))
    with pytest.raises(InputError, match="matrix: 'x' is no bracket"):
        model.matrix("(x)")


@pytest.fixture(scope="module", params=["turn", "lstm"])
def verbs(request, tmp_path_factory):
    """A classifier of verb number, copied, and the model itself."""
    root = tmp_path_factory.mktemp(request.param)
    ids = torch.tensor([[4, 5], [4, 6], [4, 2], [4, 5], [4, 6]]).repeat(40, 1)
    number = torch.tensor([0, 1, 1, 0, 1]).repeat(40)
    examples = Examples(ids, torch.full((200,), 2), number, np.zeros(200, np.int16))
    recipe = AgreementRecipe(model=request.param, k=3, units=8, embedding=6, **RECIPE | {"epochs": 10})
    train_agreement(recipe, examples, WORDS, "en", Run(root / "model", scratch=root / "scratch"))
    folder = shutil.copytree(root / "model", root / "elsewhere" / "model")
    return folder, CLASSES[request.param].from_pretrained(root / "model").eval()


def test_the_number_of_a_verb_is_told_from_raw_text(verbs):
    folder, network = verbs
    model = repline.load(folder)
    texts = ["The dog", "the dogs", "the unheardofs"]
    assert model.verb_number(texts) == ["singular", "plural", "plural"]
    assert model.verb_number("The dog, the dogs") in ("singular", "plural")
    expected = predicted_numbers(network, torch.tensor([[4, 5], [4, 6], [4, 2]]), torch.full((3,), 2))
    assert [model.labels.index(answer.label) for answer in model.classify(texts)] == expected.tolist()
    assert model.symbols_of("The running dogs, 1,000") == ["the", "<VBG>", "dogs", ",", "<unk>"]
    assert [answer.known_words for answer in model.classify(texts)] == [2, 2, 2]
    expected = predicted_numbers(network, torch.tensor([[2], [3]]), torch.full((2,), 1))
    read_as_tags = model.classify(["unheardofs", "zooming"])  # <NNS> and <VBG>, and no word of the vocabulary
    assert [model.labels.index(answer.label) for answer in read_as_tags] == expected.tolist()
    assert [answer.known_words for answer in read_as_tags] == [1, 1]
    assert model.symbols_of("the well-known") == ["the", "<unk>", "<unk>", "<unk>"]  # `well - known`, as in training
    assert model.symbols_of('"Cats near the Cats') == ["<unk>", "<NNS>", "near", "the", "<unk>"]  # a name is <NNP>
    for nothing in ("", " \n", "xyzzy", "好"):
        answer = model.classify(nothing)
        assert (answer.label, answer.known_words, answer.probability) == ("plural", 0, pytest.approx(0.6))
    with pytest.raises(InputError, match="classify takes a text or a list of texts"):
        model.classify([["the", "dog"]])
    if hasattr(network, "phrase"):
        np.testing.assert_allclose(model.matrix("the dogs"), network.phrase(["the", "dogs"]).numpy())


def test_a_damaged_description_is_one_sentence(verbs, tmp_path):
    folder = shutil.copytree(verbs[0], tmp_path / "model")
    without_shares = json.loads((folder / "raw_input.json").read_text())
    del without_shares["shares"]
    whole = json.loads((folder / "raw_input.json").read_text())
    (folder / "raw_input.json").write_text(json.dumps({key: whole[key] for key in ("model", "shares")}))
    assert repline.load(folder).symbols_of("the well-known") == ["the", "<unk>"]  # a model of before names no splitter
    for values, message in (
        (without_shares, "expected shares of 2 labels"),
        ({}, "expected a model, one of turn"),
        (whole | {"splitter": 1}, "expected splitter, treebank, blanks or a language"),
    ):
        (folder / "raw_input.json").write_text(json.dumps(values))
        with pytest.raises(InputError, match=message):
            repline.load(folder)
