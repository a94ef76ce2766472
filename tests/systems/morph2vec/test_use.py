"""A copied model composes vectors of raw words, seen and unseen, as its evaluation does, and says which fail."""

import shutil

import numpy as np
import pytest

import repline
from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.morph2vec.composition import compose, compose_any, splitter
from repline.systems.morph2vec.corpus import prepare, read_words
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.training import train
from repline.systems.morph2vec.use import MorphVectors
from repline.training.run import Run
from tests.systems.morph2vec.small_space import PREPARATION, RECIPE, STEMS, word_vectors


@pytest.fixture(scope="module")
def space(tmp_path_factory):
    folder = tmp_path_factory.mktemp("space") / "prepared"
    prepare(*word_vectors(), folder, PREPARATION)
    return read_words(folder)


def trained(space, factory):
    folder = factory.mktemp("trained")
    train(RECIPE, space, Run(folder / "model", scratch=folder / "scratch"))
    return shutil.copytree(folder / "model", factory.mktemp("elsewhere") / "model")


@pytest.fixture(scope="module")
def folder(space, tmp_path_factory):
    return trained(space, tmp_path_factory)


@pytest.fixture(scope="module")
def model(folder):
    return repline.load(folder)


def test_held_out_words_get_the_vectors_of_the_evaluation(space, folder, model):
    rows = np.flatnonzero(space.held_out)
    expected = compose(pretrained(Morph2Vec, folder), [space.unseen[row] for row in rows])
    words = [space.words[row] for row in rows]
    np.testing.assert_allclose(model.vectors(words), expected.vectors, atol=1e-6)
    answers = model.compose(words, batch=3)
    assert [answer.morphs for answer in answers] == expected.segmentations
    assert [answer.vector is not None for answer in answers] == expected.is_known.tolist()
    word, morphs = next((word, morphs) for word, morphs in zip(words, expected.segmentations, strict=True) if morphs)
    assert model.compose(word.upper()).morphs == morphs and "".join(morphs) == word and word in model
    np.testing.assert_array_equal(model.vector(f" {word} "), model.compose(word).vector)


def test_words_of_training_and_new_words(space, folder, model):
    words = ["walk", "walkers", "qqq"]
    outside = splitter(space.folder, space)
    expected = compose_any(pretrained(Morph2Vec, folder), words, space, outside)
    np.testing.assert_allclose(model.vectors(words), expected.vectors, atol=1e-6)
    assert model.most_similar("walk", n=1)[0].word.startswith("walk")


def test_two_cosines_of_a_pair_are_those_that_the_docstrings_name(model):
    def cosine(a, b):
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    word, composed = "walkers", model.vector("walk")
    listed = {neighbour.word: neighbour.cosine for neighbour in model.most_similar("walk", n=len(model.words))}
    assert listed[word] == pytest.approx(cosine(composed, model.space.vectors[model.index[word]]), abs=1e-5)
    assert model.similarity("walk", word) == pytest.approx(cosine(composed, model.vector(word)), abs=1e-5)
    assert abs(listed[word] - model.similarity("walk", word)) > 1e-3
    assert "`most_similar`" in MorphVectors.similarity.__doc__ and "`similarity`" in MorphVectors.most_similar.__doc__


def test_a_word_that_fails_says_why(model):
    reasons = [answer.reason for answer in model.compose(["", "  ", "qqq", "歩く", "walk"])]
    assert reasons[:2] == ["it is empty"] * 2 and reasons[4] == ""
    assert reasons[2] == reasons[3] == "it is not one of the model's words followed by a suffix that other words have"
    with pytest.raises(InputError, match="'qqq' has no vector: it is not one of the model's words"):
        model.vector("qqq")
    assert not model.vectors(["qqq", ""]).any() and "qqq" not in model and model.compose([]) == []


def test_published_segmentations_are_in_the_folder(tmp_path_factory):
    listed = {f"{stem}ers": [(stem, "er", "s")] for stem in STEMS}
    prepared = tmp_path_factory.mktemp("listed") / "prepared"
    prepare(*word_vectors(), prepared, PREPARATION.model_copy(update={"held_out": 5}), listed)
    model = repline.load(trained(read_words(prepared), tmp_path_factory))
    assert model.compose("treeers").morphs[0] == "tree"
    assert model.compose("zzz").reason == "training had no morph 'zzz'"


def test_answers_of_the_command(model):
    answers = model.answers([{"word": "walk"}, {"word": "qqq"}])
    assert [answer["known"] for answer in answers] == [True, False]
    assert answers[0]["morphs"] and not answers[0]["reason"] and answers[1]["vector"] is None
    assert answers[1]["reason"] == model.compose("qqq").reason


@pytest.mark.parametrize("words", [3, None, [["walk"]], [1]])
def test_what_is_no_word_is_refused(model, words):
    with pytest.raises(InputError, match="compose takes a text or a list of texts"):
        model.compose(words)
    with pytest.raises(InputError, match="vector takes a word"):
        model.vector(words)


def test_an_incomplete_folder_is_told(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    for name in ("suffixes.parquet", "words.parquet", "vectors.npy"):
        content = (copy / name).read_bytes()
        (copy / name).write_bytes(content[: len(content) // 2])
        with pytest.raises(
            InputError, match=r"copy: its words cannot be read|vectors\.npy: this is no whole \.npy file"
        ):
            repline.load(copy)
        (copy / name).write_bytes(content)
    (copy / "suffixes.parquet").unlink()
    with pytest.raises(InputError, match=r"suffixes\.parquet: there is no such file"):
        repline.load(copy)
