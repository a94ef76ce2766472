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
from repline.vectors import store

WORDS = [f"w{number}" for number in range(40)]
RANDOM = np.random.default_rng(1)
VECTORS = RANDOM.normal(size=(40, 6)).astype(np.float32)
COUNTS = (40_000 / np.arange(1, 41) ** 2).astype(int)
SENTENCES = [" ".join(RANDOM.choice(WORDS, 5)) for _ in range(12)]


@pytest.fixture
def folder(tmp_path):
    store.save(tmp_path / "vectors", WORDS, VECTORS)
    (tmp_path / "counts").mkdir()
    lines = "".join(f"{word} {count}\n" for word, count in zip(WORDS, COUNTS, strict=True))
    (tmp_path / "counts/counts.txt").write_text(lines)
    (tmp_path / "counts/card.json").write_text(json.dumps({"files": [{"name": "counts.txt"}]}))
    (tmp_path / "usif").mkdir()
    encoder.write(tmp_path / "usif", vectors=tmp_path / "vectors", unigrams=tmp_path / "counts", length=3, components=2)
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


def test_the_folder_changes_with_the_vectors(folder):
    before = (folder / "usif/encoder.json").read_text()
    store.save(folder / "vectors", WORDS[:30], VECTORS[:30])
    encoder.write(folder / "usif", vectors=folder / "vectors", unigrams=folder / "counts", length=3, components=2)
    assert (folder / "usif/encoder.json").read_text() != before


def test_what_is_missing_is_named(folder):
    described = json.loads((folder / "usif/encoder.json").read_text())
    (folder / "usif/encoder.json").write_text(json.dumps({"system": "usif", "vectors": "x"}))
    with pytest.raises(InputError, match=r"encoder\.json: 'unigrams' is missing"):
        load_encoder(folder / "usif")
    (folder / "usif/encoder.json").write_text(json.dumps(described))
    shutil.rmtree(folder / "vectors")
    with pytest.raises(InputError, match="holds no vectors"):
        load_encoder(folder / "usif")
