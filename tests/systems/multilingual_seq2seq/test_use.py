"""A copied model encodes and translates raw texts as its evaluation does, in the language that it takes them for."""

import shutil

import numpy as np
import pytest

import repline
from repline.corpora.parallel.multiway import build
from repline.corpora.parallel.recipes import MultiwayCorpus
from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.multilingual_seq2seq.corpus import read_data, write_data
from repline.systems.multilingual_seq2seq.encoding import embed
from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder
from repline.systems.multilingual_seq2seq.settings import Numbering, Recipe
from repline.systems.multilingual_seq2seq.training import train
from repline.systems.multilingual_seq2seq.translation import translations
from repline.training.recipes import CPU
from repline.training.run import Run

NAMES = {"en": ["dog", "cat", "man", "bird"], "ja": ["犬", "猫", "人", "鳥"]}
LINES = {"en": "The {0} sees a {1} .", "ja": "{0}は{1}を見る。"}
PARTS = {part: [part] for part in ("train", "dev", "test")}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp("texts")
    (root / "texts").mkdir()
    for part, count in (("train", 48), ("dev", 8), ("test", 8)):
        for language, line in LINES.items():
            names = NAMES[language]
            rows = [line.format(names[n % 4], names[(n // 4) % 4]) for n in range(count)]
            (root / f"texts/{part}.{language}.txt").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    build(root / "texts", root / "built", MultiwayCorpus(languages=["en", "ja"]))
    write_data(root / "built", root / "data", Numbering(languages=["en", "ja"], parts=PARTS, longest=12))
    return read_data(root / "data")


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    trained = tmp_path_factory.mktemp("trained")
    recipe = Recipe(
        dimensions=16, units=16, layers=1, learning_rate=0.02, batch=8, hardware=CPU, similarity=1.0, epochs=15
    )
    train(recipe, data, [["en", "ja"]], Run(trained / "model", scratch=trained / "scratch"))
    return shutil.copytree(trained / "model", tmp_path_factory.mktemp("elsewhere") / "model")


@pytest.fixture(scope="module")
def model(folder):
    return repline.load(folder)


def raw(language, count=8):
    names = NAMES[language]
    return [LINES[language].format(names[n % 4], names[(n // 4) % 4]) for n in range(count)]


def test_vectors_are_those_of_the_evaluation(data, folder, model):
    network, test = pretrained(MultilingualEncoderDecoder, folder), data.sets["test"].ids
    for language in ("en", "ja"):
        np.testing.assert_allclose(model.encode(raw(language)), embed(network, test[language]), atol=1e-6)
        assert model.language_of(raw(language)) == [language] * 8
    assert model.encode("The dog sees a cat .").shape == (32,)
    assert model.similarity(raw("en")[1], raw("ja")[1]) > model.similarity(raw("en")[1], raw("ja")[6])


def test_translations_are_those_of_the_evaluation(data, folder, model):
    network, test = pretrained(MultilingualEncoderDecoder, folder), data.sets["test"].ids
    expected = translations(network, test["en"], "ja", 2)
    assert model.translate(raw("en"), "ja", beam=2) == ["".join(words) for words in expected]
    assert model.translate(raw("en"), beam=2, batch=3) == model.translate(raw("en"), "ja", beam=2)
    back = translations(network, test["ja"][:1], "en", 1)[0]
    assert model.translate(raw("ja")[0], beam=1) == " ".join(back)


def test_empty_unknown_and_long_texts(model):
    answers = model.answers([{"text": text} for text in ("", "  ", "xyzzy", "the dog")])
    assert [answer["known_words"] for answer in answers] == [0, 0, 0, 2]
    assert not model.encode(["", "xyzzy"]).any() and model.translate(["", "xyzzy"], "ja") == ["", ""]
    long = "The dog sees a cat . " * 50
    np.testing.assert_allclose(model.encode(long), model.encode("The dog sees a cat . The dog sees a cat ."), atol=1e-6)
    assert model.encode([]).shape == (0, 32) and model.translate([]) == []


def test_answers_of_the_command(model):
    assert (model.fields, model.optional_fields) == (("text",), ("language",))
    answer, without_language = model.answers([{"text": raw("en")[1], "language": "ja"}, {"text": raw("en")[1]}])
    assert answer["translation"] == model.translate(raw("en")[1], "ja") and len(answer["vector"]) == 32
    assert without_language == answer | {"translation": None}


@pytest.mark.parametrize("texts", [3, None, [["the", "dog"]], [1]])
def test_what_is_no_text_is_refused(model, texts):
    with pytest.raises(InputError, match="encode takes a text or a list of texts"):
        model.encode(texts)
    with pytest.raises(InputError, match="translate takes a text or a list of texts"):
        model.translate(texts, "en")


def test_a_language_that_is_not_there_is_told(model):
    with pytest.raises(InputError, match="there is no language 'fr' here; there are en, ja"):
        model.translate("the dog", "fr")
