import json

import pyarrow.parquet as pq
import pytest

from repline.lexicons.wordnet import storage
from tests.corpora.entities.small_gazetteer import wordnet, write_places
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

ENTITIES = {
    "gazetteer": {
        "geonames": "raw/places",
        "wordnet": "lexicons/wordnet",
        "own": "own_names.tsv",
        "smallest_city": 100_000,
    },
    "corpora": {"news": {"source": "own/news.txt"}},
    "rewritten": {"news_type": {"source": "corpora/news", "mode": "type"}},
    "gold": {"small": {"source": "raw/gold"}},
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("entities")
    parameter_files.write(folder, {"entities": ENTITIES})
    (folder / "own_names.tsv").write_text("# none\n")
    write_places(folder / "data/raw/places")
    storage.save(wordnet(), folder / "data/lexicons/wordnet", name="small", licence="CC0", sources=[])
    (folder / "data/own").mkdir()
    (folder / "data/own/news.txt").write_text("Angela Merkel left Helsinki in 2015.\n")
    (folder / "data/raw/gold").mkdir()
    (folder / "data/raw/gold/a.iob2").write_text("1\tin\tO\n2\tHelsinki\tB-LOC\n\n1\tNiels\tB-PER\n2\tBohr\tI-PER\n")
    return folder


def test_from_lists_to_a_corpus_and_its_scores(workspace):
    steps = ("gazetteer", "recognise news", "rewrite news_type", "evaluate small")
    assert run_steps(workspace, *(f"entities.{step}" for step in steps)).stderr == ""
    (row,) = pq.read_table(workspace / "data/corpora/news_type/part-00000.parquet").to_pylist()
    assert row["tokens"] == ["c-person", "leave", "c-location", "in", "2015"]
    metrics = json.loads((workspace / "data/evaluation/entities/small.json").read_text())
    assert {"none", "all", "without_cities", "without_titles"} <= set(metrics)
    assert "without_own" not in metrics
    assert metrics["all"]["overall"]["f1"] == 1
    assert metrics["all"]["gain"]["f1"] == 1 - metrics["none"]["overall"]["f1"]


@pytest.mark.parametrize(
    ("stage", "change", "message"),
    [
        (["recognise", "new"], {}, "expected the name of a corpus, one of: news"),
        (["rewrite", "news_type"], {"rewritten": {"news_type": {"source": "x", "mode": "typ"}}}, "should be 'type', "),
        (["rewrite", "news_type"], {"rewritten": {}}, "one of: none is named"),
        (["recognise", "news"], {"corpora": {"news": {"source": "x", "rule": []}}}, "did you mean 'rules'?"),
        (["gazetteer"], {"gazetteer": ENTITIES["gazetteer"] | {"smallest_city": -1}}, "greater than or equal to 0"),
        (["gazetteer"], {"gazetteer": ENTITIES["gazetteer"] | {"own": "absent.tsv"}}, "absent.tsv: there is no such"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(tmp_path, stage, change, message):
    parameter_files.write(tmp_path, {"entities": ENTITIES | change})
    before = sorted(tmp_path.rglob("*"))
    name, *arguments = stage
    failed = run_here(tmp_path, f"stages.entities.{name}", *arguments)
    assert failed.returncode == 1
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before
