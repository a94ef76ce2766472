"""A copied model of rnn_cnn encodes raw texts as the suite's encoder does."""

import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import load_encoder
from repline.systems.rnn_cnn.corpus import read_corpus, write_corpus
from repline.systems.rnn_cnn.settings import Recipe, Text
from repline.systems.rnn_cnn.training import train
from repline.systems.rnn_cnn.vocabulary_expansion import first_vectors
from repline.training.run import Run
from repline.vectors import store

PRETRAINED = ["the", "one", "two", "three", ".", "zebu"]
TEXTS = ["One one two.", "The zebu?", "three " * 40]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A trained folder and a copy of it elsewhere."""
    root = tmp_path_factory.mktemp("text")
    lines = [f"{' '.join(['one', 'two', 'three'][row % 3] for _ in range(3 + row % 2))}." for row in range(60)]
    (root / "text.txt").write_text("\n".join(line.capitalize() for line in lines), encoding="utf-8")
    write_corpus(root / "made", Text(sources=["text.txt"], vocabulary=4, held_out=0.2), root)
    corpus = read_corpus(root / "made")
    matrix = np.random.default_rng(0).normal(size=(len(PRETRAINED), 6)).astype(np.float32)
    store.save(root / "vectors", PRETRAINED, matrix)
    vectors = first_vectors(corpus.words, {word: row for row, word in enumerate(PRETRAINED)}, matrix)
    recipe = Recipe(units=8, targets=3, epochs=2, learning_rate=0.02, batch=16)
    train(recipe, corpus, vectors, root / "vectors", Run(root / "model", scratch=root / "scratch"))
    copy = tmp_path_factory.mktemp("elsewhere") / "model"
    shutil.copytree(root / "model", copy)
    return root / "model", copy


@pytest.fixture(scope="module")
def model(trained):
    return repline.load(trained[1])


def test_vectors_are_those_of_the_suites_encoder(trained, model):
    np.testing.assert_allclose(model.encode(TEXTS), load_encoder(trained[0])(TEXTS), atol=1e-6)
    np.testing.assert_allclose(model.encode(TEXTS * 3, batch=2)[3:6], model.encode(TEXTS), atol=1e-6)
    assert model.encode(TEXTS[0]).shape == (32,)
    assert model.similarity("One two.", "one two .") == pytest.approx(1)
    assert model.similarity(TEXTS[:2], TEXTS[:2]).tolist() == pytest.approx([1, 1])


def test_all_vectors_of_training_take_the_place_of_the_stored_ones(trained, tmp_path):
    words, rng = [*PRETRAINED, "yak"], np.random.default_rng(1)
    pretrained = store.words_and_matrix(trained[0].parent / "vectors")[1]
    store.save(tmp_path / "all", words, np.vstack([pretrained, rng.normal(size=(1, 6))]).astype(np.float32))
    model = repline.load(trained[1])
    before = model.encode(TEXTS)
    assert not model.encode("yak").any()
    model.use_vectors(tmp_path / "all")
    assert model.encode("yak").any()
    np.testing.assert_allclose(model.encode(TEXTS), before, atol=1e-6)
    store.save(tmp_path / "wide", ["yak"], np.ones((1, 7), np.float32))
    with pytest.raises(InputError, match="expected vectors of 6 dimensions, found 7"):
        model.use_vectors(tmp_path / "wide")


def test_texts_are_split_as_most_sentences_of_training_were(trained, tmp_path):
    rows = {"doc_id": ["d"] * 40, "tokens": [["One", "-", "two", "three", "."]] * 40}
    (tmp_path / "corpus").mkdir()
    pq.write_table(pa.table(rows), tmp_path / "corpus/part-00000.parquet")
    card = {"name": "made", "licence": "CC0", "parameters": {"language": "en"}, "tools": {"spacy": "3.8"}}
    (tmp_path / "corpus/card.json").write_text(json.dumps(card))
    (tmp_path / "text.txt").write_text("One two three.\n" * 10)
    splitters = {}
    for sources in (["corpus"], ["text.txt"], ["text.txt", "corpus"]):
        write_corpus(tmp_path / "made", Text(sources=sources, vocabulary=4, held_out=0.2), tmp_path)
        splitters[len(sources), sources[0]] = read_corpus(tmp_path / "made").splitter
    assert splitters == {(1, "corpus"): "en", (1, "text.txt"): "treebank", (2, "text.txt"): "en"}
    folder = shutil.copytree(trained[1], tmp_path / "model")
    for splitter, known_words in (("en", 2), (None, 0)):  # a model of before names none
        (folder / "raw_input.json").write_text(json.dumps({"splitter": splitter} if splitter else {}))
        assert repline.load(folder).answers([{"text": "One-two"}])[0]["known_words"] == known_words
    (folder / "raw_input.json").write_text('{"splitter": ""}')
    with pytest.raises(InputError, match="expected splitter, treebank, blanks or a language, found ''"):
        repline.load(folder)


def test_empty_and_unknown_texts_have_zero_vectors(model):
    assert not model.encode(["", " \n", "gnu gnat", "房间"]).any()
    assert model.similarity("gnu", "one") == 0


@pytest.mark.parametrize("texts", [[["one", "two"]], 3, None, ["one", 2]])
def test_what_is_no_text_is_refused(model, texts):
    with pytest.raises(InputError, match="encode takes a text or a list of texts"):
        model.encode(texts)


def test_a_damaged_folder_is_one_sentence(trained, tmp_path):
    shutil.copytree(trained[1], tmp_path / "m")
    shutil.rmtree(tmp_path / "m/vectors")
    with pytest.raises(InputError, match="holds no vectors"):
        repline.load(tmp_path / "m")


def test_the_command_answers_lines(trained, model, tmp_path):
    (tmp_path / "texts.txt").write_text("One one two.\n\ngnu\nThe zebu\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(trained[1]), str(tmp_path / "texts.txt")])
    assert result.exit_code == 0, result.output
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["known_words"] for answer in answers] == [4, 0, 0, 2]
    np.testing.assert_allclose(answers[0]["vector"], model.encode("One one two."), atol=1e-5)
