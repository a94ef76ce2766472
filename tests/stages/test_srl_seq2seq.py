"""srl_seq2seq: claims and published numbers are complete, and the stages run on a user's own roles."""

import json
from pathlib import Path

import numpy as np
import pytest

import repline
import stages
from repline.corpora.srl import made_roles
from repline.evaluation.claims import judgement, published
from repline.vectors import store
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

FOLDER = Path(stages.__file__).parent / "srl_seq2seq"
PUBLISHED = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
TABLES = {table["id"]: table["rows"] for table in PUBLISHED["tables"]}
CLAIMS = judgement.read(FOLDER / "claims.yaml")


def test_tables_and_statements_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "faithful": 16,
        "f1": 31,
        "confusion": 100,
        "spans": 7,
    }
    claim_ids = {claim.id for claim in CLAIMS}
    for statement in PUBLISHED["statements"]:
        assert set(statement["claims"]) <= claim_ids


def test_the_papers_own_numbers_uphold_its_claims():
    metrics = {}
    for row in [row for rows in TABLES.values() for row in rows if "measured" in row]:
        *path, last = row["measured"].split(".")
        table = metrics
        for name in path:
            table = table.setdefault(name, {})
        table[last] = row["value"]
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    upheld = {name for name, verdict in judged.items() if verdict == "holds"}
    needed = {claim.id for claim in CLAIMS if claim.needs}
    assert (
        upheld
        == needed
        == {
            "copying-levels",
            "f1-dev05",
            "f1-test05",
            "f1-wsj-brown",
            "f1-below-he",
            "f1-near-fitzgerald",
            "f1-test12",
            "core-roles",
            "out-of-domain",
        }
    )


def test_every_claim_of_the_paper_on_made_sentences_is_made_on_the_treebank_too():
    ids = {scale: {claim.id for claim in CLAIMS if claim.scale == scale} for scale in ("small", "real")}
    ours = {"falls-with-length", "falls-with-distance", "errors-grow", "errors-grow-faster", "tagger-better"}
    assert {f"{name}-ewt" for name in ours | {"shuffled-f1", "shuffled-length", "f1-over-baseline"}} <= ids["real"]


@pytest.fixture
def workspace(tmp_path):
    made_roles.write(tmp_path / "data/own/mine", seed=0, train=24, dev=4, test=6, nouns=12, verbs=4)
    store.save(tmp_path / "data/vectors/v", ["the", "a"], np.ones((2, 4), np.float32))
    analysis = {"agent": "A0", "patient": "A1", "shown": ["A0", "AM-LOC"]}
    analysis["ranges"] = {"length": [8, 12], "distance": [2, 4], "position": [4, 8]}
    parameters = {
        "profile": "small",
        "hardware": {"accelerator": "cpu"},
        "semantic_roles": {"corpora": {"mine": {"source": "own/mine"}}},
        "srl_seq2seq": {
            "vectors": "vectors/v",
            "corpora": {"mine": {"roles": "corpora/mine"}},
            "analyses": {"mine": analysis},
            "recipes": {"mine": {}},
            "training": {"epochs": 1, "learning_rate": 0.01, "batch": 8, "embedding": 4, "units": 4},
            "seeds": [0, 1],
            "variants": {
                "copying": {"kind": "copying", "decodings": {"constrained": {"constrained": "next"}}},
                "attention": {"kind": "attention", "runs": 1},
                "tagger": {"kind": "tagger", "runs": 1},
            },
        },
    }
    parameter_files.write(tmp_path, parameters)
    (tmp_path / "stages/srl_seq2seq").mkdir(parents=True)
    (tmp_path / "stages/srl_seq2seq/claims.yaml").write_text((FOLDER / "claims.yaml").read_text("utf-8"), "utf-8")
    return tmp_path


def test_a_persons_own_roles(workspace):
    trainings = [f"srl_seq2seq.train mine {variant}" for variant in ("copying", "attention", "tagger")]
    run_steps(workspace, "semantic_roles.read mine", "srl_seq2seq.prepare mine", *trainings, "srl_seq2seq.evaluate")
    metrics = json.loads((workspace / "data/evaluation/srl_seq2seq/metrics.json").read_text(encoding="utf-8"))["mine"]
    assert len(metrics["copying"]["seeds"]) == 2 and len(metrics["tagger"]["seeds"]) == 1
    assert metrics["copying_constrained"]["exact_copy"] == metrics["copying_constrained"]["brackets"] == 100
    assert metrics["baselines"]["noun_chunks"]["f1_min"] > 50
    for kind in ("copying", "tagger"):
        model = repline.load(workspace / f"data/models/srl_seq2seq/mine/{kind}/seed-0")
        answer = model.label("The Cat saw a Dog", "saw")
        assert answer.words == ["The", "Cat", "saw", "a", "Dog"] and answer.predicates[0].position == 2


def test_broken_roles_write_nothing(workspace):
    with open(workspace / "data/own/mine/train.props", "w", encoding="utf-8") as file:
        file.write("Dogs\t-\t(A0*\nbark\tbark\t(V*)\n")
    result = run_here(workspace, "stages.semantic_roles.read", "mine")
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert "data/own/mine/train.props, line 2: column 3: (V opens inside (A0" in result.stderr
    assert not list((workspace / "data/corpora").glob("*"))


@pytest.mark.parametrize(
    ("where", "value", "message"),
    [
        (("variants", "copying", "kind"), "copy", "srl_seq2seq.variants.copying.kind should"),
        (("corpora", "mine", "verb"), True, "unknown parameter 'srl_seq2seq.corpora.mine.verb'; did you mean 'verbs'?"),
        (("analyses", "mine", "ranges"), {"length": [1]}, "srl_seq2seq.analyses.mine.ranges"),
        (("training", "epochs"), 0, "srl_seq2seq.training.epochs should"),
        (
            ("corpora", "mine", "longest"),
            2,
            "expected instances in train of the sizes and predicates that are asked for",
        ),
        (("corpora", "mine", "minimum_count"), 999, "expected words that occur 999 times or more in train"),
    ],
)
def test_a_mistake_in_the_parameters_is_one_sentence(workspace, where, value, message):
    parameters = parameter_files.read(workspace)
    section = parameters["srl_seq2seq"]
    for name in where[:-1]:
        section = section[name]
    section[where[-1]] = value
    parameter_files.write(workspace, parameters)
    assert run_here(workspace, "stages.semantic_roles.read", "mine").returncode == 0
    result = run_here(workspace, "stages.srl_seq2seq.prepare", "mine")
    assert result.returncode == 1 and message in result.stderr and "Traceback" not in result.stderr
    assert not (workspace / "data/corpora/srl_seq2seq").exists() or not any(
        (workspace / "data/corpora/srl_seq2seq").iterdir()
    )
