"""Specialised vectors on raw words, and Attract-Repel and counter-fitting of anybody's vectors."""

import shutil

import numpy as np
import pytest

import repline
from repline.errors import InputError
from repline.systems.lexical_contrast.attract_repel import attract_repel
from repline.systems.lexical_contrast.corpus import HELD_OUT, SETS, Space
from repline.systems.lexical_contrast.counter_fitting import counter_fit
from repline.systems.lexical_contrast.settings import AttractRepel, load
from repline.systems.lexical_contrast.training import train
from repline.systems.lexical_contrast.use import attract_repel_words, counter_fit_words
from tests.stages import parameter_files

WORDS = [f"{first}{second}" for first in "abcdefghij" for second in "klmnopqrst"]
MATRIX = np.random.default_rng(0).normal(size=(len(WORDS), 6)).astype(np.float32)
SYNONYM_ROWS = np.array([(row, row + 1) for row in range(0, 60, 2)])
ANTONYM_ROWS = np.array([(row, row + 2) for row in range(0, 40, 2)])
SYNONYMS = [(WORDS[first], WORDS[second]) for first, second in SYNONYM_ROWS]
ANTONYMS = [(WORDS[first], WORDS[second]) for first, second in ANTONYM_ROWS]


def cosine(vectors, first, second):
    a, b = vectors[first], vectors[second]
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    (data / "mine.txt").write_text("")
    configuration = {"syn_ant": {"attract": ["syn"], "repel": ["ant"], "epochs": 2, "batch": 10}}
    shared = parameter_files.shared()["lexical_contrast"]
    settings = load({"lexical_contrast": shared | {"vectors": "mine.txt", "configurations": configuration}})
    sets = dict.fromkeys((*SETS, HELD_OUT), np.empty((0, 2), np.int64)) | {"syn": SYNONYM_ROWS, "ant": ANTONYM_ROWS}
    train("syn_ant", Space(WORDS, MATRIX, sets), settings, data / "trained", data=data)
    return shutil.copytree(data / "trained", tmp_path_factory.mktemp("elsewhere") / "model")


def test_raw_words_have_the_specialised_vectors(folder):
    vectors = repline.load(folder)
    expected = attract_repel(MATRIX, SYNONYM_ROWS, ANTONYM_ROWS, AttractRepel(epochs=2, batch=10))
    assert vectors.vector("AK") == pytest.approx(expected[0], abs=1e-6)
    assert vectors.answers([{"word": "Ak"}, {"word": ""}, {"word": "好"}])[0]["known"]
    assert [row["known"] for row in vectors.answers([{"word": " "}, {"word": "xyzzy"}])] == [False, False]
    with pytest.raises(InputError, match="vector takes a word"):
        vectors.vector(["ak"])
    with pytest.raises(InputError, match="found a value of type list as item 0"):
        vectors.vectors([["ak"]])


def test_ones_own_vectors_are_specialised_as_by_rows():
    recipe = AttractRepel(epochs=2, batch=10)
    synonyms = [*(pair[::-1] for pair in SYNONYMS), SYNONYMS[3], ("ak", "unheard"), ANTONYMS[0]]
    vectors = attract_repel_words(WORDS, MATRIX, synonyms, ANTONYMS, recipe=recipe, seed=3)
    assert vectors.tolist() == attract_repel(MATRIX, SYNONYM_ROWS, ANTONYM_ROWS, recipe, seed=3).tolist()
    fitted = counter_fit_words(WORDS, MATRIX, SYNONYMS, ANTONYMS)
    assert fitted.tolist() == counter_fit(MATRIX, SYNONYM_ROWS, ANTONYM_ROWS).tolist()


def test_a_small_lexicon_shrinks_the_batch_and_says_so():
    notices = []
    vectors = attract_repel_words(WORDS, MATRIX, SYNONYMS[:3], ANTONYMS[:2], notice=notices.append)
    assert notices == ["there are 2 pairs of a kind: the batch is 2 pairs instead of 50"]
    assert cosine(vectors, 0, 1) > cosine(MATRIX, 0, 1)
    assert vectors[90] == pytest.approx(MATRIX[90] / np.linalg.norm(MATRIX[90]))
    with pytest.warns(UserWarning, match="the batch is 3 pairs"):
        attract_repel_words(WORDS, MATRIX, SYNONYMS[:3])


def test_a_single_pair_is_for_counter_fitting():
    notices = []
    attract_repel_words(WORDS, MATRIX, SYNONYMS[:3], ANTONYMS[:1], notice=notices.append)
    assert notices[0] == (
        "one pair of antonyms alone has no negative examples, so it is left out; counter-fitting takes it"
    )
    with pytest.raises(InputError, match="needs two pairs of one kind at least"):
        attract_repel_words(WORDS, MATRIX, (), ANTONYMS[:1], notice=notices.append)
    vectors = counter_fit_words(WORDS, MATRIX, (), [("ak", "al")])
    assert cosine(vectors, 0, 1) <= max(cosine(MATRIX, 0, 1), 1e-6)


def test_pairs_of_a_vector_of_zeros_are_left_out_like_those_of_an_unknown_word():
    matrix, notices = MATRIX.copy(), []
    matrix[0] = 0
    vectors = attract_repel_words(WORDS, matrix, SYNONYMS[:4], notice=notices.append)
    assert notices == [
        "1 of 4 pairs of synonyms have a word whose vector is zero, and are left out",
        "there are 3 pairs of a kind: the batch is 3 pairs instead of 50",
    ]
    assert vectors.tolist() == attract_repel_words(WORDS, matrix, SYNONYMS[1:4], notice=notices.append).tolist()
    assert np.isfinite(vectors).all()
    with pytest.raises(InputError, match="needs two pairs of one kind at least"):
        attract_repel_words(WORDS, matrix, SYNONYMS[:2], notice=notices.append)


@pytest.mark.parametrize("fit", [attract_repel_words, counter_fit_words])
def test_mistakes_are_named(fit):
    with pytest.raises(InputError, match="no pair of synonyms or antonyms has two words with a vector"):
        fit(WORDS, MATRIX, [("un", "heard")])
    with pytest.raises(InputError, match="expected pairs of words"):
        fit(WORDS, MATRIX, ["ak"])
    with pytest.raises(InputError, match="expected a word for each of"):
        fit(WORDS[:-1], MATRIX, SYNONYMS)
    with pytest.raises(InputError, match="has nan as value 0, which is no finite"):
        fit(WORDS, np.where(MATRIX[0, 0] == MATRIX, np.nan, MATRIX), SYNONYMS)


def test_whole_numbers_are_computed_as_floats():
    whole = (10 * MATRIX).astype(int)
    vectors = counter_fit_words(WORDS, whole.tolist(), SYNONYMS)
    assert vectors.tolist() == counter_fit_words(WORDS, whole.astype(float), SYNONYMS).tolist()
    assert not np.array_equal(vectors, vectors.round())
