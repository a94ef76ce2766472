import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from repline.corpora.treebanks import made_treebank
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

ROOT = Path(__file__).parents[2]
CHUNKS = parameter_files.shared()["chunks"]
CHUNKS["parsed"] = {"chunks": {"source": "raw/made_treebank"}}
CHUNKS["tagged"] = {"text_chunks": {"source": "raw/text", "tagger": "running"}}
CHUNKS["tagger"] |= {"max_iterations": 20}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chunks")
    parameter_files.write(folder, {"chunks": CHUNKS})
    made_treebank.write(folder / "data/raw/made_treebank", seed=1, documents=10, sentences=12)
    (folder / "data/raw/text").mkdir()
    for split in ("train", "valid", "test"):
        (folder / f"data/raw/text/ptb.{split}.txt").write_text("the old king saw a <unk>\n")
    for name in ("made_treebank", "text"):
        card = json.dumps({"name": name, "licence": "CC0", "files": []})
        (folder / "data/raw" / name / "card.json").write_text(card)
    return folder


def _stage(folder, name, *arguments):
    return run_here(folder, f"stages.chunks.{name}", *arguments)


def test_from_a_parse_to_taggers_and_their_scores(workspace):
    steps = ("write chunks", "train", "evaluate", "tag text_chunks")
    assert run_steps(workspace, *(f"chunks.{step}" for step in steps)).stderr == ""
    metrics = json.loads((workspace / "data/evaluation/chunks/metrics.json").read_text())
    assert set(metrics["tagger"]) == {"tags", "words", "running"}
    assert metrics["tagger"]["tags"]["overall"]["f1"] > 0.5
    assert "rules" not in metrics  # they made these chunks themselves
    row = pq.read_table(workspace / "data/corpora/text_chunks/part-00000.parquet").to_pylist()[0]
    assert len(row["chunk"]) == len(row["tokens"])


@pytest.mark.parametrize(
    ("stage", "change", "message"),
    [
        (["write", "chunk"], {}, "expected the name of a corpus, one of: chunks"),
        (["write", "chunks"], {"parsed": {"chunks": {}}}, "chunks.parsed.chunks.source is missing"),
        (["write", "chunks"], {"parsd": {}}, "unknown parameter 'chunks.parsd'; did you mean 'parsed'?"),
        (
            ["write", "chunks"],
            {"parsed": {"chunks": {"source": "raw/text"}}},
            "chunks by parse need the column tag, head, dep",
        ),
        (
            ["tag", "text_chunks"],
            {"tagged": {"text_chunks": {"source": "raw/text", "tagger": "runing"}}},
            "chunks.tagged.text_chunks.tagger should be 'tags', 'words' or 'running', found 'runing'",
        ),
        (["train"], {"tagger": CHUNKS["tagger"] | {"c3": 3}}, "unknown parameter 'chunks.tagger.c3'"),
        (
            ["train"],
            {"tagger": CHUNKS["tagger"] | {"sentences": "all"}},
            "chunks.tagger.sentences should be a valid integer",
        ),
        (["train"], {"tagger": CHUNKS["tagger"] | {"test_share": 1.5}}, "test_share should be less than 1, found 1.5"),
        (["evaluate"], {"tagger": CHUNKS["tagger"] | {"source": "raw/absent"}}, "there is no such file"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(workspace, tmp_path, stage, change, message):
    parameter_files.write(tmp_path, {"chunks": CHUNKS | change})
    (tmp_path / "data").mkdir()
    (tmp_path / "data/raw").symlink_to(workspace / "data/raw")
    (tmp_path / "data/corpora").symlink_to(workspace / "data/raw")
    before = sorted(tmp_path.rglob("*"))
    failed = _stage(tmp_path, *stage)
    assert failed.returncode == 1
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before
