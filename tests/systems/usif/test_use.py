"""A copied uSIF folder encodes raw texts: it equals the evaluation with components of other text."""

import shutil

import numpy as np
import pytest

import repline
from repline.errors import InputError
from repline.evaluation.sentence_similarity import cosines
from repline.systems.usif import encoder
from repline.systems.usif.model import CommonComponents, embed, index_sentences
from repline.systems.usif.similarity_words import similarity_words
from repline.systems.usif.use import SentenceVectors
from repline.systems.usif.weighted_words import WeightedWords
from tests.systems.usif.small_corpus import REFERENCE, VECTORS, WORDS, write_small

TEXTS = ["W1 w2, w3!", "w30 isn't w4", "w5-w6", "w39"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The folder of word vectors, of the corpus, and a copy of the encoder's folder elsewhere."""
    root = tmp_path_factory.mktemp("usif")
    vectors, corpus = write_small(root)
    (root / "made").mkdir()
    encoder.write(root / "made", vectors=vectors, corpus=corpus, length=3, components=2)
    copy = tmp_path_factory.mktemp("elsewhere") / "usif"
    shutil.move(root / "made", copy)
    return vectors, corpus, copy


@pytest.fixture(scope="module")
def model(folders):
    return repline.load(folders[2])


def test_similarity_equals_that_of_the_evaluation_with_components_of_other_text(folders, model):
    vectors, corpus, _ = folders
    words = WeightedWords.read(vectors, corpus)
    components = CommonComponents.of(words.averages("up", REFERENCE, 3), 2)
    expected = components.remove(words.averages("up", [similarity_words(text) for text in TEXTS], 3))
    np.testing.assert_allclose(model.encode(TEXTS), expected, atol=1e-6)
    np.testing.assert_allclose(
        model.similarity(TEXTS[:2], TEXTS[2:]), cosines(expected[:2], expected[2:]), rtol=0, atol=1e-6
    )


def test_a_vector_does_not_depend_on_the_other_texts_of_a_call(model):
    assert model.encode(TEXTS[0]).shape == (6,) and model.encode([]).shape == (0, 6)
    np.testing.assert_array_equal(model.encode(TEXTS * 3, batch=5)[:1], model.encode([TEXTS[0]]))


def test_empty_and_unknown_texts_have_zero_vectors(model):
    assert not model.encode(["", "   ", "房间 zebu", "?!"]).any()
    assert model.similarity("zebu", "w1") == 0
    answers = model.answers([{"text": "w1 zebu w2"}, {"text": ""}])
    assert [answer["known_words"] for answer in answers] == [2, 0]
    np.testing.assert_allclose(answers[0]["vector"], model.encode("w1 zebu w2"), rtol=1e-5)


@pytest.mark.parametrize("texts", [[["w1", "w2"]], 3, None, ["w1", 2]])
def test_what_is_no_text_is_refused(model, texts):
    with pytest.raises(InputError, match="encode takes a text or a list of texts"):
        model.encode(texts)


def test_a_folder_without_a_part_names_it(folders, tmp_path):
    shutil.copytree(folders[2], tmp_path / "m")
    (tmp_path / "m/weights.safetensors").write_bytes(b"no")
    with pytest.raises(InputError, match=r"weights\.safetensors: this is no whole \.safetensors file"):
        repline.load(tmp_path / "m")
    shutil.rmtree(tmp_path / "m/vectors")
    with pytest.raises(InputError, match="holds no vectors"):
        repline.load(tmp_path / "m")


@pytest.mark.parametrize("normalization", ["divide", "none"])
@pytest.mark.parametrize("weights", [None, np.linspace(1, 2, len(WORDS))])
def test_weights_of_your_own_on_raw_texts(weights, normalization):
    index = {word: row for row, word in enumerate(WORDS)}
    rows, offsets = index_sentences(map(similarity_words, TEXTS), index)
    expected = embed(rows, offsets, VECTORS, weights, m=2, normalization=normalization)
    encoder = SentenceVectors.of_texts([*TEXTS, "zebu"], WORDS, VECTORS, weights, m=2, normalization=normalization)
    np.testing.assert_allclose(encoder.encode(TEXTS), expected, atol=1e-6)
    with pytest.raises(InputError, match="a vector and a weight for each of 40 words"):
        SentenceVectors.of_texts(TEXTS, WORDS, VECTORS, np.ones(3))
    with pytest.raises(InputError, match="at least one sentence"):
        SentenceVectors.of_texts(["zebu", ""], WORDS, VECTORS, weights)
    with pytest.raises(InputError, match="of_texts takes a text or a list of texts"):
        SentenceVectors.of_texts([TEXTS], WORDS, VECTORS, weights)
