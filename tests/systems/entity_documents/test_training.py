import numpy as np
import pytest

from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.entity_documents.corpus import read_data, write_data
from repline.systems.entity_documents.evaluation import classification, evaluate_shuffled_scores, read_scores
from repline.systems.entity_documents.linear_classifier import linear_scores
from repline.systems.entity_documents.model import DocumentClassifier
from repline.systems.entity_documents.name_vectors import nearest, write_vectors
from repline.systems.entity_documents.settings import Corpus, Glove, Layer, Linear, Recipe
from repline.systems.entity_documents.training import SCORES, train
from repline.training.recipes import CPU
from repline.training.run import Run
from repline.vectors.store import words_and_matrix
from tests.systems.entity_documents.small_documents import write_small

GLOVE = Glove(dimensions=6, window=4, minimum_count=2, iterations=3, maximum=10.0, seed=0)
RECIPE = Recipe(
    mode="split-name",
    vectors="random",
    dimensions=6,
    layers=[Layer(widths=[3], filters=8)],
    longest=8,
    minimum_count=2,
    hidden=None,
    dropout=0.1,
    epochs=6,
    learning_rate=0.03,
    batch=8,
    hardware=CPU,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    write_small(folder, 120)
    knobs = {"tasks": ["topics", "places"], "dev": 20, "test": 30, "number": 110, "least": 5}
    write_data(folder / "made", Corpus(documents="documents", labels="labels", **knobs), folder)
    return folder / "made"


def trained(folder, run_folder, mode="split-name", task="places", vectors=None, seed=0):
    documents = read_data(folder, mode)
    train(RECIPE, documents, task, Run(run_folder / "model", seed=seed, scratch=run_folder / "scratch"), vectors)
    return documents, read_scores(run_folder / "model" / SCORES)


def micro(documents, scores, task="places"):
    gold = documents.gold[task]
    return classification(scores, gold, np.ones((1, len(gold["test"]))))["half"]["micro"][0]


def test_probabilities_of_other_documents_know_their_labels_by_chance_alone(folder, tmp_path):
    documents, scores = trained(folder, tmp_path)
    gold = documents.gold["places"]
    shuffled = evaluate_shuffled_scores([tmp_path / "model" / SCORES], gold)
    assert shuffled.metrics == evaluate_shuffled_scores([tmp_path / "model" / SCORES], gold).metrics
    assert shuffled.metrics["half"]["micro"] < 0.7 < 0.9 < micro(documents, scores)
    assert not shuffled.replicates


def test_names_carry_the_places_and_not_the_topics(folder, tmp_path):
    for mode, task, low, high in (
        ("split-name", "places", 0.9, 1),
        ("type", "places", 0, 0.7),
        ("type", "topics", 0.9, 1),
    ):
        assert low <= micro(*trained(folder, tmp_path / mode / task, mode, task), task) <= high


def test_so_it_is_for_logistic_regression(folder):
    recipe = Linear(modes=["type"], minimum_documents=2, inverse_regularisation=10.0)
    for mode, low, high in (("split-name", 0.9, 1), ("type", 0, 0.7)):
        documents = read_data(folder, mode)
        assert low <= micro(documents, linear_scores(documents, "places", recipe)) <= high


def test_a_seed_gives_the_same_network_and_another_one_another(folder, tmp_path):
    predictions = [
        trained(folder, tmp_path / str(number), seed=seed)[1]["test"] for number, seed in enumerate((0, 0, 1))
    ]
    assert np.array_equal(predictions[0], predictions[1])
    assert not np.array_equal(predictions[0], predictions[2])


def test_scores_are_those_of_the_model_that_is_kept(folder, tmp_path):
    documents, scores = trained(folder, tmp_path)
    model = pretrained(DocumentClassifier, tmp_path / "model")
    again = model.probabilities(model.numbers(documents.tokens["test"], RECIPE.longest))
    np.testing.assert_allclose(again.numpy(), scores["test"], rtol=1e-5, atol=1e-7)


def test_vectors_of_training_texts_or_of_all(folder, tmp_path):
    documents = read_data(folder, "split-name+common")
    cards = {texts: write_vectors(tmp_path / texts, documents, texts, GLOVE) for texts in ("train", "all")}
    assert [card["counts"]["documents"] for card in cards.values()] == [60, 120]
    words, matrix = words_and_matrix(tmp_path / "train")
    assert {"helsinki_NE", "in"} <= set(words)
    assert matrix.shape == (len(words), 6)


def test_documents_without_two_frequent_words_name_what_to_change(folder, tmp_path):
    documents = read_data(folder, "split-name")
    rare = GLOVE.model_copy(update={"minimum_count": 10_000})
    with pytest.raises(InputError, match=r"no two words that occur 10000 times .*; lower the minimum count"):
        write_vectors(tmp_path / "vectors", documents, "train", rare)
    assert not (tmp_path / "vectors").exists()


def test_a_network_begins_with_given_vectors(folder, tmp_path):
    write_vectors(tmp_path / "vectors", read_data(folder, "split-name"), "train", GLOVE)
    _, random = trained(folder, tmp_path / "random")
    documents, scores = trained(folder, tmp_path / "given", vectors=tmp_path / "vectors")
    assert micro(documents, scores) > 0.9
    assert not np.array_equal(scores["test"], random["test"])


def test_nearest_words():
    vectors = np.array([[1.0, 0], [0.9, 0.1], [0, 1], [-1, 0]])
    assert nearest(["a", "b", "c", "d"], vectors, "a", 2) == ["b", "c"]
    assert nearest(["a", "b", "c", "d"], vectors, "absent") == []


def test_scores_that_are_not_there(tmp_path):
    with pytest.raises(InputError, match=r"scores.npz: the scores cannot be read .* train again"):
        read_scores(tmp_path / SCORES)
