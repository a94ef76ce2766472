"""Extrofitted vectors on raw words, and extrofitting and retrofitting of anybody's vectors."""

import shutil

import numpy as np
import pytest

import repline
from repline.errors import InputError
from repline.systems.extrofitting import model
from repline.systems.extrofitting.corpus import write_start
from repline.systems.extrofitting.settings import Settings
from repline.systems.extrofitting.training import METHODS, train
from repline.systems.extrofitting.use import extrofit_words
from repline.vectors.retrofitting import retrofit, retrofit_words
from tests.stages import parameter_files

WORDS = [f"{first}{second}" for first in "abcdefgh" for second in "klmnop"]
MATRIX = np.random.default_rng(0).normal(size=(len(WORDS), 5)).astype(np.float32)
PAIRS = [(WORDS[row], WORDS[row + 1]) for row in range(0, 30, 3)]
ROWS = np.array([(row, row + 1) for row in range(0, 30, 3)])
EDGES = np.concatenate([ROWS, ROWS[:, ::-1]])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Vectors by every method, trained from files and copied to a place without them."""
    data = tmp_path_factory.mktemp("data")
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in zip(WORDS, MATRIX, strict=True)]
    (data / "mine.txt").write_text("\n".join(lines) + "\n")
    (data / "lexicon.txt").write_text("".join(f"{first} {second}\n" for first, second in PAIRS))
    values = parameter_files.shared()["extrofitting"] | {
        "words": None,
        "vectors": {"mine": "mine.txt"},
        "lexicons": {"mine": {"place": "lexicon.txt"}},
    }
    settings = Settings(**values)
    write_start(data / "start", "mine", settings, data)
    train("mine", data / "start", settings, data / "trained", data)
    return shutil.copytree(data / "trained", tmp_path_factory.mktemp("elsewhere") / "model")


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_vectors_of_raw_words(folder, method):
    vectors = repline.load(folder / method)
    assert vectors.vector("AK").tolist() == vectors.vector("ak").tolist() == vectors.matrix[0].tolist()
    cosines = vectors.unit_matrix() @ vectors.unit_matrix()[0]
    neighbours = vectors.most_similar("AK", n=3)
    assert [item.word for item in neighbours] == [WORDS[row] for row in np.argsort(-cosines)[1:4]]


def test_empty_unknown_and_wrong_input(folder):
    vectors = repline.load(folder / "extrofitting")
    for word in ("", "  ", "xyzzy", "好"):
        assert vectors.answers([{"word": word}]) == [{"known": False, "vector": None, "most_similar": None}]
        with pytest.raises(InputError, match="has no vector here"):
            vectors.vector(word)
    assert vectors.vectors(["ak", "xyzzy"])[1].tolist() == [0] * 5
    for wrong in (3, ["ak"], None):
        with pytest.raises(InputError, match="vector takes a word"):
            vectors.vector(wrong)
    with pytest.raises(InputError, match="found a value of type list as item 0"):
        vectors.vectors([["ak"]])
    assert vectors.answers([{"word": "AL"}])[0]["known"]


def test_ones_own_vectors_are_extrofitted_and_retrofitted():
    shuffled = [(second.upper(), first) if row % 2 else (first, second) for row, (first, second) in enumerate(PAIRS)]
    pairs = [*shuffled, PAIRS[0], ("ak", "unheard"), ("ak", "ak")]
    assert extrofit_words(WORDS, MATRIX, pairs).tolist() == model.extrofit(MATRIX, EDGES, labels="edges").tolist()
    assert retrofit_words(WORDS, MATRIX, pairs).tolist() == retrofit(MATRIX, EDGES).tolist()


def test_the_labels_of_the_program_need_words_with_several_neighbours():
    with pytest.raises(InputError, match="extrofitting: every word is its own class"):
        extrofit_words(WORDS, MATRIX, PAIRS, labels="notebook")
    rows = [(row, row + step) for row in range(0, 30, 3) for step in (1, 2)]
    edges = np.array([*rows, *((second, first) for first, second in rows)])
    fitted = extrofit_words(WORDS, MATRIX, [(WORDS[a], WORDS[b]) for a, b in rows], labels="notebook", seed=1)
    assert fitted.tolist() == model.extrofit(MATRIX, edges, seed=1).tolist()


@pytest.mark.parametrize("fit", [extrofit_words, retrofit_words])
def test_mistakes_in_a_lexicon_are_named(fit):
    with pytest.raises(InputError, match="no pair of the lexicon has two words with a vector"):
        fit(WORDS, MATRIX, [("un", "heard")])
    with pytest.raises(InputError, match="expected pairs of words"):
        fit(WORDS, MATRIX, ["ak"])
    for wrong in ([("ak", 3)], [3], [None], 3, None):
        with pytest.raises(InputError, match="expected pairs of words"):
            fit(WORDS, MATRIX, wrong)


@pytest.mark.parametrize("fit", [extrofit_words, retrofit_words])
def test_vectors_that_do_not_fit_their_words_are_named(fit):
    not_finite = np.where(MATRIX[3, 2] == MATRIX, np.nan, MATRIX)
    for words, matrix, message in (
        (WORDS[:-1], MATRIX, "expected a word for each of 48 vectors, found 47 words"),
        (WORDS, not_finite, r"the vector of 'an' \(row 3\) has nan as value 2"),
        ([*WORDS[:-1], WORDS[0]], MATRIX, "'ak'"),
        ([], np.zeros((0, 2)), "there are no vectors"),
        (WORDS, MATRIX[:, 0], "expected a matrix of floats, one row a word"),
        (WORDS, MATRIX.astype(str), "expected a matrix of floats, one row a word"),
        (WORDS, [[1.0], [1.0, 2.0]], "its rows differ in length"),
    ):
        with pytest.raises(InputError, match=message):
            fit(words, matrix, PAIRS)


@pytest.mark.parametrize("fit", [extrofit_words, retrofit_words])
def test_lists_and_whole_numbers_are_computed_as_floats(fit):
    whole = (10 * MATRIX).astype(int)
    expected = fit(WORDS, whole.astype(float), PAIRS)
    assert expected.dtype == np.float64 and not np.array_equal(expected, expected.round())
    assert fit(WORDS, whole, PAIRS).tolist() == fit(WORDS, whole.tolist(), PAIRS).tolist() == expected.tolist()


def test_unknown_labels_and_seeds_are_named():
    with pytest.raises(InputError, match="expected labels notebook, components, edges; found 'edge'"):
        extrofit_words(WORDS, MATRIX, PAIRS, labels="edge")
    with pytest.raises(InputError, match="expected a whole number of 0 or more as seed, found '1'"):
        extrofit_words(WORDS, MATRIX, PAIRS, seed="1")
