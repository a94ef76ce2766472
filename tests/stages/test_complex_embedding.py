"""complex_embedding: the paper's records are whole, and the steps run on a person's own table by parameters."""

import json

import pytest

from repline.evaluation.claims import judgement, published
from tests.stages.in_one_process import run_here, run_steps
from tests.stages.own_table import ROOT, assert_refused, workspace_of
from tests.stages.parameter_files import change

FOLDER = ROOT / "stages" / "complex_embedding"
PUBLISHED = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
CLAIMS = judgement.read(FOLDER / "claims.yaml")
NETWORKS = ["ce_mix", "ce_sup", "real", "cnn"]
SETS = ("cr", "mpqa", "subj", "mr", "sst")


def test_tables_are_whole():
    sizes = {table["id"]: len(table["rows"]) for table in PUBLISHED["tables"]}
    assert sizes == {"statistics": 5, "accuracy": 38}


def test_the_papers_own_numbers_uphold_its_comparisons():
    metrics: dict = {name: {"networks": {}, "linear": {}} for name in SETS}
    for row in PUBLISHED["tables"][1]["rows"]:
        kind = "networks" if row["variant"] in ("real", "ce_mix", "ce_sup") else "linear"
        metrics[row["dataset"].lower()][kind][row["variant"]] = {"accuracy": row["value"] / 100}
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    pairs = [f"{name}-{pair}" for name in SETS for pair in ("mix-above-real", "sup-above-real", "mix-above-sup")]
    above = [f"{name}-mix-above-tfidf" for name in SETS if name != "sst"]
    bags = [name for name in judged if name.startswith("paper-")]
    assert {judged[name] for name in (*pairs, *above, *bags)} == {"holds"}
    assert len(bags) == 5


@pytest.fixture
def workspace(tmp_path):
    """A person's own table, and a section with small networks."""
    recipe = {"dimensions": 4, "epochs": 2, "length": 12}
    mine = {"edges": [8], "recipe": recipe}
    text = "{opinion} number {row}, with tea at {number}"
    return workspace_of(tmp_path, "complex_embedding", text, corpus=mine, networks=NETWORKS)


def step(workspace, name, *arguments):
    return run_here(workspace, f"stages.{name}", *arguments)


def test_the_steps_go_from_a_persons_table_to_claims(workspace):
    lines = ("labelled.read mine", "labelled.split mine_split", "complex_embedding.train_linear mine")
    trainings = [f"complex_embedding.train mine_{network}" for network in NETWORKS]
    run_steps(workspace, *lines, *trainings, "complex_embedding.evaluate")
    evaluation = workspace / "data/evaluation/complex_embedding"
    metrics = json.loads((evaluation / "metrics.json").read_text())["mine"]
    assert metrics["documents"] == {"train": 48, "dev": 6, "test": 6, "labels": 2, "majority": 0.5}
    assert set(metrics["networks"]) == set(NETWORKS)
    assert metrics["linear"]["lr_l2"]["accuracy"] == 1
    assert metrics["exact"]["ce_mix"]["additivity"] < 1e-9 < 1e-4 < metrics["exact"]["ce_sup"]["additivity"]
    assert set(metrics["exact"]) == {"ce_mix", "ce_sup", "real"}
    assert {claim["verdict"] for claim in json.loads((evaluation / "claims.json").read_text())} == {"not run"}
    assert not list((workspace / "data/scratch").glob("complex_embedding-*"))


@pytest.mark.parametrize(
    ("line", "section", "changes", "message"),
    [
        ("train mine_ce_mix", "corpora.mine", {}, "the texts cannot be read"),
        ("train yours", "corpora.mine", {}, "expected the name of a training, one of: mine_"),
        ("train mine_ce_mix", "networks.ce_mix", {"phase": "zero"}, "networks.ce_mix.phase'; did you mean 'phases'?"),
        ("train mine_ce_mix", "networks.ce_mix", {"kind": "quantum"}, "ce_mix.kind should be one of complex"),
        ("train mine_ce_mix", "networks.ce_mix", {"readout": "vector"}, "readout vector is of a superposition"),
        ("train mine_ce_mix", "networks.ce_mix", {"phases": "none"}, "phases should be 'learned', 'random', 'zero'"),
        ("train mine_ce_mix", "recipe", {"gradient_clip": -5.0}, "complex_embedding.recipe.gradient_clip should"),
        ("train mine_ce_mix", "trainings.mine_ce_mix", {"network": "ce_mixed"}, "no network 'ce_mixed'; did you mean"),
        ("train mine_ce_mix", "corpora.mine", {"edges": [5, 3]}, "edges: lengths should rise, found [5, 3]"),
        ("train_linear mine", "linear", {"peers": ["forest"]}, "complex_embedding.linear.peers[0] should be"),
        ("evaluate", "corpora.mine", {}, "the texts cannot be read"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(workspace, line, section, changes, message):
    change(workspace, f"complex_embedding.{section}", **changes)
    process = step(workspace, *f"complex_embedding.{line}".split())
    assert_refused(process, message, workspace)
