"""Prepared words of a space, held-out words and their candidates, and words outside of the space."""

import json

import numpy as np
import pytest

from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.morph2vec.composition import compose, compose_any, splitter
from repline.systems.morph2vec.corpus import encode, prepare, read_words, usable_words
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.training import development_rows, train, vocabulary
from repline.training.run import Run
from tests.systems.morph2vec.small_space import PREPARATION, RECIPE, STEMS, word_vectors


def preparation(**changes):
    return PREPARATION.model_copy(update=changes)


@pytest.fixture
def vectors():
    return word_vectors()


@pytest.fixture
def space(vectors, tmp_path):
    prepare(*vectors, tmp_path / "space", PREPARATION)
    return read_words(tmp_path / "space")


def test_held_out_words_have_candidates_found_with_and_without_their_vectors(space, tmp_path):
    assert space.held_out.sum() == 10
    held = [space.words[row] for row in np.flatnonzero(space.held_out)]
    assert (tmp_path / "space/held_out.txt").read_text().split() == held
    for row, word in enumerate(space.words):
        every = [*space.candidates[row], *space.unseen[row]]
        assert {"".join(morphs) for morphs in every} == {word}
        assert space.candidates[row][-1] == (word,) not in space.unseen[row]
        assert space.held_out[row] or not space.unseen[row]
        for morphs in space.unseen[row]:
            assert "".join(morphs[:-1]) not in held


def test_the_same_words_come_again(vectors, space, tmp_path):
    prepare(*vectors, tmp_path / "again", PREPARATION)
    for name in ("words.parquet", "suffixes.parquet", "vectors.npy", "held_out.txt"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "space" / name).read_bytes()


def test_without_a_threshold_random_words_give_one(vectors, tmp_path):
    card = prepare(*vectors, tmp_path / "space", preparation(threshold=None, held_out=5))
    assert 0.3 < card["parameters"]["threshold"] < 1


def test_too_few_splits_are_told(vectors, tmp_path):
    with pytest.raises(InputError, match="0 of 60 words have a split"):
        prepare(*vectors, tmp_path / "space", preparation(threshold=1.0, held_out=5))
    assert not (tmp_path / "space").exists()


def test_published_segmentations_take_the_place_of_chains(vectors, tmp_path):
    listed = {f"{stem}ers": [(stem, "er", "s")] for stem in STEMS} | {
        f"{stem}s": [(stem[:-1], f"{stem[-1]}s")] for stem in STEMS
    }
    prepare(*vectors, tmp_path / "space", preparation(held_out=5), listed)
    space = read_words(tmp_path / "space")
    assert space.candidates[space.words.index("walkers")] == [("walk", "er", "s"), ("walkers",)]
    assert splitter(tmp_path / "space", space, listed)("birders") == [("bird", "er", "s")]


def test_candidates_with_an_unknown_morph_do_not_count():
    ids = encode([[("a", "b"), ("a", "x"), ("ab",)], [("x",)]], {"a": 0, "b": 1, "ab": 2}, 2, 3)
    assert ids.tolist() == [[[0, 1, -1], [2, -1, -1]], [[-1] * 3] * 2]


def test_words_of_letters_in_lower_case_are_usable():
    words = ["the", "The", "don't", "10", "ılık", "a-b", "walk"]
    assert usable_words(words, "tr").tolist() == [0, 4, 6]
    assert usable_words(words, "tr", 2).tolist() == [0, 4]


def test_a_trained_model_composes_unseen_words(space, tmp_path):
    segmented = [space.candidates[row] for row in np.flatnonzero(~space.held_out)]
    assert len(vocabulary(segmented)) == len(set(vocabulary(segmented)))
    folder = tmp_path / "model"
    train(RECIPE, space, Run(folder, scratch=tmp_path / "scratch"))
    model = pretrained(Morph2Vec, folder)
    held = np.flatnonzero(space.held_out)
    unseen = compose(model, [space.unseen[row] for row in held])
    assert unseen.is_known.sum() >= 5
    true = space.vectors[held][unseen.is_known]
    composed = unseen.vectors[unseen.is_known]
    cosines = (true * composed).sum(1) / np.linalg.norm(true, axis=1) / np.linalg.norm(composed, axis=1)
    assert cosines.mean() > 0.7
    outside = splitter(tmp_path / "space", space)
    words = [*(space.words[row] for row in held), "walk", "qqq"]
    anywhere = compose_any(model, words, space, outside)
    np.testing.assert_allclose(anywhere.vectors[: len(held)], unseen.vectors, atol=1e-6)
    assert anywhere.is_known[-2:].tolist() == [True, False] and anywhere.segmentations[-1] == ()


def test_development_words_are_not_trained_on_and_say_which_epoch_is_best(space, tmp_path):
    dev = development_rows(space, 0.2)
    split = [row for row, many in enumerate(space.candidates) if len(many) > 1 and not space.held_out[row]]
    assert len(dev) == round(0.2 * len(split)) and set(dev) <= set(split)
    assert dev.tolist() == development_rows(space, 0.2).tolist()
    assert len(development_rows(space, 0.0)) == 0
    recipe = RECIPE.model_copy(update={"dev": 0.2, "patience": 2, "epochs": 60})
    train(recipe, space, Run(tmp_path / "model", scratch=tmp_path / "scratch"))
    trained_on = [many for row, many in enumerate(space.candidates) if not space.held_out[row] and row not in dev]
    assert pretrained(Morph2Vec, tmp_path / "model").morphs == vocabulary(trained_on)
    losses = [epoch["validation_loss"] for epoch in json.loads(training_record(tmp_path / "model"))["history"]]
    assert len(losses) == np.argmin(losses) + 1 + 2 < 60


def test_too_few_words_for_development_are_trained_for_all_epochs(space, tmp_path):
    recipe = RECIPE.model_copy(update={"dev": 0.001, "patience": 2, "epochs": 3})
    train(recipe, space, Run(tmp_path / "model", scratch=tmp_path / "scratch"))
    assert len(json.loads(training_record(tmp_path / "model"))["history"]) == 3


def training_record(folder):
    return (folder / "training.json").read_text(encoding="utf-8")
