"""The card of a corpus says the same to this project as to any reader of Croissant."""

import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline import cards
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.errors import InputError

SNAPSHOTS = Path(__file__).parent.parent / "docs/snapshots.md"
ABOUT = {
    "name": "toy: chunks",
    "description": "Two sentences",
    "licence": "CC BY-SA 4.0",
    "sources": [{"corpus": {"name": "raw", "sources": [{"name": "a.txt", "sha256": "0" * 64}]}}],
    "parameters": {"seed": 1, "share": 0.5, "limit": None, "names": ["a", "b"]},
    "counts": {"sentences": 2},
    "notes": ["made by hand"],
}


def write(folder):
    folder.mkdir(parents=True)
    with PartWriter(folder, sentence_schema()) as writer:
        rows = {"doc_id": ["1", "2"], "sentence_id": pa.array([0, 1], pa.int32()), "tokens": [["a", "b"], ["c"]]}
        writer.write(pa.table(rows, schema=writer.schema))
    return cards.write_card(folder, **ABOUT)


def test_what_is_written_is_read_back(tmp_path):
    card = write(tmp_path / "toy")
    assert cards.read_card(tmp_path / "toy") == card
    assert {key: card[key] for key in ABOUT} == ABOUT
    assert set(card["tools"]) == {"repline", "pyarrow"}


def test_two_equal_folders_have_the_same_card_wherever_they_are(tmp_path):
    for name in ("here", "over/there"):
        write(tmp_path / name)
    here, there = ((tmp_path / name / "card.json").read_bytes() for name in ("here", "over/there"))
    assert here == there and str(tmp_path).encode() not in here


def test_a_plain_mapping_is_a_card_already(tmp_path):
    (tmp_path / "card.json").write_text('{"name": "mine", "licence": "CC0"}')
    assert cards.read_card(tmp_path) == {"name": "mine", "licence": "CC0"}


def test_of_a_stranger_the_common_words_are_known(tmp_path):
    stranger = {"@context": {"@vocab": "https://schema.org/"}, "name": "theirs", "license": "MIT", "recordSet": []}
    (tmp_path / "card.json").write_text(json.dumps(stranger))
    assert cards.read_card(tmp_path) == {"name": "theirs", "licence": "MIT"}


def test_a_folder_without_a_card_is_no_corpus(tmp_path):
    with pytest.raises(InputError, match=r"no card, so .* is not a finished corpus"):
        cards.read_card(tmp_path)


def test_the_page_opens_a_corpus_with_other_tools(tmp_path, monkeypatch, capsys):
    """Run all examples but the one that needs a library which is not installed."""
    write(tmp_path / "data/corpora/wikipedia")
    monkeypatch.chdir(tmp_path)
    section = SNAPSHOTS.read_text(encoding="utf-8").split("## Open a corpus elsewhere")[1].split("\n## ")[0]
    examples = re.findall(r"```python\n(.*?)```", section, re.S)
    ran = [text for text in examples if "from datasets" not in text]
    assert len(ran) == len(examples) - 1 == 2
    namespace = {}
    for example in ran:
        *lines, last = example.strip().splitlines()
        exec("\n".join(lines), namespace)
        namespace["last"] = eval(last, namespace)
        if "pandas" in last:
            assert namespace["last"]["tokens"].map(list).tolist() == [["a", "b"], ["c"]]
    assert namespace["last"] == {"part/doc_id": b"1", "part/sentence_id": 0, "part/tokens": [b"a", b"b"]}
    assert re.search(r"2 │ +1 │", capsys.readouterr().out)  # DuckDB: one sentence of two words


def test_the_bytes_of_the_data_are_not_touched(tmp_path):
    (tmp_path / "toy").mkdir()
    pq.write_table(pa.table({"x": [1]}), tmp_path / "toy/x.parquet")
    before = (tmp_path / "toy/x.parquet").read_bytes()
    cards.write_card(tmp_path / "toy", **ABOUT)
    assert (tmp_path / "toy/x.parquet").read_bytes() == before
    assert {path.name for path in (tmp_path / "toy").iterdir()} == {"x.parquet", "card.json"}


def test_what_split_a_corpus_is_said_by_its_own_card_before_its_sources():
    wikipedia = {"parameters": {"language": "en"}, "tools": {"spacy": "3.8"}, "sources": [{"name": "dump"}]}
    gold_words = {"parameters": {"language": "zh"}, "tools": {"pyarrow": "26"}}  # nothing of ours split them
    assert cards.splitter_of({"parameters": {"by": "parse"}, "sources": [{"corpus": wikipedia}]}) == "en"
    assert cards.splitter_of({"parameters": {"splitter": "blanks"}, "sources": [{"corpus": wikipedia}]}) == "blanks"
    assert cards.splitter_of({"sources": [{"corpus": gold_words}]}) == cards.splitter_of({}) == "treebank"
    assert cards.language_of({"sources": [{"corpus": gold_words}]}) == "zh"
