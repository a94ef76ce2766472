"""A copied model classifies pairs of raw texts as its evaluation does, also with new definitions and new words."""

import shutil

import numpy as np
import pytest

import repline
from repline.errors import InputError
from repline.systems.definition_nli import use
from repline.systems.definition_nli.corpus import read_data, write_data
from repline.systems.definition_nli.training import PREDICTIONS
from repline.vectors import store
from tests.systems.definition_nli.small_pairs import CORPUS, names, trained, write_sources

ZORP = [("A zorp is seen", "it is warm"), ("A zorp is seen", "it is cold")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("pairs")
    write_sources(root)
    write_data(root / "data", CORPUS, root)
    trained(read_data(root / "data"), root, kind="proposed")
    return shutil.copytree(root / "model", tmp_path_factory.mktemp("elsewhere") / "model")


@pytest.fixture(scope="module")
def model(folder):
    return repline.load(folder)


def test_test_pairs_get_the_labels_of_the_evaluation(folder, model):
    pairs = [(f"A {name} is seen", f"it is {kind}") for name in names("test") for kind in ("warm", "cold")]
    with np.load(folder / PREDICTIONS) as predictions:
        expected = [model.labels[number] for number in predictions["test"]]
    answers = model.classify(pairs)
    assert [answer.label for answer in answers] == expected
    assert all(sum(answer.probabilities.values()) == pytest.approx(1) for answer in answers)
    assert model.classify(pairs[3]).probability == pytest.approx(answers[3].probability)
    assert [answer.label for answer in model.classify(pairs, batch=3)] == expected
    assert answers[0].known_words == 3  # "it is warm"


def test_long_texts_are_computed_apart_from_short_ones(model, monkeypatch):
    pairs = [("A test0 is seen", "it is warm"), ("A test1 is seen " * 9, "it is cold"), ("A test2 is seen", "it is")]
    expected = model.classify(pairs)
    monkeypatch.setattr(use, "MAX_ALIGNED", 100)
    for answer, whole in zip(model.classify(pairs), expected, strict=True):
        assert answer.probabilities == pytest.approx(whole.probabilities, abs=1e-5)


def test_definitions_of_a_new_word_need_no_training(model):
    for kind, expected in (("warm", ["yes", "no"]), ("cold", ["no", "yes"])):
        answers = model.classify(ZORP, {"Zorp": f"a thing of {kind} colour"})
        assert [answer.label for answer in answers] == expected and answers[0].known_words == 3
    pair = ("A test0 is seen", "it is warm")
    before = model.classify(pair)
    assert before.label == "yes" and model.classify(pair, {"test0": "a thing of cold colour"}).label == "no"
    assert model.classify(pair) == before  # the model itself stays as it was


def test_definitions_of_one_word_in_several_cases_are_joined(model):
    joined = model.classify(ZORP, {"zorp": "a thing of warm colour"})
    assert model.classify(ZORP, {"Zorp": "a thing of", "zorp": "warm colour"}) == joined
    words = np.array(["zorp", "a thing of warm colour"])
    assert model.classify(ZORP, {words[0]: words[1]}) == joined


def test_new_words_look_up_vectors(folder, tmp_path):
    model = repline.load(folder)
    store.save(tmp_path / "vectors", ["zorp"], np.ones((1, 8), np.float32))
    assert model.classify(("zorp", "it is warm")).known_words == 0
    model.use_vectors(tmp_path / "vectors")
    assert model.classify(("zorp", "it is warm")).known_words == 1
    store.save(tmp_path / "wide", ["zorp"], np.ones((1, 9), np.float32))
    with pytest.raises(InputError, match="expected vectors of 8 dimensions, found 9"):
        model.use_vectors(tmp_path / "wide")


def test_a_side_without_a_known_word_gets_the_shares_of_training(model):
    for pair in (("", "it is warm"), ("a thing", "zug zag"), ("房间", "   ")):
        answer = model.classify(pair)
        assert answer.known_words == 0 and answer.probabilities == {"no": 0.5, "yes": 0.5}
    assert model.classify([]) == []


def test_answers_of_the_command(model):
    assert model.fields == ("premise", "hypothesis")
    (answer,) = model.answers([{"premise": "A test0 is seen", "hypothesis": "it is warm"}])
    assert answer["label"] == "yes" and set(answer) == {"label", "probability", "probabilities", "known_words"}


@pytest.mark.parametrize("pairs", ["a text", 3, None, ["a", "b", "c"], [("a", 1)], [[["a", "b"]]]])
def test_what_is_no_pair_is_refused(model, pairs):
    with pytest.raises(InputError, match="classify takes a pair of texts or a list of pairs"):
        model.classify(pairs)


def test_definitions_that_are_no_texts_are_refused(model):
    for wrong in ({"zorp": ["a", "thing"]}, ["zorp"], "zorp", 5):
        with pytest.raises(InputError, match="definitions map words to texts"):
            model.classify(ZORP, wrong)


def test_an_incomplete_folder_is_told(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / "raw_input.json").write_text("{}")
    with pytest.raises(InputError, match="'shares' is missing"):
        repline.load(copy)
