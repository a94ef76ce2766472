"""Copied folders rate any word: as the regressors do, in another language as the transfer does."""

import json
import shutil

import numpy as np
import pytest
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.errors import InputError
from repline.systems.concreteness.rated_words import RatedWords
from repline.systems.concreteness.regressors import support_vectors
from repline.systems.concreteness.saved_ratings import SupportVectorArrays, describe_ratings
from repline.systems.concreteness.use import WordRater
from repline.vectors import store
from repline.vectors.normalisation import unit_length

RANDOM = np.random.default_rng(0)
WORDS = [f"w{number}" for number in range(80)]
X = RANDOM.normal(size=(80, 5)).astype(np.float32)
Y = 3 + np.tanh(X[:, 0].astype(np.float64)) + 0.05 * RANDOM.normal(size=80)
RATED = RatedWords(WORDS[:60], np.arange(60), np.asarray(X[:60], np.float64), {"concreteness": Y[:60]})
FITTED = support_vectors(5).fit(*RATED.rated_for("concreteness"))
ROTATION = np.linalg.qr(RANDOM.normal(size=(5, 5)))[0]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "made").mkdir()
    store.save(tmp_path / "vectors", WORDS, X)
    describe_ratings(tmp_path / "made", {"concreteness": FITTED}, RATED, WORDS, X, origin=tmp_path / "vectors")
    shutil.copytree(tmp_path / "made", tmp_path / "copied")
    shutil.rmtree(tmp_path / "made")
    shutil.rmtree(tmp_path / "vectors")
    return tmp_path / "copied"


def test_the_arrays_predict_as_scikit_learn_does():
    new = RANDOM.normal(size=(3000, 5))
    assert SupportVectorArrays.of(FITTED).predict(new) == pytest.approx(FITTED.predict(new), rel=1e-9)


def test_a_copied_folder_rates_words_that_nobody_rated(folder):
    model = repline.load(folder)
    answers = model.rate(WORDS, batch=7)
    expected = FITTED.predict(np.asarray(X, np.float64))
    assert [answer.ratings["concreteness"] for answer in answers] == pytest.approx(expected, rel=1e-6)
    assert all(answer.has_vector for answer in answers)
    assert np.corrcoef(expected[60:], Y[60:])[0, 1] > 0.8
    assert model.rate(" W7 ") == model.rate("w7") == answers[7]
    low, high = model.ranges["concreteness"]
    assert (low, high) == (Y[:60].min(), Y[:60].max())


def test_a_word_is_found_without_its_capitals():
    model = WordRater(["Hund", "HUND", "Polish", "polish"], X[:4], {"concreteness": SupportVectorArrays.of(FITTED)}, {})
    rows = {"hund": 0, "Hund": 0, "hUnd": 0, "HUND": 1, "Polish": 2, "polish": 3, "POLISH": 3}
    answers = model.rate(list(rows))
    expected = FITTED.predict(np.asarray(X[list(rows.values())], np.float64))
    assert all(answer.has_vector for answer in answers)
    assert [answer.ratings["concreteness"] for answer in answers] == pytest.approx(expected, rel=1e-6)


def test_a_word_without_a_vector_has_the_mean_of_training(folder):
    model = repline.load(folder)
    for word in ("", "  ", "unknown", "词"):
        assert model.rate(word).ratings["concreteness"] == pytest.approx(Y[:60].mean())
        assert not model.rate(word).has_vector
    assert model.rate([]) == []
    for wrong in (1, None, [["w1"]]):
        with pytest.raises(InputError, match="rate takes a text or a list of texts"):
            model.rate(wrong)


def test_another_language_is_rated_through_the_alignment(tmp_path):
    units = unit_length(np.asarray(X, np.float64))
    rated = RatedWords(WORDS[:60], np.arange(60), units[:60], {"concreteness": Y[:60]})
    fitted = support_vectors(5).fit(*rated.rated_for("concreteness"))
    (tmp_path / "across").mkdir()
    spelled = [word.upper() for word in WORDS]
    turned = (X @ ROTATION).astype(np.float32)
    describe_ratings(tmp_path / "across", {"concreteness": fitted}, rated, spelled, turned, alignment=ROTATION.T)
    answers = repline.load(tmp_path / "across").rate(spelled)
    expected = fitted.predict(units)
    assert [answer.ratings["concreteness"] for answer in answers] == pytest.approx(expected, abs=1e-4)


def test_the_command_rates_a_line_a_word(folder, tmp_path):
    (tmp_path / "words.txt").write_text("w3\nnothing\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(folder), str(tmp_path / "words.txt")])
    assert result.exit_code == 0, result.output
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert first["has_vector"] and not second["has_vector"]


def test_a_damaged_folder_is_one_sentence(folder):
    (folder / "regressors.safetensors").write_bytes(b"no arrays")
    with pytest.raises(
        InputError, match=r"regressors.safetensors: the regressors cannot be read .* copy the folder again"
    ):
        repline.load(folder)
