import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from repline.cards import read_card
from tests.commands import run_command
from tests.corpora.wikipedia.dumps import dump, multistream, page, pages, write
from tests.stages import parameter_files
from tests.stages.in_one_process import run_apart, run_here

ROOT = Path(__file__).parents[2]


@pytest.fixture
def workspace(tmp_path):
    parameters = {"source": "small", "language": "en", "on_error": "stop", "verify": True}
    parameter_files.write(tmp_path, {"wikipedia": parameters})
    return tmp_path


def source(workspace, xml):
    folder = workspace / "data/raw/small"
    folder.mkdir(parents=True, exist_ok=True)
    path = write(folder, xml, "xml.bz2")
    data = path.read_bytes()
    file = {"name": path.name, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    (folder / "card.json").write_text(json.dumps({"name": "small", "licence": "CC BY-SA 4.0", "files": [file]}))
    return file


def stage(workspace, name, **options):
    return run_command(workspace, f"stages.wikipedia.{name}", **options)


def change(workspace, **changes):
    path = workspace / "params.yaml"
    parameters = yaml.safe_load(path.read_text())
    parameters["wikipedia"] |= changes
    path.write_text(yaml.safe_dump(parameters))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_dump_becomes_articles_and_then_sentences_twice_the_same(workspace):
    file = source(workspace, dump(pages(12)))
    outputs = []
    for fresh in (False, True):
        finished = run_apart(workspace, "wikipedia.extract", "wikipedia.annotate", fresh=fresh)
        assert finished.stdout.startswith("data/corpora/wikipedia_articles: 8 articles, 2 redirects, 12 pages\n")
        outputs.append([contents(workspace / "data/corpora" / name) for name in ("wikipedia_articles", "wikipedia")])
    assert outputs[0] == outputs[1]
    rows = pq.read_table(workspace / "data/corpora/wikipedia/part-00000.parquet").to_pylist()
    assert [row["tokens"] for row in rows[:2]] == [
        ["Cat", "1", "is", "a", "cat", "."],
        ["It", "eats", "1", "mice", "&", "rats", "."],
    ]
    assert (rows[1]["section"], rows[1]["sentence_id"], rows[1]["doc_id"]) == ("Food", 1, "1")
    card = read_card(workspace / "data/corpora/wikipedia")
    assert card["sources"][0]["corpus"]["sources"] == [file]
    assert card["licence"] == "CC BY-SA 4.0"
    assert card["counts"] == {"documents": 8, "sentences": len(rows), "tokens": sum(len(row["tokens"]) for row in rows)}
    assert str(workspace) not in json.dumps(card)


def test_chinese_has_tokens_only(workspace):
    text = "'''清华大学'''在[[北京]]。-{zh-hans:计算机;zh-hant:電腦}-很好！"
    source(workspace, dump([page(1, "清华大学", text)], "zh"))
    change(workspace, language="zh")
    assert stage(workspace, "extract").returncode == 0
    assert stage(workspace, "annotate").stderr == ""
    rows = pq.read_table(workspace / "data/corpora/wikipedia/part-00000.parquet").to_pylist()
    assert [row["tokens"] for row in rows] == [["清华大学", "在", "北京", "。"], ["计算机", "很", "好", "！"]]
    assert set(rows[0]) == {"doc_id", "sentence_id", "section", "tokens"}


def test_lost_templates_are_printed_at_the_end(workspace):
    source(workspace, dump([page(1, "Cat", "A {{lang|de|Katze}} and {{kit|x}} are{{clear}} {{kit}} {{pet}} here.")]))
    finished = stage(workspace, "extract")
    assert finished.stdout.splitlines()[-1] == (
        "templates: 1 left words, 3 in sentences have no rule (kit 2, pet 1); 1 show no words, 0 stood alone"
    )
    change(workspace, templates={"unknown": "text", "rules": {"pet": "dog"}})
    assert stage(workspace, "extract").returncode == 0
    row = pq.read_table(workspace / "data/corpora/wikipedia_articles/part-00000.parquet").to_pylist()[0]
    assert row["sections"][0]["paragraphs"] == ["A Katze and x are dog here."]


def test_a_broken_dump_is_one_sentence_and_changes_nothing(workspace):
    source(workspace, dump(pages(12)))
    assert stage(workspace, "extract").returncode == 0
    before = contents(workspace / "data/corpora/wikipedia_articles")
    source(workspace, dump(pages(12))[:-900])
    finished = stage(workspace, "extract")
    assert finished.returncode == 1
    assert finished.stderr.startswith(
        "stages.wikipedia.extract: data/raw/small/wiki-pages-articles.xml.bz2: the dump is cut off"
    )
    assert finished.stderr.count("\n") == 1
    assert contents(workspace / "data/corpora/wikipedia_articles") == before
    change(workspace, on_error="salvage")
    finished = stage(workspace, "extract")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert "note: salvaged: " in finished.stdout


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"on_error": "ignore"}, "wikipedia.on_error should be"),
        ({"templates": {"unknown": "keep"}}, "wikipedia.templates.unknown should be"),
        ({"templates": {"rules": {"x": "{1:y}"}}}, "looks up the table 'y', which does not exist"),
        ({"langauge": "en"}, "did you mean 'language'?"),
        ({"language": "de"}, "the language asked for is 'de', but the dump says xml:lang='en'"),
        ({"source": "other"}, "so the source is not here"),
    ],
)
def test_wrong_parameters(workspace, changes, message):
    source(workspace, dump(pages(6)))
    change(workspace, **changes)
    finished = run_here(workspace, "stages.wikipedia.extract")
    assert finished.returncode == 1 and message in finished.stderr and finished.stderr.count("\n") == 1


