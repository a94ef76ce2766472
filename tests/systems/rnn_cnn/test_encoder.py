"""Vocabulary expansion, and the encoder that the suite of sentences takes."""

import numpy as np
import pytest
import torch

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import load_encoder
from repline.systems.rnn_cnn import encoder
from repline.systems.rnn_cnn.encoder import SentenceEncoder
from repline.systems.rnn_cnn.model import ContextModel
from repline.systems.rnn_cnn.vocabulary_expansion import expansion, first_vectors
from repline.vectors import store

PRETRAINED = ["the", "cat", "sat", "down", "zebu", "ox"]
MATRIX = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
INDEX = {word: row for row, word in enumerate(PRETRAINED)}


def made(words=("the", "cat", "sat", "down", "mrs.")):
    torch.manual_seed(0)
    model = ContextModel(list(words), 4, 3, 2)
    model.begin(torch.from_numpy(first_vectors(words, INDEX, MATRIX)))
    return model.eval()


def test_the_map_is_the_identity_where_nothing_was_learnt():
    many = np.random.default_rng(1).normal(size=(50, 4))
    np.testing.assert_allclose(expansion(many, many), np.eye(4), atol=1e-6)
    vectors = SentenceEncoder(made(), INDEX, MATRIX).word_vectors(["cat", "zebu"])
    np.testing.assert_allclose(vectors, MATRIX[[1, 4]], atol=1e-5)


def test_the_map_is_that_of_least_squares():
    rng = np.random.default_rng(2)
    x, e = rng.normal(size=(30, 5)), rng.normal(size=(30, 3))
    np.testing.assert_allclose(expansion(x, e), np.linalg.solve(x.T @ x, x.T @ e), atol=1e-9)


def test_words_have_learnt_mapped_or_unknown_vectors():
    model = made()
    with torch.no_grad():
        model.embedding.weight.mul_(2)
    vectors = SentenceEncoder(model, INDEX, MATRIX).word_vectors(["cat", "zebu", "gnu"])
    unknown = model.embedding.weight[0].detach().numpy()
    np.testing.assert_allclose(vectors, [2 * MATRIX[1], 2 * MATRIX[4], unknown], atol=1e-5)


def test_a_word_without_a_pretrained_vector_is_drawn():
    words = ["the", "cat", "gnu"]
    vectors = first_vectors(words, INDEX, MATRIX, seed=0)
    np.testing.assert_array_equal(vectors[:2], MATRIX[:2])
    assert np.isfinite(vectors[2]).all() and not np.array_equal(
        vectors[2], first_vectors(words, INDEX, MATRIX, seed=1)[2]
    )


def test_the_order_and_the_company_of_sentences_change_nothing():
    encode = SentenceEncoder(made(), INDEX, MATRIX)
    alone = encode(["The cat sat."])
    in_one_batch = encode(["The zebu sat down. " * 20, "The cat sat.", "", "gnu"])
    np.testing.assert_allclose(in_one_batch[1:2], alone, atol=1e-6)
    assert in_one_batch.shape == (4, 12) and not in_one_batch[2].any() and in_one_batch[3].any()


def test_a_folder_is_an_encoder_of_the_suite(tmp_path):
    store.save(tmp_path / "vectors", PRETRAINED, MATRIX)
    model = made()
    model.save_pretrained(tmp_path / "model")
    encoder.write(tmp_path / "model", vectors=tmp_path / "vectors", vocabulary=model.words, splitter="treebank")
    sentences = ["The cat sat down.", "A zebu!"]
    expected = SentenceEncoder(model, INDEX, MATRIX)(sentences)
    np.testing.assert_array_equal(load_encoder(tmp_path / "model")(sentences), expected)
    (tmp_path / "vectors").rename(tmp_path / "gone")  # all are frequent, so the model has a copy of each
    with pytest.warns(UserWarning, match="of its word vectors only the frequent ones in the model are read"):
        copied = load_encoder(tmp_path / "model")
    np.testing.assert_array_equal(copied(sentences), expected)
    (tmp_path / "model/model.safetensors").unlink()
    with pytest.raises(InputError, match=r"model\.safetensors: there is no such file"):
        load_encoder(tmp_path / "model")
    (tmp_path / "model/encoder.json").write_text('{"system": "rnn_cnn"}', encoding="utf-8")
    with pytest.raises(InputError, match="'vectors' is missing"):
        load_encoder(tmp_path / "model")


def test_vectors_that_do_not_fit():
    with pytest.raises(InputError, match="none of the words"):
        first_vectors(["gnu"], INDEX, MATRIX)
    broken = MATRIX.copy()
    broken[1, 2] = np.nan
    with pytest.raises(InputError, match="vector of 'cat' is not finite"):
        first_vectors(["the", "cat"], INDEX, broken)
