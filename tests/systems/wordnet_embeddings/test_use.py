"""Vectors of a small graph on raw words, which WordNet writes in lower case and with underscores."""

import json
import shutil

import numpy as np
import pytest
from scipy import sparse

import repline
from repline.errors import InputError
from repline.systems.wordnet_embeddings.model import affinities, reduce
from repline.systems.wordnet_embeddings.settings import load
from repline.systems.wordnet_embeddings.training import Affinities, train
from tests.stages import parameter_files

WORDS = ["dog", "domestic_dog", "hot_dog", "frankfurter", "sausage", "cat"]
LINKS = [(0, 1), (2, 3), (3, 4), (0, 5), (1, 5)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    rows, columns = np.array(LINKS + [link[::-1] for link in LINKS]).T
    graph = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(6, 6))
    values = parameter_files.shared()["wordnet_embeddings"]
    settings = load({"wordnet_embeddings": values | {"default": values["default"] | {"dimensions": 4}}})
    train(data / "trained", Affinities(WORDS, affinities(graph), {}), settings, data)
    return shutil.copytree(data / "trained", tmp_path_factory.mktemp("elsewhere") / "model"), graph


def test_raw_words_have_the_vectors_of_the_graph(folder):
    path, graph = folder
    vectors = repline.load(path)
    assert vectors.vector("Hot dog") == pytest.approx(reduce(affinities(graph), load_recipe(path))[2], abs=1e-6)
    assert vectors.vector("hot_dog").tolist() == vectors.vector(" HOT  DOG ").tolist()
    assert vectors.most_similar("hot dog", n=2)[0].word in ("frankfurter", "sausage")
    assert "hot_dog" not in [item.word for item in vectors.most_similar("hot dog", n=6)]


def load_recipe(path):
    from repline.systems.wordnet_embeddings.settings import Components

    parameters = json.loads((path / "card.json").read_text())["repline:parameters"]
    return Components(**{key: parameters[key] for key in Components.model_fields if key in parameters})


def test_empty_unknown_and_wrong_input(folder):
    vectors = repline.load(folder[0])
    answers = vectors.answers([{"word": word} for word in ("Domestic dog", "", " ", "unheard", "狗")])
    assert [answer["known"] for answer in answers] == [True, False, False, False, False]
    with pytest.raises(InputError, match="vector takes a word"):
        vectors.vector(None)
    with pytest.raises(InputError, match="found a value of type list as item 0"):
        vectors.vectors([["dog"]])


def test_another_kind_of_folder_is_refused(folder, tmp_path):
    path = shutil.copytree(folder[0], tmp_path / "copy")
    (path / "config.json").write_text('{"repline": {"system": "wordnet_embeddings", "kind": "classifier"}}')
    with pytest.raises(InputError, match="expected word_vectors, found a model of kind 'classifier'"):
        repline.load(path)