def test_annotation_needs_finished_articles(workspace):
    finished = run_here(workspace, "stages.wikipedia.annotate")
    assert finished.returncode == 1 and "is not a finished corpus" in finished.stderr


@pytest.fixture
def cluster(tmp_path_factory):
    pytest.importorskip("distributed")
    from tests.flows.servers.dask_cluster import Cluster

    cluster = Cluster(tmp_path_factory.mktemp("cluster"), os.environ | {"OMP_NUM_THREADS": "1"})
    yield cluster
    cluster.stop()


def test_two_workers_of_a_cluster_give_the_same_bytes_though_one_is_killed(workspace, cluster):
    folder = workspace / "data/raw/small"
    source(workspace, dump(pages(12)))
    path = next(folder.glob("*.bz2"))
    path.write_bytes(multistream(pages(12_000), per_stream=300))
    card = json.loads((folder / "card.json").read_text())
    data = path.read_bytes()
    card["files"][0] |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    (folder / "card.json").write_text(json.dumps(card))
    assert stage(workspace, "extract").returncode == 0
    alone = contents(workspace / "data/corpora/wikipedia_articles")
    for name in ("one", "two"):
        cluster.worker(name, PYTHONPATH=str(ROOT))
    cluster.wait_for_workers(2)
    change(workspace, executor="dask")
    command = [sys.executable, "-m", "stages.wikipedia.extract"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DASK_SCHEDULER_ADDRESS": cluster.address}
    log = cluster.folder / "scheduler" / "log"
    before = log.read_text().count("Receive client connection")
    with subprocess.Popen(command, cwd=workspace, env=environment, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while log.read_text().count("Receive client connection") == before:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        cluster.kill("one")
        errors = process.communicate(timeout=200)[1]
    assert process.returncode == 0, errors
    assert contents(workspace / "data/corpora/wikipedia_articles") == alone
    assert cluster.workers() == 1


def test_a_cluster_that_is_not_there_is_one_sentence(workspace):
    source(workspace, dump(pages(12)))
    change(workspace, executor="dask")
    finished = stage(workspace, "extract", without=("DASK_SCHEDULER_ADDRESS",))
    assert finished.returncode == 1 and "there is no cluster: run the flow with --runner dask" in finished.stderr
    change(workspace, executor="slurm")
    finished = stage(workspace, "extract")
    assert finished.returncode == 1 and "wikipedia.executor" in finished.stderr and "Traceback" not in finished.stderr
