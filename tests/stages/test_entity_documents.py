"""Names in documents: the paper's records are whole, and the steps run on a person's own documents by parameters."""

import json
from pathlib import Path

import numpy as np
import pytest

import stages
from repline.evaluation.claims import judgement, published
from repline.vectors import store
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps
from tests.stages.parameter_files import change
from tests.stages.published_numbers import percent_as_metrics
from tests.systems.entity_documents.small_documents import write_small

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "entity_documents"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = judgement.read(FOLDER / "claims.yaml")


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {"sectors": 27, "topics": 24}


def test_the_papers_own_numbers_uphold_its_claims():
    metrics = percent_as_metrics(row for rows in TABLES.values() for row in rows if "measured" in row)
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    needing = {claim.id for claim in CLAIMS if claim.needs}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == needing
    assert "fails" not in judged.values()
    assert needing == {claim.id for claim in CLAIMS if claim.id.startswith("paper-")}


def test_every_claim_on_small_data_is_made_on_reuters_too():
    ids = {scale: {claim.id for claim in CLAIMS if claim.scale == scale} for scale in ("small", "real")}
    more_text = {
        "reuters-more-text",
        "reuters-more-text-topics",
    }
    assert {f"reuters-{name}" for name in ids["small"]} == ids["real"] - more_text


@pytest.fixture
def workspace(tmp_path):
    """A person's own documents, public vectors, and a section with a small network."""
    (tmp_path / "stages").symlink_to(ROOT / "stages")
    write_small(tmp_path / "data/own")
    store.save(tmp_path / "data/vectors/mine", ["they", "paris", "apart"], np.eye(3, 2))
    (tmp_path / "data/lexicons/entity_gazetteer").mkdir(parents=True)
    (tmp_path / "data/lexicons/entity_gazetteer/names.tsv").write_text("Paris\tGPE\n", encoding="utf-8")
    shared = parameter_files.shared()["entity_documents"]
    corpus = {"documents": "own/documents", "labels": "own/labels", "tasks": ["topics", "places"]}
    network = shared["network"] | {"dimensions": 2, "layers": [{"widths": [3], "filters": 4}], "epochs": 2}
    section = shared | {
        "corpora": {"mine": corpus | {"dev": 10, "test": 15, "least": 5}},
        "vectors": shared["vectors"] | {"dimensions": 2, "iterations": 1},
        "public": "mine",
        "network": network,
        "shown": ["paris", "they"],
    }
    parameter_files.write(tmp_path, {"profile": "tiny", "entity_documents": section})
    return tmp_path


def test_the_steps_go_from_a_persons_documents_to_claims(workspace):
    variants = parameter_files.read(workspace)["entity_documents"]["variants"]
    steps = ["prepare mine", *(f"train mine {variant}" for variant in variants), "train_linear mine", "evaluate"]
    run_steps(workspace, *(f"entity_documents.{step}" for step in steps))
    evaluation = workspace / "data/evaluation/entity_documents"
    metrics = json.loads((evaluation / "metrics.json").read_text())["mine"]
    assert metrics["documents"]["test"] == 15
    assert set(metrics["cnn"]["places"]) == {"type", "name", "split_name", "split_name_common", "split_name_random"}
    assert set(metrics["linear"]["topics"]) == {"type", "name", "split_name", "split_name_common", "drop"}
    assert metrics["linear"]["places"]["split_name"]["half"] == {"micro": 1.0, "macro": 1.0}
    assert metrics["linear"]["places"]["type"]["half"]["micro"] < 0.8
    assert {claim["verdict"] for claim in json.loads((evaluation / "claims.json").read_text())} == {"not run"}
    near = json.loads((evaluation / "figures.json").read_text())[-1]
    assert "they" in json.dumps(near) and "paris_NE" in json.dumps(near)
    assert not list((workspace / "data/scratch").glob("entity_documents-*"))


@pytest.mark.parametrize(
    ("step", "section", "changes", "message"),
    [
        ("prepare mine", "entity_documents.corpora.mine", {"test": 50}, "60 different documents with all labels"),
        ("prepare mine", "entity_documents.corpora.mine", {"task": []}, "did you mean 'tasks'?"),
        ("prepare mine", "entity_documents.corpora.mine", {"labels": "own/absent"}, "found no part-*.parquet"),
        ("prepare yours", "entity_documents", {}, "expected the name of a corpus, one of: mine"),
        ("train mine type", "entity_documents", {}, "the documents cannot be read"),
        ("train mine", "entity_documents", {}, "expected the names of a corpus and a variant, found mine"),
        ("train mine a", "entity_documents.variants", {"a-b": {"mode": "type", "vectors": "random"}}, "found 'a-b'"),
        ("train mine type", "entity_documents.network", {"filter": 1}, "'entity_documents.network.filter'"),
        ("train_linear mine", "entity_documents.linear", {"modes": ["typ"]}, "should be 'type', 'name'"),
        ("evaluate", "entity_documents", {}, "labels.json"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(workspace, step, section, changes, message):
    change(workspace, section, **changes)
    name, *arguments = step.split()
    process = run_here(workspace, f"stages.entity_documents.{name}", *arguments)
    assert process.returncode == 1
    assert message in process.stderr
    assert "Traceback" not in process.stderr
    written = [path.relative_to(workspace / "data") for path in (workspace / "data").rglob("*") if path.is_file()]
    assert {path.parts[0] for path in written} == {"own", "vectors", "lexicons"}
