"""What is written is Croissant 1.1 by the judgement of its reference implementation, which also reads the records."""

import hashlib
import json
import re

import mlcroissant
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rdflib import RDF, Graph, Namespace

from repline import cards, croissant
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.corpora.wikipedia.pages import ARTICLES
from repline.systems.urn import dyck
from repline.systems.urn.settings import DyckCorpus
from repline.vectors import store
from repline.version import VERSION

ABOUT = {"name": "toy", "description": "A toy", "licence": "CC0", "sources": [], "parameters": {}, "counts": {}}
FOR_THE_PUBLISHER = ("citeAs", "datePublished")  # recommended, and unknown before it is published


def validated(folder):
    """The data set as mlcroissant understands it; it raises an error on what is not Croissant."""
    dataset = mlcroissant.Dataset(jsonld=folder / "card.json")
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert all(any(name in warning for name in FOR_THE_PUBLISHER) for warning in issues.warnings)
    assert dataset.metadata.ctx.conforms_to.value == "http://mlcommons.org/croissant/1.1"
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
    assert (field["dataType"], field.get("isArray", False)) == (name, pa.types.is_list(values.type))
    (record,) = validated(tmp_path).records("table")
    (value,) = values.to_pylist()
    assert record == {"table/x": value.encode() if isinstance(value, str) else value}


def test_a_type_without_a_name_is_refused_and_no_card_is_written(tmp_path):
    pq.write_table(pa.table({"x": pa.array([1], pa.duration("s"))}), tmp_path / "table.parquet")
    with pytest.raises(TypeError, match=r"column table/x: the type duration\[s\] has no name in Croissant"):
        cards.write_card(tmp_path, **ABOUT)
    assert not (tmp_path / "card.json").exists()


def test_the_lineage_goes_back_to_the_files_by_the_terms_of_prov(tmp_path):
    """mlcroissant keeps these terms and checks none of them, so they are asked as RDF."""
    (tmp_path / "words.txt").write_text("a\n")
    dump = {"name": "pages.xml.bz2", "sha256": "a" * 64, "bytes": 7}
    raw = {
        "name": "raw",
        "home": "https://example.org/raw",
        "licence": "CC0",
        "files": [{"name": "f", "sha256": "b" * 64}],
    }
    articles = {"name": "articles", "licence": "CC BY-SA", "sources": [dump]}
    cards.write_card(tmp_path, **ABOUT | {"sources": [{"name": "corpora/articles", "corpus": articles}, raw]})
    assert {"prov:wasDerivedFrom", "prov:wasGeneratedBy"} <= set(validated(tmp_path).metadata.extra_properties)
    prov, schema = Namespace("http://www.w3.org/ns/prov#"), Namespace("https://schema.org/")
    graph = Graph().parse(tmp_path / "card.json", format="json-ld")
    (data,) = graph.subjects(RDF.type, schema.Dataset)
    names = {str(graph.value(source, schema.name)) for source in graph.objects(data, prov.wasDerivedFrom)}
    assert names == {"articles", "raw"}
    origins = {str(origin) for origin in graph.transitive_objects(data, prov.wasDerivedFrom)}
    assert f"nih:sha-256;{'a' * 64}" in origins
    members = {str(member) for member in graph.objects(None, prov.hadMember)}
    assert members == {f"nih:sha-256;{'b' * 64}"}
    software = graph.objects(graph.value(data, prov.wasGeneratedBy), prov.wasAssociatedWith)
    assert {str(graph.value(tool, schema.name)) for tool in software} == {"repline", "pyarrow"}


def test_the_version_follows_the_bytes_of_the_data(tmp_path):
    versions = []
    for name, text in (("here", "a"), ("there", "a"), ("other", "b")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "words.txt").write_text(text)
        cards.write_card(tmp_path / name, **ABOUT)
        versions.append(validated(tmp_path / name).metadata.version)
    here, there, other = versions
    assert here == there != other
    assert re.fullmatch(rf"{re.escape(VERSION)}\+[0-9a-f]{{12}}", here)


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
