"""definition_nli: claims and published numbers are complete; the stages run on a user's pairs and dictionary."""

import json
from pathlib import Path

import numpy as np
import pytest

import stages
from repline.evaluation.claims import judgement, published
from repline.vectors import store
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

FOLDER = Path(stages.__file__).parent / "definition_nli"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
LINES = ["A {} barks\tAn animal barks\tyes", "An animal barks\tA {} barks\tno"]
WORDS = ["a", "an", "animal", "barks", "dog", "small"]


def test_tables_and_statements_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {"many-unknown": 6, "differences": 4}
    claim_ids = {claim.id for claim in CLAIMS}
    for statement in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["statements"]:
        assert set(statement["claims"]) <= claim_ids


def test_the_papers_own_numbers_uphold_its_first_claims():
    metrics = {}
    for row in TABLES["many-unknown"]:
        metrics.setdefault(row["dataset"].lower(), {})[row["variant"]] = {"accuracy": row["value"] / 100}
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == {"paper-many-unknown", "paper-over-bdn"}
    assert "fails" not in judged.values()


def test_every_claim_on_made_pairs_is_made_on_sick_too():
    ids = {claim.id for claim in CLAIMS if claim.scale != "paper"}
    sick = {name for name in ids if name.endswith("-sick")}
    assert {f"{name}-sick" for name in ids - sick - {"beyond-one-sentence"}} == sick - {"bigger-dictionary-sick"}


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "data/own/mine").mkdir(parents=True)
    for split, breeds in (("train", ["hound", "terrier", "beagle"]), ("dev", ["collie"]), ("test", ["poodle"])):
        rows = [line.format(breed) for breed in breeds for line in LINES]
        head = "sentence1\tsentence2\tlabel"
        (tmp_path / f"data/own/mine/{split}.tsv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    breeds = ("hound", "terrier", "beagle", "collie", "poodle")
    dictionary = "".join(f"{breed}\ta small dog\n" for breed in breeds)
    (tmp_path / "data/own/words.tsv").write_text(dictionary, encoding="utf-8")
    store.save(tmp_path / "data/vectors/v", WORDS, np.random.default_rng(0).random((len(WORDS), 6), np.float32))
    parameters = {
        "profile": "small",
        "hardware": {"accelerator": "cpu"},
        "sentence_pairs": {"corpora": {"mine": {"source": "own/mine", "form": "own"}}},
        "definition_nli": {
            "corpora": {"mine": {"pairs": "corpora/mine", "dictionary": "own/words.tsv", "vectors": "vectors/v"}},
            "training": {"epochs": 1, "learning_rate": 0.01, "batch": 2, "dropout": 0.1},
            "seeds": [0, 1],
            "variants": {"esim": {"kind": "esim"}, "proposed": {"kind": "proposed"}},
        },
    }
    parameter_files.write(tmp_path, parameters)
    (tmp_path / "stages/definition_nli").mkdir(parents=True)
    (tmp_path / "stages/definition_nli/claims.yaml").write_text((FOLDER / "claims.yaml").read_text("utf-8"), "utf-8")
    return tmp_path


def test_a_persons_pairs_and_dictionary(workspace):
    steps = ("sentence_pairs.read mine", "definition_nli.prepare mine")
    trainings = [f"definition_nli.train mine {variant}" for variant in ("esim", "proposed")]
    run_steps(workspace, *steps, *trainings, "definition_nli.evaluate")
    metrics = json.loads((workspace / "data/evaluation/definition_nli/metrics.json").read_text(encoding="utf-8"))
    assert len(metrics["mine"]["proposed"]["seeds"]) == 2 and metrics["mine"]["controls"]["most_frequent"] == 0.5
    (workspace / "pairs.tsv").write_text("A whippet barks\tAn animal barks\n", encoding="utf-8")
    (workspace / "mine.tsv").write_text("whippet\ta small dog\n", encoding="utf-8")
    model = "data/models/definition_nli/mine/proposed/seed-0"
    result = run_here(workspace, "stages.definition_nli.predict", model, "pairs.tsv", "--dictionary", "mine.tsv")
    assert result.returncode == 0, result.stderr
    assert result.stdout in {f"{label}\tA whippet barks\tAn animal barks\n" for label in ("yes", "no")}
    (workspace / "mine.tsv").write_text("whippet a small dog\n", encoding="utf-8")
    result = run_here(workspace, "stages.definition_nli.predict", model, "pairs.tsv", "--dictionary", "mine.tsv")
    assert result.returncode == 1 and result.stdout == "" and "Traceback" not in result.stderr
    assert "mine.tsv, line 1: expected a headword, a tab and a definition, found 'whippet a small dog'" in result.stderr


def test_a_broken_dictionary_writes_nothing(workspace):
    run_here(workspace, "stages.sentence_pairs.read", "mine")
    with open(workspace / "data/own/words.tsv", "a", encoding="utf-8") as file:
        file.write("corgi: a small dog\n")
    result = run_here(workspace, "stages.definition_nli.prepare", "mine")
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert "data/own/words.tsv, line 6: expected a headword, a tab and a definition" in result.stderr
    assert not (workspace / "data/corpora/definition_nli/mine").exists()
