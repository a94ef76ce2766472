import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.corpora.entities.name_rewriting import MODES
from repline.errors import InputError
from repline.systems.entity_documents.corpus import PARTS, REST, read_data, write_data
from repline.systems.entity_documents.settings import Corpus
from tests.systems.entity_documents.small_documents import write_small


def written(folder, **changes):
    """Write folder/made from the small corpus in `folder`."""
    knobs = {"tasks": ["topics", "places"], "dev": 10, "test": 10, "least": 5} | changes
    return write_data(folder / "made", Corpus(documents="documents", labels="labels", **knobs), folder)


def test_parts_labels_and_ways_of_writing(tmp_path):
    write_small(tmp_path)
    card = written(tmp_path, number=50)
    assert {part: card["counts"][part] for part in (*PARTS, REST)} == {"train": 30, "dev": 10, "test": 10, "rest": 10}
    documents_by_mode = {mode: read_data(tmp_path / "made", mode) for mode in MODES}
    for part in (*PARTS, REST):
        for kinds, common, split in zip(
            *(documents_by_mode[mode].tokens[part] for mode in ("type", "split-name+common", "split-name")), strict=True
        ):
            assert kinds[-1] == "c-location"
            assert [token.removesuffix("_NE") for token in common] == split
    assert documents_by_mode["type"].labels == json.loads((tmp_path / "made/labels.json").read_text())
    assert set(documents_by_mode["type"].labels["places"]) == {"france", "finland", "japan"}


def test_the_card_counts_the_documents_that_are_left_out(tmp_path):
    documents, labels = write_small(tmp_path)
    rows = pq.read_table(documents / "part-00000.parquet").to_pylist()
    rows[1] |= {name: rows[0][name] for name in ("tokens", "lemma", "entity")}
    rows[2] |= {name: [] for name in ("tokens", "lemma", "entity")}
    schema = pq.read_schema(documents / "part-00000.parquet")
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), documents / "part-00000.parquet")
    labelled = pq.read_table(labels / "part-00000.parquet")
    unlabelled = [row | ({"topics": []} if row["doc_id"] == "d3" else {}) for row in labelled.to_pylist()]
    pq.write_table(pa.Table.from_pylist(unlabelled[:-1], schema=labelled.schema), labels / "part-00000.parquet")
    counts = written(tmp_path)["counts"]
    left_out = {name: count for name, count in counts.items() if name.startswith("left_out")}
    assert left_out == {"left_out_empty": 1, "left_out_same_words": 1, "left_out_no_label": 2}
    assert counts["train"] + counts["dev"] + counts["test"] == 60 - 4


def test_documents_of_a_users_own_need_no_card(tmp_path):
    documents, labels = write_small(tmp_path)
    (documents / "card.json").unlink()
    (labels / "card.json").unlink()
    card = written(tmp_path)
    assert (card["licence"], card["counts"]["train"]) == ("not stated", 40)
    assert read_data(tmp_path / "made", "type").rules  # as where no card says otherwise


def test_gold_labels_are_those_of_the_documents(tmp_path):
    write_small(tmp_path)
    written(tmp_path)
    documents = read_data(tmp_path / "made", "split-name")
    names = documents.labels["places"]
    for part in PARTS:
        for tokens, gold in zip(documents.tokens[part], documents.gold["places"][part], strict=True):
            where = {"paris": "france", "helsinki": "finland", "tokyo": "japan"}[tokens[-1]]
            assert [name for name, yes in zip(names, gold, strict=True) if yes] == [where]
    assert documents.words(20)[0] in ("they", "in")
    assert "c-location" not in documents.words(1)


def test_the_same_seed_gives_the_same_files(tmp_path):
    write_small(tmp_path)
    files = []
    for seed in (0, 0, 1):
        written(tmp_path, seed=seed)
        files.append((tmp_path / "made/documents.parquet").read_bytes())
    assert files[0] == files[1] != files[2]


def test_a_document_whose_words_were_there_is_left_out(tmp_path):
    documents, _ = write_small(tmp_path)
    part = documents / "part-00000.parquet"
    table = pq.read_table(part)
    rows = table.to_pylist()
    rows[1] |= {name: rows[0][name] for name in ("tokens", "lemma", "entity")}
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), part)
    card = written(tmp_path)
    assert card["counts"]["train"] == 39


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"number": 61}, "expected 61 different documents with all labels, .*found 60"),
        (
            {"dev": 30, "test": 30},
            "expected 60 different documents with all labels, and more than the 60 of dev and test, found 60",
        ),
        ({"least": 41}, "expected labels of topics with 41 training documents, found none"),
        ({"tasks": ["sectors"]}, "expected the labels sectors, found topics, places"),
    ],
)
def test_mistakes_are_one_sentence_and_write_nothing(tmp_path, changes, message):
    write_small(tmp_path)
    with pytest.raises(InputError, match=message):
        written(tmp_path, **changes)
    assert not (tmp_path / "made").exists()


def test_columns_of_other_lengths_name_the_sentence(tmp_path):
    documents, _ = write_small(tmp_path)
    part = documents / "part-00000.parquet"
    table = pq.read_table(part)
    rows = table.to_pylist()
    rows[3]["entity"] = ["O"]
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), part)
    with pytest.raises(InputError, match="document d3, sentence 0: its columns tokens, lemma, entity are not of one"):
        written(tmp_path)


def test_documents_that_are_not_there(tmp_path):
    with pytest.raises(InputError, match="the documents cannot be read"):
        read_data(tmp_path, "type")
