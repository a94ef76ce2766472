"""A copied folder gives vectors of words, and composes those of words and characters never seen."""

import json
import shutil

import numpy as np
import pytest
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.errors import InputError
from repline.systems.chinese_hybrid.corpus import Data
from repline.systems.chinese_hybrid.settings import Recipe
from repline.systems.chinese_hybrid.subwords import subwords_of
from repline.systems.chinese_hybrid.training import train, train_vectors
from repline.training.run import Run
from repline.vectors import store

WORDS = ["海水", "明月", "水", "月", "江海"]
COMPONENTS = {"海": ("氵", "每"), "江": ("氵", "工"), "明": ("日", "月"), "汨": ("氵", "日"), "晦": ("日", "每", "口")}
BAGS = {
    "cowe": ["context_words", "context_characters", "context_components", "own_characters", "own_components"],
    "cwe": ["composed_context"],
    "cbow": ["context_words"],
}
TEXT = np.random.default_rng(0).integers(0, 5, size=400).astype(np.int32)
SENTENCES = np.arange(0, 401, 8)
COUNTS = np.bincount(TEXT)
CARD = {"name": "toy", "licence": "none", "parameters": {"language": "zh"}}


def recipe(model):
    return Recipe(bags=BAGS[model], dimensions=6, passes=2, sample=0.0)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    trained_folders, copies = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("copies")
    data = Data(TEXT, SENTENCES, WORDS, COUNTS, np.zeros(5, bool), CARD)
    for model in BAGS:
        train(recipe(model), data, COMPONENTS, Run(trained_folders / model, 3, name=model))
        shutil.copytree(trained_folders / model, copies / model)
    shutil.rmtree(trained_folders)
    return copies


def trained_inputs(model):
    """The input vectors as training leaves them, by word, character and component."""
    subwords = subwords_of(WORDS, COMPONENTS)
    inputs = train_vectors(TEXT, SENTENCES, COUNTS, subwords, recipe(model), seed=3).inputs
    first, second = len(WORDS), len(WORDS) + len(subwords.characters)
    return (
        dict(zip(subwords.characters, inputs[first:second], strict=True)),
        dict(zip(subwords.components, inputs[second:], strict=True)),
    )


def test_words_have_the_vectors_of_the_folder(folders):
    model = repline.load(folders / "cowe")
    words, matrix = store.words_and_matrix(folders / "cowe")
    np.testing.assert_array_equal(np.stack([model.vector(word) for word in words]), matrix)
    np.testing.assert_array_equal(model.vector(" 海 水 "), model.vector("海水"))


def test_a_word_never_seen_is_the_mean_of_its_characters(folders):
    for name in ("cowe", "cwe"):
        characters, _ = trained_inputs(name)
        model = repline.load(folders / name)
        np.testing.assert_allclose(model.vector("明水"), (characters["明"] + characters["水"]) / 2, rtol=1e-6)
        np.testing.assert_allclose(model.character("明"), characters["明"], rtol=1e-6)
        assert model.most_similar("明水", 2)[0].word in WORDS


def test_a_character_never_seen_is_the_mean_of_its_components(folders):
    characters, components = trained_inputs("cowe")
    model = repline.load(folders / "cowe")
    expected = (components["氵"] + components["日"]) / 2
    np.testing.assert_allclose(model.character("汨"), expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(model.vector("汨水"), (expected + characters["水"]) / 2, rtol=1e-5, atol=1e-7)
    both = (components["日"] + components["每"]) / 2  # 口 was in no word of training
    np.testing.assert_allclose(model.vector("晦"), both, rtol=1e-5, atol=1e-7)
    with pytest.raises(InputError, match="'汨' has no vector here, and no component that has one"):
        repline.load(folders / "cwe").character("汨")


def test_what_cannot_be_composed_has_no_vector(folders):
    model = repline.load(folders / "cowe")
    for word in ("", " ", "ABC", "龙"):
        assert word not in model
        with pytest.raises(InputError, match="has no vector here"):
            model.vector(word)
    with pytest.raises(InputError, match="'明水' has no vector here"):
        repline.load(folders / "cbow").vector("明水")
    assert not model.vectors(["", "龙"]).any()
    for wrong in (["海水"], None):
        with pytest.raises(InputError, match="vector takes a word"):
            model.vector(wrong)
    with pytest.raises(InputError, match="character takes a single character"):
        model.character("海水")


def test_the_command_says_what_is_composed(folders, tmp_path):
    (tmp_path / "words.txt").write_text("海水\n明水\n龙\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(folders / "cowe"), str(tmp_path / "words.txt")])
    assert result.exit_code == 0, result.output
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(answer["known"], answer["composed"]) for answer in answers] == [
        (True, False),
        (True, True),
        (False, False),
    ]


def test_a_damaged_folder_is_one_sentence(folders, tmp_path):
    shutil.copytree(folders / "cowe", tmp_path / "copy")
    (tmp_path / "copy/subwords.safetensors").write_bytes(b"no arrays")
    with pytest.raises(InputError, match="the vectors cannot be read"):
        repline.load(tmp_path / "copy")
