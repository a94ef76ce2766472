"""The saved uSIF encoder: its averages, components and lengths, and errors about what is missing."""

import json
import shutil

import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import load_encoder
from repline.systems.usif import encoder
from repline.systems.usif.model import CommonComponents, index_sentences, weighted_averages
from repline.systems.usif.random_walk import derive, usif_weights
from tests.systems.usif.small_corpus import COUNTS, REFERENCE, VECTORS, WORDS, write_small

SENTENCES = [" ".join(tokens) for tokens in REFERENCE[:12]]


@pytest.fixture
def folder(tmp_path):
    vectors, corpus = write_small(tmp_path)
    (tmp_path / "usif").mkdir()
    encoder.write(tmp_path / "usif", vectors=vectors, corpus=corpus, length=3, components=2)
    return tmp_path


def test_it_is_the_averages_without_their_common_components(folder):
    encode = load_encoder(folder / "usif")
    assert encode.transductive
    rows, offsets = index_sentences(
        [sentence.split() for sentence in SENTENCES], {word: row for row, word in enumerate(WORDS)}
    )
    p = COUNTS / COUNTS.sum()
    constants = derive(p, 3)
    averages = weighted_averages(rows, offsets, VECTORS, usif_weights(p, constants.a))
    expected = CommonComponents.of(averages, 2).remove(averages)
    np.testing.assert_allclose(encode(SENTENCES), expected, atol=1e-6)


def test_a_word_is_found_in_lower_case_and_one_sentence_is_enough(folder):
    encode = load_encoder(folder / "usif")
    np.testing.assert_allclose(encode([sentence.upper() for sentence in SENTENCES]), encode(SENTENCES), atol=1e-6)
    assert np.isfinite(encode(["w1 w2"])).all() and np.isfinite(encode(["unknown", "w1", "w2 w3"])).all()


def test_punctuation_is_no_word_and_a_sentence_without_words_is_zero(folder):
    encode = load_encoder(folder / "usif")
    plain = encode([*SENTENCES, "unknown"])
    marked = encode([*(f"{sentence.replace(' ', ', ')} ." for sentence in SENTENCES), "unknown"])
    np.testing.assert_allclose(marked, plain, atol=1e-6)
    assert not plain[-1].any()


@pytest.mark.parametrize("length", [1, 4])
def test_sentences_are_as_long_as_they_are_on_average(length):
    sentences = [" ".join(WORDS[start : start + length]) for start in range(8)]
    probabilities = COUNTS / COUNTS.sum()
    by_mean, by_length, by_longer = (
        encoder.UsifEncoder(WORDS, VECTORS, probabilities, probabilities, length=n)(sentences)
        for n in (None, length, 3 * length)
    )
    np.testing.assert_array_equal(by_mean, by_length)
    assert np.abs(by_mean - by_longer).max() > 1e-3


def test_the_folder_needs_nothing_outside_it(folder):
    vectors = load_encoder(folder / "usif")(SENTENCES)
    shutil.rmtree(folder / "vectors")
    shutil.rmtree(folder / "corpus")
    (folder / "usif").rename(folder / "elsewhere")
    np.testing.assert_array_equal(load_encoder(folder / "elsewhere")(SENTENCES), vectors)


def test_without_other_text_the_common_components_for_raw_input_are_those_of_the_pairs(tmp_path):
    models = []
    for name, reference in (("reference", REFERENCE * 2), ("pairs", [])):
        (tmp_path / name / "usif").mkdir(parents=True)
        vectors, corpus = write_small(tmp_path / name, reference)
        encoder.write(tmp_path / name / "usif", vectors=vectors, corpus=corpus, components=2)
        models.append(encoder.read_arrays(tmp_path / name / "usif"))
    np.testing.assert_allclose(models[0]["singular_values"], models[1]["singular_values"])


def test_what_is_missing_is_named(folder):
    described = json.loads((folder / "usif/encoder.json").read_text())
    (folder / "usif/encoder.json").write_text(json.dumps({"system": "usif", "length": 3}))
    with pytest.raises(InputError, match=r"encoder\.json: 'components' is missing"):
        load_encoder(folder / "usif")
    (folder / "usif/encoder.json").write_text(json.dumps(described))
    shutil.rmtree(folder / "usif/vectors")
    with pytest.raises(InputError, match="holds no vectors"):
        load_encoder(folder / "usif")
