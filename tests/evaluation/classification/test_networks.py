"""The peers: padding and company change nothing, attention is what it says, and each learns a small task."""

import inspect
import json
from typing import get_args

import numpy as np
import pytest
import torch

from repline.corpora.labelled.classified_texts import Text, as_texts
from repline.errors import InputError
from repline.evaluation.classification import recipes
from repline.evaluation.classification.classification_measures import classified, read_probabilities
from repline.evaluation.classification.linear_peers import linear_probabilities
from repline.evaluation.classification.peer_networks import PEERS, AdditiveAttention
from repline.evaluation.classification.recipes import LINEAR, LinearPeers, Network, Recipe
from repline.evaluation.classification.training import SCORES, scaled, train_network, vocabulary
from repline.layers.document_network import PADDING
from repline.training.recipes import CPU
from repline.training.run import Run
from repline.vectors import store

DOCUMENTS = [[["a"]], [["a", "b", "c"], ["d"]], [["e", "e"]] * 3, [["a", "absent"], ["b"]], []]
SMALL = {"cnn": {"filters": 6}, "gru": {"units": 5}, "han": {"units": 4, "hidden": 7}}
RECIPE = Recipe(
    dimensions=8, sentences=3, length=5, minimum_count=1, epochs=8, learning_rate=0.03, batch=10, hardware=CPU
)


