"""Words of two languages in one space on raw words: vectors, translations, words of both languages, mistakes."""

import shutil
from types import SimpleNamespace

import numpy as np
import pytest

import repline
from repline.errors import InputError
from repline.systems.cjc.rates import ranks
from repline.systems.cjc.settings import CBOW
from repline.systems.cjc.training import train_cbow
from repline.systems.cjc.use import BilingualWordVectors
from repline.training.run import Run
from tests.systems.cjc.test_cbow import TOPICS, WORDS, made

N = TOPICS * WORDS
FIRST, SECOND = [f"字{row}" for row in range(N)], [f"語{row}" for row in range(N - 1)] + ["字0"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A variant of CBOW; the last Japanese word is spelled as the first Chinese one."""
    first, second, matches, counts = made()
    data = SimpleNamespace(
        sides=lambda: (first, second),
        matches=lambda: matches,
        vocabulary=SimpleNamespace(counts=counts),
        languages=("zh", "ja"),
        words=[*(f"zh:{word}" for word in FIRST), *(f"ja:{word}" for word in SECOND)],
    )
    trained = tmp_path_factory.mktemp("cjc") / "trained"
    train_cbow(CBOW(dimensions=10, iterations=5), data, Run(trained), window=5)
    return shutil.copytree(trained, tmp_path_factory.mktemp("elsewhere") / "model")


@pytest.fixture(scope="module")
def model(folder):
    return repline.load(folder)


def test_translations_are_those_that_the_evaluation_ranks_first(model):
    for row in (0, 3, 7):
        nearest = model.translate(FIRST[row], n=1)[0]
        answer = np.array([SECOND.index(nearest.word)])
        assert ranks(model.matrix[row : row + 1], model.matrix[N:], answer).tolist() == [1]
        cosine = model.unit_matrix()[row] @ model.unit_matrix()[N + answer[0]]
        assert nearest.cosine == pytest.approx(cosine, abs=1e-6)
    back = model.translate("語3", n=N)
    assert {item.word for item in back} == set(FIRST)
    assert model.translate(["字1", "xyzzy", ""])[1:] == [[], []]


def test_a_word_of_both_languages_is_of_the_first(model):
    assert model.vector("字0").tolist() == model.vector("zh:字0").tolist() == model.matrix[0].tolist()
    assert model.vector("ja:字0").tolist() == model.matrix[-1].tolist()
    assert {item.word for item in model.translate("ja:字0", n=N)} == set(FIRST)
    assert model.most_similar("字0", n=2 * N)[0].word != "zh:字0"
    assert "字0" in model and "ja:語1" in model and "zh:語1" not in model


def test_empty_unknown_and_wrong_input(model):
    answers = model.answers([{"word": word} for word in ("語1", "", "  ", "unheard")])
    assert [answer["known"] for answer in answers] == [True, False, False, False]
    assert answers[0]["language"] == "ja" and len(answers[0]["translations"]) == 5
    assert answers[0]["translations"][0][0] == model.translate("語1")[0].word
    assert answers[1] == answers[3]
    assert answers[1]["translations"] is None and answers[1]["language"] is None
    for wrong in (3, None, [["字0"]]):
        with pytest.raises(InputError, match="translate takes a text or a list of texts"):
            model.translate(wrong)
    with pytest.raises(InputError, match="vector takes a word"):
        model.vector(["字0"])


def test_a_word_whose_vector_is_zero_has_none():
    model = BilingualWordVectors(["zh:a", "zh:b", "ja:c"], np.array([[1, 0], [0, 0], [0, 1]], np.float32), ["zh", "ja"])
    assert "b" not in model and model.translate("b") == []
    assert [item.word for item in model.translate("a")] == ["c"]


def test_a_folder_without_languages_is_refused(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / "raw_input.json").write_text("{}")
    with pytest.raises(InputError, match="expected bilingual_word_vectors of two languages"):
        repline.load(copy)
