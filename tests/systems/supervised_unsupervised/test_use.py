"""A copied model classifies pairs of raw texts as its evaluation does, and encodes raw texts as the suite's encoder."""

import shutil

import numpy as np
import pytest

import repline
from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import load_encoder
from repline.systems.supervised_unsupervised.evaluation import read_measured
from repline.training.run import Run
from repline.vectors import store
from tests.systems.supervised_unsupervised.small_pairs import CORPUS, train_small, write_small

PAIRS = [("A cat sleeps", "it sleeps zorp"), ("A cat sleeps", "It walks zorp."), ("a cat walks", "it sleeps")]
UNKNOWN = [("", "a cat"), ("a cat", "zug zag"), ("房间", "   ")]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The data, the trained folder, and what `repline.load` makes of a copy of it without the rest."""
    root = tmp_path_factory.mktemp("pairs")
    data = write_small(root)
    folder = root / "model"
    train_small(root, data, Run(folder, seed=1, name="m", scratch=root), kind="bi_ae", weight=0.01)
    copy = tmp_path_factory.mktemp("elsewhere") / "model"
    shutil.copytree(folder, copy)
    return data, folder, repline.load(copy)


def test_test_pairs_get_the_labels_of_the_evaluation(trained):
    data, folder, model = trained
    rows = [(f"A cat {first}", f"it {second} zorp") for first in ("sleeps", "walks") for second in ("sleeps", "walks")]
    expected = [data.labels[number] for number in read_measured(folder)["labels"]]
    answers = model.classify(rows)
    assert [answer.label for answer in answers] == expected
    assert all(sum(answer.probabilities.values()) == pytest.approx(1) for answer in answers)
    assert model.classify(rows[0]) == model.classify(rows[:1])[0] and answers[0].known_words == 2
    assert model.classify(rows * 2, batch=3)[4].probability == pytest.approx(answers[0].probability)


def test_vectors_are_those_of_the_suites_encoder(trained):
    _, folder, model = trained
    texts = ["A dog sleeps", "zorp", "it walks zorp"]
    np.testing.assert_allclose(model.encode(texts), load_encoder(folder)(texts), atol=1e-6)
    assert model.similarity("a dog", "A dog.") == pytest.approx(1) and model.similarity("zorp", "a dog") == 0


def test_a_side_without_a_known_word_gets_the_shares_of_training(trained):
    data, _, model = trained
    shares = np.bincount(data.numbers("train")) / len(data.numbers("train"))
    for answer in model.classify(UNKNOWN):
        assert answer.known_words == 0
        assert [answer.probabilities[label] for label in data.labels] == pytest.approx(shares.tolist())


def test_answers_of_the_command(trained):
    _, _, model = trained
    assert model.fields == ("premise", "hypothesis")
    answers = model.answers([{"premise": first, "hypothesis": second} for first, second in PAIRS[:2]])
    assert [answer["label"] for answer in answers] == [answer.label for answer in model.classify(PAIRS[:2])]


@pytest.mark.parametrize("pairs", ["a text", 3, ["a", "b", "c"], [("a", "b", "c")], [("a", 1)], [[["a", "b"]]]])
def test_what_is_no_pair_is_refused(trained, pairs):
    with pytest.raises(InputError, match="classify takes a pair of texts or a list of pairs"):
        trained[2].classify(pairs)


def test_all_vectors_of_training_take_the_place_of_the_stored_ones(trained, tmp_path):
    model = repline.load(trained[1])
    words, matrix = store.words_and_matrix(trained[1] / "vectors")
    store.save(tmp_path / "all", [*words, "zorp"], np.vstack([matrix, np.ones_like(matrix[:1])]))
    before = model.encode(["a cat sleeps", "zorp"])
    model.use_vectors(tmp_path / "all")
    after = model.encode(["a cat sleeps", "zorp"])
    np.testing.assert_allclose(after[0], before[0], atol=1e-6)
    assert after[1].any() and not before[1].any()


def test_words_of_the_vectors_that_training_did_not_have_are_known(trained):
    assert CORPUS.vectors == "vectors"
    answer = trained[2].classify(("a warm dog", "it is cold"))
    assert answer.known_words == 3