def made_texts(number=90):
    """A word of its own for each label, in one of two sentences of fillers."""
    rng = np.random.default_rng(0)
    texts = []
    for row in range(number):
        label = "xyz"[row % 3]
        sentences = [[f"f{word}" for word in rng.integers(6, size=4)] for _ in range(2)]
        sentences[rng.integers(2)][rng.integers(4)] = f"sign-{label}"
        part = ("train", "train", "train", "dev", "test")[row // 3 % 5]
        texts.append(Text(str(row), label, sentences, part))
    return as_texts(texts)


@pytest.mark.parametrize("kind", PEERS)
def test_padding_and_company_change_nothing(kind):
    torch.manual_seed(0)
    model = PEERS[kind](["x", "y"], list("abcde"), 6, 4, 6, **SMALL[kind]).eval()
    ids = model.numbers(DOCUMENTS)
    batched = model(ids)
    alone = torch.cat([model(model.numbers([document])) for document in DOCUMENTS])
    torch.testing.assert_close(batched, alone, atol=1e-5, rtol=1e-4)
    padded = torch.nn.functional.pad(ids, (0, 3, 0, 2) if ids.dim() == 3 else (0, 3), value=PADDING)
    torch.testing.assert_close(model(padded), batched, atol=1e-5, rtol=1e-4)
    assert batched.isfinite().all()


def test_a_document_is_cut_to_what_is_read():
    model = PEERS["cnn"](["x", "y"], list("abc"), 6, 2, 3)
    assert model.numbers([[["a", "b", "c", "a"], [], ["b"], ["c"]]]).tolist() == [[2, 3, 4, 3]]
    assert PEERS["han"](["x", "y"], list("abc"), 6, 2, 3).numbers([[["a", "b", "c", "a"], [], ["b"]]]).tolist() == [
        [[2, 3, 4], [3, 0, 0]]
    ]
    with pytest.raises(InputError, match="two labels or more"):
        PEERS["cnn"](["x"], [], 6, 2, 3)


def test_additive_attention_is_a_weighted_sum():
    torch.manual_seed(0)
    attention = AdditiveAttention(3, 4)
    states, there = torch.randn(2, 5, 3), torch.tensor([[True] * 5, [True] * 2 + [False] * 3])
    vectors, weights = attention(states, there)
    torch.testing.assert_close(weights.sum(1), torch.ones(2))
    assert weights[1, 2:].abs().max() == 0
    torch.testing.assert_close(vectors[1], weights[1, 0] * states[1, 0] + weights[1, 1] * states[1, 1])


def test_what_han_looked_at_are_shares():
    torch.manual_seed(0)
    model = PEERS["han"](["x", "y"], list("abcde"), 6, 4, 6).eval()
    ids = model.numbers(DOCUMENTS)
    words, sentences = model.readout(ids)
    torch.testing.assert_close(words.sum(2), (ids != PADDING).any(2).float())
    torch.testing.assert_close(sentences.sum(1), torch.ones(len(ids)))


@pytest.mark.parametrize("kind", PEERS)
def test_every_peer_learns_a_small_task(kind, tmp_path):
    texts = made_texts()
    this_run = Run(tmp_path / "model", scratch=tmp_path / "scratch")
    train_network(RECIPE, texts, this_run, build=PEERS[kind], settings=SMALL[kind] | {"dropout": 0.0})
    probabilities = read_probabilities(tmp_path / "model" / SCORES)
    assert probabilities["dev"].shape == (18, 3)
    gold = texts.gold["test"]
    assert classified(probabilities["test"], gold, np.ones((1, len(gold))))["accuracy"][0] >= 0.8


def test_so_do_linear_classifiers():
    texts = made_texts()
    probabilities_by_peer = linear_probabilities(LinearPeers(minimum_documents=2), texts)
    assert set(probabilities_by_peer) == set(LINEAR)
    for probabilities in probabilities_by_peer.values():
        np.testing.assert_allclose(probabilities["test"].sum(axis=1), 1, rtol=1e-5)
        assert (probabilities["test"].argmax(axis=1) == texts.gold["test"]).mean() >= 0.8


def test_the_penalty_of_a_linear_classifier_is_the_best_on_dev():
    texts = made_texts()
    gold = texts.gold["dev"]
    for peer in ("lr_l2", "svm"):
        alone = {
            c: linear_probabilities(LinearPeers(peers=[peer], **{peer.removeprefix("lr_"): [c]}), texts)[peer]
            for c in (1e-4, 1.0)
        }
        grid = LinearPeers(peers=[peer], **{peer.removeprefix("lr_"): [1.0, 1e-4]})
        chosen = linear_probabilities(grid, texts)[peer]
        accuracy = {c: (scores["dev"].argmax(axis=1) == gold).mean() for c, scores in alone.items()}
        best = 1e-4 if accuracy[1e-4] == accuracy[1.0] else max(accuracy, key=lambda c: accuracy[c])
        np.testing.assert_array_equal(chosen["test"], alone[best]["test"])


def test_half_of_the_words_that_occur_once_can_be_unknown():
    documents = [[["often", "often", *(f"once{number}" for number in range(400))]], [["dev"]], [["test"]]]
    parts = ("train", "dev", "test")
    texts = as_texts([Text(part, "a", words, part) for part, words in zip(parts, documents, strict=True)])
    assert vocabulary(texts, 1, 0.0, seed=0) == texts.words(1)
    assert vocabulary(texts, 2, 0.5, seed=0) == ["often"]
    words = vocabulary(texts, 1, 0.5, seed=0)
    assert words[0] == "often"
    assert 150 < len(words) < 250
    assert set(words) < set(texts.words(1))
    assert words == vocabulary(texts, 1, 0.5, seed=0) != vocabulary(texts, 1, 0.5, seed=1)


def test_a_network_begins_with_given_vectors_and_ends_when_it_is_good_enough(tmp_path):
    texts = made_texts()
    words = texts.words(1)
    store.save(tmp_path / "vectors", words[:-1], np.random.default_rng(0).normal(size=(len(words) - 1, 5)))
    started = {}

    def build(*arguments, **knobs):
        started["model"] = PEERS["cnn"](*arguments, **knobs)
        return started["model"]

    recipe = RECIPE.model_copy(update={"epochs": 30, "enough": 0.5, "learning_rate": 0.01})
    this_run = Run(tmp_path / "model", scratch=tmp_path / "scratch")
    train_network(recipe, texts, this_run, build=build, settings={"filters": 6}, vectors=tmp_path / "vectors")
    assert started["model"].embedding.weight.shape == (len(words) + 2, 5)
    history = json.loads((tmp_path / "model/training.json").read_text())["history"]
    assert len(history) < 30
    assert history[-1]["dev_accuracy"] >= 0.5


def test_scaled_vectors():
    matrix = scaled(np.random.default_rng(0).normal(size=(50, 8)) * 7 + 1)
    assert abs(matrix.mean()) < 1e-6
    assert abs(matrix.std() - 0.4) < 1e-5


def defaults_of_both(section, network):
    """The defaults of a section of params.yaml and those of the network's class."""
    fields = {name: field.get_default() for name, field in section.model_fields.items()}
    arguments = inspect.signature(network).parameters.values()
    keywords = {part.name: part.default for part in arguments if part.kind is inspect.Parameter.KEYWORD_ONLY}
    of_section = {name: value for name, value in fields.items() if name not in {*Network.model_fields, "kind"}}
    return of_section, {name: list(value) if isinstance(value, tuple) else value for name, value in keywords.items()}


@pytest.mark.parametrize("section", [recipes.TextCNN, recipes.RecurrentClassifier, recipes.HAN])
def test_a_section_has_the_defaults_of_its_network(section):
    (kind,) = get_args(section.model_fields["kind"].annotation)
    of_section, of_network = defaults_of_both(section, PEERS[kind])
    assert of_section == of_network
