"""HCAN: the paper's records are whole, and the steps run on a person's own table by parameters."""

import json

import pytest

from repline.evaluation.claims import judgement, published
from tests.commands import run_command
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps
from tests.stages.own_table import ROOT, assert_refused, workspace_of
from tests.stages.parameter_files import change
from tests.stages.published_numbers import percent_as_metrics

FOLDER = ROOT / "stages" / "hcan"
PUBLISHED = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
CLAIMS = judgement.read(FOLDER / "claims.yaml")
NETWORKS = ["hcan", "flat_one_maxpool", "han"]


def test_tables_are_whole():
    sizes = {table["id"]: len(table["rows"]) for table in PUBLISHED["tables"]}
    assert sizes == {"accuracy": 48, "milliseconds": 40, "total": 48}


def test_the_papers_own_numbers_uphold_its_claims():
    metrics = percent_as_metrics(PUBLISHED["tables"][0]["rows"])
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    needing = {claim.id for claim in CLAIMS if claim.needs}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == needing
    assert needing == {claim.id for claim in CLAIMS if claim.id.startswith("paper-")}


@pytest.fixture
def workspace(tmp_path):
    """A person's own table, and a section with small networks."""
    recipe = {"features": 4, "heads": 2, "dimensions": 4, "epochs": 2, "minimum_count": 1, "sentences": 3, "length": 6}
    mine = {"vectors": "train", "edges": [11], "recipe": recipe}
    vectors = parameter_files.shared()["hcan"]["vectors"] | {"epochs": 1}
    text = "{opinion} number {row}. We had tea at {number}."
    further_settings = {"splitting": "marks", "vectors": vectors, "shown": 3}
    return workspace_of(tmp_path, "hcan", text, corpus=mine, networks=NETWORKS, **further_settings)


def step(workspace, name, *arguments):
    return run_here(workspace, f"stages.{name}", *arguments)


def test_the_steps_go_from_a_persons_table_to_claims(workspace):
    lines = ("labelled.read mine", "labelled.split mine_split", "hcan.train_linear mine", "hcan.train_vectors mine")
    run_steps(workspace, *lines, *(f"hcan.train mine_{network}" for network in NETWORKS), "hcan.evaluate")
    evaluation = workspace / "data/evaluation/hcan"
    metrics = json.loads((evaluation / "metrics.json").read_text())["mine"]
    assert metrics["documents"] == {"train": 48, "dev": 6, "test": 6, "labels": 2, "majority": 0.5}
    assert set(metrics["networks"]) == set(NETWORKS)
    assert metrics["linear"]["lr_l2"]["accuracy"] == 1
    assert set(metrics["networks"]["hcan"]["by_length"]) == {"below_11", "from_11"}
    assert {claim["verdict"] for claim in json.loads((evaluation / "claims.json").read_text())} == {"not run"}
    page = (evaluation / "attention/mine.html").read_text()
    assert page.count("<h2>") == 3
    assert "<script" not in page
    assert page.count('<p class="sentence"') == 6
    assert not list((workspace / "data/scratch").glob("hcan-*"))


@pytest.mark.parametrize(
    ("line", "section", "changes", "message"),
    [
        ("labelled.read mine", "labelled.corpora.mine", {"source": "own/absent.tsv"}, "there is no such file"),
        ("labelled.split mine_split", "labelled.splits.mine_split", {}, "found no part-*.parquet"),
        ("labelled.split mine_split", "labelled.splits.mine_split", {"split": "x"}, "unknown parameter"),
        ("hcan.train mine_hcan", "hcan.corpora.mine", {}, "the texts cannot be read"),
        ("hcan.train yours", "hcan.corpora.mine", {}, "expected the name of a training, one of: mine_"),
        ("hcan.train mine_hcan", "hcan.networks.hcan", {"pool": "max"}, "unknown parameter 'hcan.networks.hcan.pool'"),
        ("hcan.train_vectors mine", "hcan.vectors", {"dimensions": 5}, "dimensions is set in the recipe"),
        (
            "hcan.train mine_hcan",
            "hcan.networks.hcan",
            {"kind": "bert"},
            "networks.hcan.kind should be one of hcan",
        ),
        (
            "hcan.train mine_hcan",
            "hcan.trainings.mine_hcan",
            {"network": "hacn"},
            "no network 'hacn'; did you mean",
        ),
        ("hcan.train mine_hcan", "hcan.corpora.mine", {"edges": [5, 3]}, "edges: lengths should rise, found [5, 3]"),
        ("hcan.train_linear mine", "hcan.linear", {"peers": ["forest"]}, "hcan.linear.peers[0] should be"),
        ("hcan.evaluate", "hcan.corpora.mine", {}, "the texts cannot be read"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(workspace, line, section, changes, message):
    change(workspace, section, **changes)
    finished = step(workspace, *line.split())
    assert_refused(finished, message, workspace)


def test_the_command_compares_classifiers_of_a_table(workspace):
    arguments = ["data/own/mine.tsv", "--models", "lr_l2", "naive_bayes", "--json", "scores.json"]
    finished = run_command(workspace, "repline.evaluation.classification", *arguments)
    assert finished.returncode == 0, finished.stderr
    assert "42 train, 6 dev, 12 test, 2 labels" in finished.stdout
    assert json.loads((workspace / "scores.json").read_text())["models"]["lr_l2"]["accuracy"] == 1
    finished = run_command(workspace, "repline.evaluation.classification", "absent.tsv")
    assert finished.returncode == 1
    assert "absent.tsv: there is no such file" in finished.stderr
    assert "Traceback" not in finished.stderr
