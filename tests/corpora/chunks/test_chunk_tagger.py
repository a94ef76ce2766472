"""The trained chunker: it learns, finds the best path, is saved and read, and says what is wrong."""

from types import SimpleNamespace

import numpy as np
import pytest

from repline.corpora.chunks.chunk_tagger import ChunkTagger, seen
from repline.corpora.chunks.chunk_tagger_training import train
from repline.corpora.chunks.chunked_sentences import Chunked, as_running_text, read_chunked
from repline.corpora.chunks.recipes import TaggerRecipe
from repline.errors import InputError
from repline.parameters import check


def _sentences(count=60, seed=0):
    random, chunked = np.random.default_rng(seed), Chunked()
    parts = [
        (["the", "old", "Dog"], ["DT", "JJ", "NN"], "NP"),
        (["a", "cat"], ["DT", "NN"], "NP"),
        (["has", "seen"], ["VBZ", "VBN"], "VP"),
        (["in"], ["IN"], "PP"),
        ([","], [","], None),
    ]
    for _ in range(count):
        tokens, tags, chunks = [], [], []
        for part in random.integers(0, len(parts), random.integers(1, 6)):
            words, marks, kind = parts[part]
            tokens, tags = tokens + words, tags + marks
            chunks += [f"{'I' if position else 'B'}-{kind}" if kind else "O" for position in range(len(words))]
        chunked.add(tokens, tags, chunks)
    return chunked


@pytest.fixture(scope="module")
def tagger():
    text = _sentences()
    return train(text.tokens, text.tags, text.chunks)


@pytest.mark.parametrize("uses_tags", [True, False])
def test_it_learns_and_is_the_same_each_time(uses_tags):
    text, test = _sentences(), _sentences(seed=1)
    losses = []
    taggers = [
        train(
            text.tokens,
            text.tags if uses_tags else None,
            text.chunks,
            progress=lambda iteration, loss: losses.append((iteration, loss)),
        )
        for _ in range(2)
    ]
    assert taggers[0].uses_tags is uses_tags
    assert taggers[0].model == taggers[1].model
    assert taggers[0].predict(test.tokens, test.tags) == test.chunks
    half = len(losses) // 2
    assert losses[:half] == losses[half:] and losses[0][0] == 1 and losses[0][1] > losses[half - 1][1]


def test_the_knobs_reach_the_field():
    text = _sentences()
    plain, sparse, few, short = (
        train(text.tokens, text.tags, text.chunks, TaggerRecipe(**knobs))
        for knobs in ({}, {"c1": 1.0}, {"minimum_count": 50}, {"max_iterations": 1})
    )
    assert len(sparse.model) < len(plain.model) > len(few.model)
    assert short.model != plain.model


def test_what_is_seen_around_a_word():
    names = seen(["The", "cats", "3.5"], ["DT", "NNS", "CD"])
    assert {
        "word-2= ",
        "word-1=The",
        "word0=cats",
        "word0,1=cats\t3.5",
        "shape-1=Xx",
        "shape1=d.d",
        "affix-2=ts",
        "affix3=cat",
        "tag-2,-1,0= \tDT\tNNS",
        "tag2= ",
    } <= set(names[1])
    assert len({len(row) for row in names}) == 1
    assert len(seen(["The"], None)[0]) == len(names[0]) - 12


def test_paths_are_iob2(tagger, monkeypatch):
    wrong = ["I-NP", "I-NP", "I-VP", "B-VP", "I-VP", "O", "I-NP"]
    monkeypatch.setattr(tagger, "_field", SimpleNamespace(tag=lambda names: wrong))
    assert tagger.predict([["x"] * 7], [["NN"] * 7]) == [["B-NP", "I-NP", "B-VP", "B-VP", "I-VP", "O", "B-NP"]]


def test_sentences_of_any_length_and_unknown_words(tagger):
    tokens = [[], ["Zürich"], ["the", "qq"], ["in"] * 90]
    predicted = tagger.predict(tokens, [["NN"] * len(sentence) for sentence in tokens])
    assert list(map(len, predicted)) == [0, 1, 2, 90]
    assert not any(tags and tags[0].startswith("I") for tags in predicted)
    assert tagger.predict([], []) == []


