"""Training: neighbours of a synthetic corpus are found, and the bytes depend on the corpus and the parameters alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline import parameters
from repline.cards import read_card
from repline.errors import InputError
from repline.vectors import tokens
from repline.vectors.lsa import lsa
from repline.vectors.recipes import LSA, FastText, Word2Vec
from repline.vectors.store import load
from repline.vectors.tokens import Tokens
from repline.vectors.training import fasttext, word2vec
from tests.vectors.toy_corpus import TOPICS, topical, write

ROOT = Path(__file__).parents[2]
SMALL = {"dimensions": 10, "minimum_count": 2, "keep": r"\p{L}"}
FAST = {"epochs": 10, "sample": 0.0, "learning_rate": 0.1}
TRAININGS = {
    "skip-gram": (word2vec, Word2Vec(**SMALL, **FAST)),
    "cbow": (word2vec, Word2Vec(architecture="cbow", **SMALL, **FAST)),
    "skip-gram-threads": (word2vec, Word2Vec(threads=2, **SMALL, **FAST)),
    "cbow-threads": (word2vec, Word2Vec(architecture="cbow", threads=2, **SMALL, **FAST)),
    "fasttext": (fasttext, FastText(buckets=500, **SMALL, **FAST)),
    "lsa": (lsa, LSA(documents="document", **SMALL)),
    "lsa-ppmi": (lsa, LSA(contexts="window", weighting="ppmi", unit_contexts=False, **SMALL)),
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    """The folder with the vectors of each training."""
    folder = tmp_path_factory.mktemp("trained")
    for name, (train, recipe) in TRAININGS.items():
        train(corpus, folder / name, recipe)
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", TRAININGS)
def test_words_of_a_topic_are_nearest_to_each_other(trained, name):
    card = read_card(trained / name)
    vectors = load(trained / name)
    assert topical(vectors) >= 0.9
    assert set(vectors.index_to_key) == {word for word in vectors.index_to_key if word.islower()}
    assert len(vectors) == card["counts"]["words"] == 22
    counts = [vectors.get_vecattr(word, "count") for word in vectors.index_to_key]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == card["counts"]["tokens"] == 900 * 8
    assert card["parameters"]["dimensions"] == 10


def test_random_vectors_find_no_topic():
    rng = np.random.default_rng(0)
    assert topical({word: rng.normal(size=10) for words in TOPICS.values() for word in words}) < 0.2


def test_a_process_with_other_hashes_gives_the_same_bytes(corpus, trained, tmp_path):
    code = "from tests.vectors.test_training import TRAININGS\n"
    code += "for name, (train, recipe) in TRAININGS.items():\n"
    code += f"    train({str(corpus)!r}, {str(tmp_path)!r} + '/' + name, recipe)\n"
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=300)
    for name in TRAININGS:
        assert contents(tmp_path / name) == contents(trained / name), name


@pytest.mark.parametrize("name", ["skip-gram", "skip-gram-threads", "cbow-threads", "fasttext", "lsa"])
def test_the_seed_counts_and_how_the_corpus_is_cut_does_not(tmp_path, monkeypatch, name):
    train, recipe = TRAININGS[name]
    vectors = {}
    for key, parts, rows, seed in [("a", 1, 4096, 0), ("b", 4, 7, 0), ("c", 1, 4096, 1)]:
        monkeypatch.setattr(tokens, "ROWS", rows)
        corpus = write(tmp_path / key / "corpus", 60, parts=parts)
        train(corpus, tmp_path / key / "v", recipe.model_copy(update={"seed": seed}))
        vectors[key] = contents(tmp_path / key / "v")["vectors.npy"]
    assert vectors["a"] == vectors["b"]
    assert name == "lsa" or vectors["a"] != vectors["c"]  # a matrix this small is decomposed whole


def test_the_card_of_the_corpus_is_in_the_card_of_the_vectors(tmp_path):
    folder = write(tmp_path / "corpus", 30)
    (folder / "card.json").write_text(json.dumps({"name": "toy", "licence": "CC0"}))
    card = word2vec(folder, tmp_path / "v", Word2Vec(epochs=1, **SMALL))
    assert card["licence"] == "CC0"
    assert card["sources"] == [{"corpus": {"name": "toy", "licence": "CC0"}}]
    assert card["description"] == "Word2Vec vectors trained on toy"
    assert str(tmp_path) not in json.dumps(card)


def sentences(tmp_path, rows, **columns):
    table = pa.table({"tokens": pa.array(rows, pa.list_(pa.string()))} | columns)
    pq.write_table(table, tmp_path / "part-00000.parquet")
    return tmp_path


def test_a_folder_that_is_named_like_a_pattern_is_read_alone(tmp_path):
    for name in ("c[1]", "c1", "*"):
        (tmp_path / name).mkdir()
        sentences(tmp_path / name, [[f"word-of-{name}"]])
    for name in ("c[1]", "*"):
        assert Tokens(tmp_path / name).vocabulary()[0] == [f"word-of-{name}".lower()]


def test_the_vocabulary_is_counted_in_one_case_and_sorted(tmp_path):
    corpus = sentences(tmp_path, [["B", "a", "É", "é", "b", "2"], None, [], [None, "", "c", "A", "c3"]])
    words, counts = Tokens(corpus).vocabulary()
    assert dict(zip(words, counts.tolist(), strict=True)) == {"a": 2, "b": 2, "é": 2, "2": 1, "c": 1, "c3": 1}
    assert words == ["a", "b", "é", "2", "c", "c3"]
    assert Tokens(corpus).vocabulary(maximum_words=2, minimum_count=2)[0] == ["a", "b"]
    assert Tokens(corpus, keep=r"^\p{L}+$").vocabulary()[0] == ["a", "b", "é", "c"]
    assert set(Tokens(corpus, lower=False).vocabulary()[0]) == {"B", "a", "É", "é", "b", "2", "c", "A", "c3"}


def test_sentences_keep_empty_rows_and_cut_long_ones(tmp_path):
    corpus = Tokens(sentences(tmp_path, [["A", "b", "c", "d", "e"], [], None, ["f"]]))
    assert list(corpus.sentences()) == [["a", "b", "c", "d", "e"], [], [], ["f"]]
    assert list(corpus.sentences(2)) == [["a", "b"], ["c", "d"], ["e"], [], [], ["f"]]


def test_every_column_of_lists_can_be_read(tmp_path):
    corpus = sentences(tmp_path, [["Cats", "ran"]] * 5, lemma=pa.array([["cat", "run"]] * 5))
    assert Tokens(corpus, column="lemma").vocabulary()[0] == ["cat", "run"]
    assert Tokens(corpus / "part-00000.parquet").vocabulary()[0] == ["cats", "ran"]


@pytest.mark.parametrize(
    ("train", "recipe", "message"),
    [
        (word2vec, Word2Vec(minimum_count=100), "no word of 'tokens' occurs 100 times"),
        (word2vec, Word2Vec(column="lemma"), "there is no column 'lemma'; there are tokens"),
        (lsa, LSA(minimum_count=1, documents="sentence"), "2 words in 3 contexts have less than 100 + 1"),
        (lsa, LSA(minimum_count=1), "there is no column 'doc_id'"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(tmp_path, train, recipe, message):
    (tmp_path / "corpus").mkdir()
    corpus = sentences(tmp_path / "corpus", [["a", "b"], ["a"], ["b"]])
    with pytest.raises(InputError) as caught:
        train(corpus, tmp_path / "v", recipe)
    assert message in str(caught.value)
    assert not (tmp_path / "v").exists()


@pytest.mark.parametrize(
    ("model", "values", "message"),
    [
        (Word2Vec, {"dimensions": 0}, "v.dimensions should be greater than or equal to 1, found 0"),
        (Word2Vec, {"sample": -1.0}, "v.sample should be greater than or equal to 0, found -1.0"),
        (Word2Vec, {"seed": -1}, "v.seed should be greater than or equal to 0, found -1"),
        (FastText, {"shortest_ngram": 4, "longest_ngram": 3}, "longest_ngram should be at least shortest_ngram"),
        (FastText, {"buckets": 0}, "v.buckets should be greater than or equal to 1"),
        (LSA, {"block": 0}, "v.block should be greater than or equal to 1, found 0"),
    ],
)
def test_recipes_have_a_range(model, values, message):
    with pytest.raises(InputError) as caught:
        parameters.check(model, values, "v")
    assert message in str(caught.value)


def test_what_is_no_corpus_is_told(tmp_path):
    with pytest.raises(InputError, match=r"expected a Parquet file, or a folder with part-\*.parquet"):
        word2vec(tmp_path, tmp_path / "v")
    (tmp_path / "part-00000.parquet").write_bytes(b"PAR1 no PAR1")
    with pytest.raises(InputError, match="no readable Parquet file"):
        word2vec(tmp_path, tmp_path / "v")
    pq.write_table(pa.table({"tokens": ["a b"]}), tmp_path / "part-00000.parquet")
    with pytest.raises(InputError, match="should hold lists of words, found string"):
        word2vec(tmp_path, tmp_path / "v")
    pq.write_table(pa.table({"tokens": [["a", "b"]] * 3}), tmp_path / "part-00000.parquet")
    for broken in (
        lambda path: path.write_bytes(b"PAR1 no PAR1"),
        lambda path: pq.write_table(pa.table({"x": [1]}), path),
    ):
        broken(tmp_path / "part-00001.parquet")
        with pytest.raises(InputError, match="the corpus cannot be read"):
            word2vec(tmp_path, tmp_path / "v", Word2Vec(minimum_count=1))
