"""What is written is Croissant 1.0 by the judgement of its reference implementation, which also reads the records."""

import hashlib
import json

import mlcroissant
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline import cards, croissant
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.corpora.wikipedia.pages import ARTICLES
from repline.systems.urn import dyck
from repline.systems.urn.settings import DyckCorpus
from repline.vectors import store

ABOUT = {"name": "toy", "description": "A toy", "licence": "CC0", "sources": [], "parameters": {}, "counts": {}}
FOR_THE_PUBLISHER = ("citeAs", "datePublished", "version")  # recommended, and unknown before it is published


def validated(folder):
    """The data set as mlcroissant understands it; it raises an error on what is not Croissant."""
    dataset = mlcroissant.Dataset(jsonld=folder / "card.json")
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert all(any(name in warning for name in FOR_THE_PUBLISHER) for warning in issues.warnings)
    assert dataset.metadata.ctx.conforms_to.value == "http://mlcommons.org/croissant/1.0"
    return dataset


@pytest.fixture
def folder(tmp_path):
    """Numbered parts with lists, nested lists of records, and files that are no tables, one of them further in."""
    with PartWriter(tmp_path, sentence_schema(["lemma", "head"])) as writer:
        rows = {
            "doc_id": ["1"],
            "sentence_id": pa.array([0], pa.int32()),
            "tokens": [["a", "b"]],
            "lemma": [["A", "B"]],
        }
        writer.write(pa.table(rows | {"head": pa.array([[1, 1]], pa.list_(pa.int32()))}, schema=writer.schema))
    article = {"doc_id": "1", "title": "T", "revision": 5, "sections": [{"path": "p", "paragraphs": ["x", "y"]}]}
    pq.write_table(pa.Table.from_pylist([article], schema=ARTICLES), tmp_path / "articles.parquet")
    (tmp_path / "test").mkdir()
    np.save(tmp_path / "test/10.npy", np.arange(10))
    (tmp_path / "synonyms.tsv").write_text("a\tb\n")
    cards.write_card(tmp_path, **ABOUT)
    return tmp_path


def test_the_document_is_valid_and_its_records_are_the_rows(folder):
    dataset = validated(folder)
    assert list(dataset.records("part")) == [
        {
            "part/doc_id": b"1",
            "part/sentence_id": 0,
            "part/tokens": [b"a", b"b"],
            "part/lemma": [b"A", b"B"],
            "part/head": [1, 1],
        }
    ]
    (article,) = dataset.records("articles")
    assert article["articles/sections"] == [
        {"articles/sections/path": b"p", "articles/sections/paragraphs": [b"x", b"y"]}
    ]


def test_every_file_is_there_with_its_size_and_its_sha256(folder):
    objects = {item.id: item for item in validated(folder).metadata.file_objects}
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != "card.json"]
    assert set(objects) == {str(path.relative_to(folder)) for path in paths}
    for path in paths:
        described = objects[str(path.relative_to(folder))]
        assert described.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
        assert described.content_size == f"{path.stat().st_size} B"
        assert folder / described.content_url == path


def test_all_parts_are_one_table(tmp_path):
    for number in range(3):
        pq.write_table(pa.table({"x": [number]}), tmp_path / f"part-{number:05d}.parquet")
    cards.write_card(tmp_path, **ABOUT)
    dataset = validated(tmp_path)
    assert [record["part/x"] for record in dataset.records("part")] == [0, 1, 2]
    assert [item.id for item in dataset.metadata.file_sets] == ["part-files"]


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (pa.array([1], pa.int8()), "cr:Int8"),
        (pa.array([1], pa.uint16()), "cr:UInt16"),
        (pa.array([1], pa.int64()), "cr:Int64"),
        (pa.array([0.5], pa.float32()), "cr:Float32"),
        (pa.array([0.5], pa.float64()), "cr:Float64"),
        (pa.array([True]), "sc:Boolean"),
        (pa.array(["a"]), "sc:Text"),
        (pa.array(["a"]).dictionary_encode(), "sc:Text"),
        (pa.array([[[1]]], pa.list_(pa.list_(pa.int32()))), "cr:Int32"),
    ],
)
def test_a_column_has_the_type_that_parquet_gives_it(tmp_path, values, name):
    pq.write_table(pa.table({"x": values}), tmp_path / "table.parquet")
    cards.write_card(tmp_path, **ABOUT)
    (records,) = json.loads((tmp_path / "card.json").read_text())["recordSet"]
    (field,) = records["field"]
    assert (field["dataType"], field.get("repeated", False)) == (name, pa.types.is_list(values.type))
    (record,) = validated(tmp_path).records("table")
    (value,) = values.to_pylist()
    assert record == {"table/x": value.encode() if isinstance(value, str) else value}


def test_a_type_without_a_name_is_refused_and_no_card_is_written(tmp_path):
    pq.write_table(pa.table({"x": pa.array([1], pa.duration("s"))}), tmp_path / "table.parquet")
    with pytest.raises(TypeError, match=r"column table/x: the type duration\[s\] has no name in Croissant"):
        cards.write_card(tmp_path, **ABOUT)
    assert not (tmp_path / "card.json").exists()


def test_hidden_files_are_no_part_of_the_data(tmp_path):
    for name in (".table.parquet.partial", "card.json"):
        (tmp_path / name).write_text("{}")
    assert croissant.describe(tmp_path, name="a", description="b", licence="c")["distribution"] == []


def test_corpora_and_vectors_of_the_project_are_valid(tmp_path):
    corpus = DyckCorpus(train_strings=20, test_strings=20, pairs=4, train_depth=2, seed=0)
    dyck.generate(tmp_path / "dyck", corpus)
    tables = validated(tmp_path / "dyck").metadata.record_sets
    assert [[field.id for field in table.fields] for table in tables] == [
        ["test/string", "test/depth"],
        ["train/string", "train/depth"],
    ]
    store.save(tmp_path / "v", ["a"], np.ones((1, 2)), description="Vectors", licence="CC0", sources=[])
    described = validated(tmp_path / "v")
    assert {item.id for item in described.metadata.file_objects} == {"vectors.npy", "vocabulary.parquet"}
    assert list(described.records("vocabulary")) == [{"vocabulary/word": b"a", "vocabulary/count": None}]