def test_it_is_saved_and_read_back(tagger, tmp_path):
    test = _sentences(seed=1)
    tagger.save(tmp_path / "t")
    again = ChunkTagger.load(tmp_path / "t")
    assert again.predict(test.tokens, test.tags) == tagger.predict(test.tokens, test.tags)
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == ["config.json", "model.crfsuite"]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model.crfsuite", b""),
        ("model.crfsuite", b"lCRF" + bytes(60)),
        ("model.crfsuite", None),
        ("config.json", b"{"),
        ("config.json", b"[]"),
        ("config.json", b'{"uses_tags": true}'),
        ("config.json", None),
    ],
)
def test_a_broken_model_is_one_sentence(tagger, tmp_path, file, content):
    tagger.save(tmp_path / "t")
    (tmp_path / "t" / file).write_bytes(content) if content is not None else (tmp_path / "t" / file).unlink()
    with pytest.raises(InputError, match=r"t: this is not a chunk tagger \(.*\); train it again$"):
        ChunkTagger.load(tmp_path / "t")


def test_a_cut_model_never_reaches_the_library(tagger, tmp_path):
    tagger.save(tmp_path / "t")
    (tmp_path / "t/model.crfsuite").write_bytes(tagger.model[: len(tagger.model) // 2])
    with pytest.raises(InputError, match="is not the file that was saved"):
        ChunkTagger.load(tmp_path / "t")


def test_what_it_cannot_learn_from_or_read(tagger):
    with pytest.raises(InputError, match="no sentence with chunks"):
        train([[]], None, [[]])
    with pytest.raises(InputError, match="as many chunks as words"):
        train([["a", "b"]], None, [["O"]])
    with pytest.raises(InputError, match=r"chunks.tagger.c1 should be greater than or equal to 0, found -1"):
        check(TaggerRecipe, {"c1": -1.0}, "chunks.tagger")
    with pytest.raises(InputError, match="reads part-of-speech tags"):
        tagger.predict([["a"]])


def test_the_files_of_the_shared_task(tmp_path):
    (tmp_path / "train.txt").write_text("The DT B-NP\ncat NN I-NP\n\n\nsat VBD B-VP\n\n")
    (tmp_path / "test.txt").write_text("It PRP B-NP\n")
    train_part, test = read_chunked(tmp_path)
    assert train_part.chunks == [["B-NP", "I-NP"], ["B-VP"]]
    assert (test.tokens, test.tags) == ([["It"]], [["PRP"]])
    assert len(read_chunked(tmp_path, sentences=1)[0]) == 1
    (tmp_path / "test.txt").write_text("It PRP B-NP\n1 I-NP\n")
    with pytest.raises(
        InputError, match=r"test.txt, line 2: expected a word, its tag and its chunk tag, found '1 I-NP'"
    ):
        read_chunked(tmp_path)
    (tmp_path / "test.txt").write_text("\n")
    with pytest.raises(InputError, match="no sentence with chunks to test on"):
        read_chunked(tmp_path)
    with pytest.raises(InputError, match="there is no such file"):
        read_chunked(tmp_path / "absent")


def test_running_text_keeps_the_chunks_of_what_is_left():
    text = Chunked()
    text.add(
        ["``", "The", "U.S.", "1,200", ",", "fell", "."],
        ["``", "DT", "NNP", "CD", ",", "VBD", "."],
        ["B-NP", "I-NP", "I-NP", "B-NP", "I-NP", "B-VP", "O"],
    )
    text.add(["."], ["."], ["O"])
    running_text = as_running_text(text, frozenset({"the", "N", "fell"}))
    assert running_text.tokens == [["the", "<unk>", "N", "fell"]]
    assert running_text.chunks == [["B-NP", "I-NP", "B-NP", "B-VP"]]
    assert running_text.tags == [["DT", "NNP", "CD", "VBD"]]
