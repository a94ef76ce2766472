"""context_parser: the paper's records are whole, and the steps run on a person's own scenes by parameters alone."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import stages
from repline.corpora.scenes.made_scenes import make_scenes
from repline.corpora.scenes.recipes import SceneCorpus
from repline.corpora.scenes.scene_corpus import write_scene_corpus
from repline.corpora.scenes.scene_files import write_scenes
from repline.evaluation.claims import judgement, published
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "context_parser"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
SETTINGS = {
    "uni": {"context": False},
    "context_5": {"original": 5.0, "inferred": 5.0},
    "shuffled_5": {"original": 5.0, "inferred": 5.0, "shuffled": True},
}


def test_tables_are_whole_and_add_up():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "templates": 50, "complexity": 15, "completion": 36, "shipped": 36
    }  # fmt: skip
    for column in ("sentences", "gaps", "NP", "VP", "ADJ"):
        *kinds, total = [row["value"] for row in TABLES["templates"] if row["column"] == column]
        assert sum(kinds) == total
    assert [row["value"] for row in TABLES["completion"]] == [row["value"] for row in TABLES["shipped"]]


def test_what_the_paper_prints_upholds_its_claims_but_for_what_it_prints_wrong():
    metrics = {"mdtc": {}}
    for row in TABLES["completion"]:
        _, setting, measure = row["measured"].split(".")
        metrics["mdtc"].setdefault(setting, {})[measure] = row["value"]
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "real", [metrics] * 2)}
    assert "fails" not in judged.values()
    measured = {name for name, verdict in judged.items() if verdict == "holds"}
    assert {"mdtc-context-solves", "mdtc-language-does-not", "mdtc-weight-helps", "mdtc-syntax-pays"} <= measured
    assert metrics["mdtc"]["context_1"]["complete"] > metrics["mdtc"]["context_1"]["efi"]  # cannot be


def test_every_claim_on_made_scenes_is_made_on_md_tc_too():
    ids = {scale: {claim.id for claim in CLAIMS if claim.scale == scale} for scale in ("small", "real")}
    assert {f"mdtc-{name}" for name in ids["small"]} < ids["real"]


@pytest.fixture
def workspace(tmp_path):
    """A person's own scenes as a corpus, with a third of its gaps, and a section with three settings."""
    (tmp_path / "stages").symlink_to(ROOT / "stages")
    scenes = [replace(scene, gapped=scene.gapped[::3]) for scene in make_scenes(seed=7, scenes=2)]
    write_scenes(tmp_path / "data/own/kitchen", scenes)
    write_scene_corpus(tmp_path / "data/corpora/kitchen", SceneCorpus(source="own/kitchen"), tmp_path / "data")
    section = parameter_files.shared()["context_parser"] | {"settings": SETTINGS}
    return change(tmp_path, section | {"corpora": {"kitchen": {"corpus": "corpora/kitchen", "folds": 2}}})


def change(workspace, section):
    parameter_files.write(workspace, {"profile": "tiny", "context_parser": section})
    return workspace


def test_the_steps_go_from_a_persons_scenes_to_claims(workspace):
    run_steps(workspace, *(f"context_parser.{step}" for step in ("train kitchen", "complete kitchen", "evaluate")))
    evaluation = workspace / "data/evaluation/context_parser"
    metrics = json.loads((evaluation / "metrics.json").read_text())
    records = metrics["kitchen"]
    assert 25 < records["gaps"] < 70 and records["candidates"]["mean"] > 300
    assert records["context_5"]["efi"] > 60 > records["uni"]["efi"]
    assert records["context_5"]["efi"] > records["shuffled_5"]["efi"] + 30
    assert records["context_5"]["searched"] < 0.1
    for name in SETTINGS:
        assert records[name]["complete"] <= records[name]["efi"] <= records[name]["word"]
        assert len(records[name]["efi_by_fold"]) == 2
    assert {claim["verdict"] for claim in json.loads((evaluation / "claims.json").read_text())} == {"not run"}
    for model in ("all", "fold-1/context", "fold-2/uni"):
        assert (workspace / "data/models/context_parser/parsers/kitchen" / model / "model.safetensors").is_file()


@pytest.mark.parametrize(
    ("read_at", "changes", "message"),
    [
        (
            "corpora",
            {"kitchen": {"corpus": "corpora/kitchen", "folds": 4}},
            "expected 4 scenes or more, one for each fold, found 2",
        ),
        ("corpora", {"kitchen": {"corpus": "corpora/attic", "folds": 2}}, "expected a corpus of scenes"),
        ("corpora", {"kitchen": {"corpus": "corpora/kitchen", "folds": 2, "shipped": True}}, "take `shipped: false`"),
        ("corpora", {"kitchen": {"corpus": "corpora/kitchen", "fold": 2}}, "did you mean 'folds'?"),
        (
            "corpora",
            {"my kitchen": {"corpus": "corpora/kitchen", "folds": 2}},
            "a name should be a word like without_attention, found 'my kitchen'",
        ),
        ("settings", {"context_5": {"original": -5.0}}, "settings.context_5.original should be greater than or equal"),
        ("parser", {"c": 0.0, "epochs": 1}, "context_parser.parser.c should be greater than 0"),
        ("parser", {"next_to": "never"}, "next_to should be 'always' or 'mentioned'"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(workspace, read_at, changes, message):
    section = parameter_files.read(workspace)["context_parser"]
    change(workspace, section | {read_at: changes})
    name = "my kitchen" if "my kitchen" in changes else "kitchen"
    completed = run_here(workspace, "stages.context_parser.train", name)
    assert completed.returncode == 1 and "Traceback" not in completed.stderr
    assert message in completed.stderr
    assert not (workspace / "data/models/context_parser/parsers/kitchen").exists()


def test_steps_say_what_must_come_before(workspace):
    completed = run_here(workspace, "stages.context_parser.complete", "kitchen")
    assert completed.returncode == 1 and "so data/models/context_parser/parsers/kitchen/fold-1" in completed.stderr
    completed = run_here(workspace, "stages.context_parser.evaluate")
    assert completed.returncode == 1 and "fill the gaps first" in completed.stderr
