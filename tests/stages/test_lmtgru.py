"""LMTGRU: the paper's records are whole, and the steps run on a person's own table by parameters."""

import json

import pytest

from repline.evaluation.claims import judgement, published
from tests.stages.in_one_process import run_here, run_steps
from tests.stages.own_table import ROOT, assert_refused, workspace_of
from tests.stages.parameter_files import change
from tests.stages.published_numbers import percent_as_metrics

FOLDER = ROOT / "stages" / "lmtgru"
PUBLISHED = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
CLAIMS = judgement.read(FOLDER / "claims.yaml")
NETWORKS = ["cnn_lmtgru", "lstm", "cnn"]


def test_tables_are_whole():
    sizes = {table["id"]: len(table["rows"]) for table in PUBLISHED["tables"]}
    assert sizes == {"chat": 7, "benchmarks": 67, "random_vectors": 7}


def test_the_papers_own_numbers_uphold_its_claims():
    metrics = percent_as_metrics(PUBLISHED["tables"][0]["rows"])
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    needing = {claim.id for claim in CLAIMS if claim.needs}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == needing
    assert needing == {claim.id for claim in CLAIMS if claim.id.startswith("paper-")}


@pytest.fixture
def workspace(tmp_path):
    """A person's own table, and a section with small networks."""
    recipe = {"dimensions": 4, "filters": 2, "units": 4, "epochs": 1}
    mine = {"edges": [9], "folds": 2, "recipe": recipe}
    text = "{opinion} number {row}, with tea at {number}."
    return workspace_of(tmp_path, "lmtgru", text, texts=20, corpus=mine, networks=NETWORKS)


def step(workspace, name, *arguments):
    return run_here(workspace, f"stages.{name}", *arguments)


def test_the_steps_go_from_a_persons_table_to_claims(workspace):
    prepared = ("labelled.read mine", "labelled.split mine_split", "lmtgru.train_linear mine")
    run_steps(workspace, *prepared, *(f"lmtgru.train mine_{network}" for network in NETWORKS), "lmtgru.evaluate")
    evaluation = workspace / "data/evaluation/lmtgru"
    metrics = json.loads((evaluation / "metrics.json").read_text())["mine"]
    assert metrics["documents"] == {"train": 18, "dev": 2, "test": 20, "labels": 2, "words": 11.0, "majority": 0.5}
    assert set(metrics["networks"]) == set(NETWORKS)
    assert metrics["linear"]["lr_l2"]["accuracy"] == 1
    assert metrics["networks"]["cnn_lmtgru"]["timescales"]["slowest"] == pytest.approx(1.25, abs=0.01)
    assert "timescales" not in metrics["networks"]["lstm"]
    assert set(metrics["networks"]["cnn"]["by_length"]) == {"below_9", "from_9"}
    assert {claim["verdict"] for claim in json.loads((evaluation / "claims.json").read_text())} == {"not run"}
    assert (workspace / "data/models/lmtgru/networks/mine/cnn_lmtgru/fold-1/seed-0/model.safetensors").is_file()
    assert not list((workspace / "data/scratch").glob("lmtgru-*"))


@pytest.mark.parametrize(
    ("line", "section", "changes", "message"),
    [
        ("train mine_lstm", "lmtgru.corpora.mine", {}, "the texts cannot be read"),
        ("train yours", "lmtgru.corpora.mine", {}, "expected the name of a training, one of: mine_"),
        ("train mine_lstm", "lmtgru.corpora.mine", {"folds": 1}, "lmtgru.corpora.mine.folds should be"),
        ("train mine_lstm", "lmtgru.networks.gru", {"tau": 2}, "unknown parameter 'lmtgru.networks.gru.tau'"),
        ("train mine_lstm", "lmtgru.networks.gru", {"start": "vectors"}, "gru: its start should be random"),
        (
            "train mine_lstm",
            "lmtgru.networks.gru",
            {"kind": "bert"},
            "networks.gru.kind should be one of lmtgru",
        ),
        (
            "train mine_lstm",
            "lmtgru.trainings.mine_lstm",
            {"network": "lmtrgu"},
            "no network 'lmtrgu'; did you mean",
        ),
        ("train mine_lstm", "lmtgru.corpora.mine", {"edges": [5, 3]}, "edges: lengths should rise, found [5, 3]"),
        ("train_linear mine", "lmtgru.linear", {"peers": ["forest"]}, "lmtgru.linear.peers[0] should be"),
        ("evaluate", "lmtgru.corpora.mine", {}, "the texts cannot be read"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(workspace, line, section, changes, message):
    change(workspace, section, **changes)
    finished = step(workspace, *f"lmtgru.{line}".split())
    assert_refused(finished, message, workspace)


def test_timescales_below_one_are_one_sentence_and_leave_no_model(workspace):
    for line in ("labelled.read mine", "labelled.split mine_split"):
        assert step(workspace, *line.split()).returncode == 0
    change(workspace, "lmtgru.networks.cnn_lmtgru", timescales=[0.5, 1.0])
    finished = step(workspace, "lmtgru.train", "mine_cnn_lmtgru")
    assert finished.returncode == 1
    assert "expected timescales of 1 or more, found [0.5, 1.0]" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert not (workspace / "data/models/lmtgru/networks/mine/cnn_lmtgru").exists()
