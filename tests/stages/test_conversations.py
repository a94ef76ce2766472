"""Similarity from conversations: the records are whole, and the steps run on turns and pairs of a person's own."""

import json
from pathlib import Path

import numpy as np
import pytest

import repline
import stages
from repline.evaluation.claims import judgement, published
from repline.vectors import store
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps
from tests.systems.conversations.small_data import RECIPE, inference_rows, write_pairs

FOLDER = Path(stages.__file__).parent / "conversations"
RECORDS = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
TABLES = {table["id"]: table["rows"] for table in RECORDS["tables"]}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
BOOKS = ("tea", "cat", "sun", "car")


def test_tables_and_statements_are_whole():
    rows = {"responses": 6, "snli": 4, "stsb": 24, "genres": 32, "examples": 8, "questions": 5, "figure-8": 2}
    assert {name: len(table) for name, table in TABLES.items()} == rows
    claim_ids = {claim.id for claim in CLAIMS}
    assert {name for statement in RECORDS["statements"] for name in statement["claims"]} <= claim_ids


def test_what_dev_chose_is_judged_on_test():
    tuned = [str(claim.measured) for claim in CLAIMS if claim.scale != "paper" and ".tuned." in str(claim.measured)]
    assert len(tuned) == 4 and all(".dev." not in measured for measured in tuned)


def _paper():
    """The paper's numbers where claims look for ours."""
    metrics = {"conversation": {"responses": {"all": {"p1": 0.561}}}}
    metrics["transformer"] = {"responses": {"all": {"p1": 0.657}}, "similarity": {"stsb": {}}}
    metrics["transformer_both"] = {"similarity": {"stsb": {}}, "inference": {"accuracy": 0.841}}
    for row in TABLES["genres"]:
        variant = "transformer_both" if "SNLI" in row["item"] else "transformer"
        split, genre = row["column"].split()
        tuning = metrics[variant]["similarity"]["stsb"].setdefault("tuned" if "tuned" in row["item"] else "untuned", {})
        tuning.setdefault(split, {})[genre] = row["value"]
    for variant, value in (("transformer_both", 0.4742), ("transformer", 0.4707)):
        metrics[variant]["questions"] = {"community_questions": {"test": {"map": value}}}
    captions = {split: {"captions": 0.85} for split in ("dev", "test")}
    metrics["transformer_tenth"] = {"similarity": {"stsb": {"untuned": captions}}}
    return metrics


def test_the_papers_own_numbers_uphold_its_claims():
    metrics = _paper()
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == {
        claim.id for claim in CLAIMS if claim.scale == "paper"
    }
    assert "fails" not in judged.values()


@pytest.fixture
def workspace(tmp_path):
    chat = tmp_path / "data/own/chat"
    chat.mkdir(parents=True)
    turns = [f"do you like {book} ?\nyes , {book} is nice\nwhy is {book} nice ?\nit is {book} !\n" for book in BOOKS]
    (chat / "chat.txt").write_text("\n".join(turns * 10), encoding="utf-8")
    write_pairs(tmp_path / "data/corpora/labelled", inference_rows())
    scored = [
        (split, f"{book} is nice", f"{second} is nice", None, 5.0 * (book == second), "same" if book == second else "")
        for split in ("train", "dev", "test")
        for book in BOOKS
        for second in BOOKS
    ]
    write_pairs(tmp_path / "data/corpora/scored", scored)
    questions = [
        (split, f"{book} ?", f"{second} ?", "Relevant" if book == second else "Irrelevant", None, book)
        for split in ("train", "dev")
        for book in BOOKS
        for second in reversed(BOOKS)
    ]
    write_pairs(tmp_path / "data/corpora/asked", questions)
    vectors = np.random.default_rng(0).random((4, 8), np.float32)
    store.save(tmp_path / "data/vectors/v", list(BOOKS), vectors)
    training = {**RECIPE, "epochs": 1}
    parameters = {
        "profile": "small",
        "hardware": {"accelerator": "cpu"},
        "conversations": {
            "sources": {"mine": {"source": "own/chat", "form": "own"}},
            "reading": {"test_share": 0.2, "letters": 0.5},
            "inference": "corpora/labelled",
            "vectors": "v",
            "candidates": 5,
            "shuffle": 0,
            "tests": {
                "gloss_pairs": {"pairs": "corpora/scored", "kind": "similarity"},
                "community_questions": {"pairs": "corpora/asked", "kind": "questions"},
            },
            "tuning": {"steps": 3},
            "seeds": [0],
            "training": training,
            "variants": {
                "conversation": {"task": "conversation"},
                "both": {"task": "both"},
            },
        },
    }
    parameter_files.write(tmp_path, parameters)
    (tmp_path / "stages/conversations").mkdir(parents=True)
    (tmp_path / "stages/conversations/claims.yaml").write_text((FOLDER / "claims.yaml").read_text("utf-8"), "utf-8")
    return tmp_path


def _run(workspace, *steps):
    return run_steps(workspace, *(f"conversations.{step}" for step in steps)).stdout


def test_a_persons_conversations_and_pairs(workspace):
    measured = ("measure_pairs gloss_pairs", "measure_pairs community_questions")
    printed = _run(workspace, "prepare mine", "train conversation", "train both", *measured, "evaluate")
    assert "90 train pairs, 6 dev pairs, 24 test pairs" in printed and "P@1, P@3 and P@10" in printed
    folder = workspace / "data/evaluation/conversations"
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    for name in ("conversation", "both"):
        assert metrics[name]["responses"].keys() == {"all", "mine"}
        assert metrics[name]["similarity"]["gloss_pairs"].keys() == {"untuned", "tuned"}
        assert "same" in metrics[name]["similarity"]["gloss_pairs"]["untuned"]["test"]
    assert "inference" in metrics["both"] and "inference" not in metrics["conversation"]
    maps = {name: metrics[name]["questions"]["community_questions"]["dev"]["map"] for name in ("best", "search_engine")}
    assert maps == {"best": 1.0, "search_engine": pytest.approx((1 / 4 + 1 / 3 + 1 / 2 + 1) / 4)}
    assert metrics["counts"]["gloss_pairs"]["unknown"] == {"train": 0, "dev": 0, "test": 0}
    judged = {claim["id"]: claim for claim in json.loads((folder / "claims.json").read_text(encoding="utf-8"))}
    assert judged["above-chance"]["replicates"] == judged["tuning-helps-made"]["replicates"] == 200
    assert len(json.loads((folder / "figures.json").read_text(encoding="utf-8"))) == 2
    encoder = repline.load(workspace / "data/models/conversations/both/seed-0")
    assert encoder.similarity("tea ?", "tea ?") == pytest.approx(1)
    assert [reply for reply, _ in encoder.rank("do you like tea ?", ["zebu ox", "tea is nice"])][1] == "zebu ox"
    write_pairs(workspace / "data/corpora/scored", [("test", "tea", "cat", "same", None, "")])
    (folder / "measured/gloss_pairs.npz").unlink()
    process = run_here(workspace, "stages.conversations.measure_pairs", "gloss_pairs")
    assert process.returncode == 1 and "scored: test, pair or line 0: expected a score, found none" in process.stderr
    assert not (folder / "measured/gloss_pairs.npz").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variants": {"a-b": {"task": "none"}}}, "a name should be a word like without_attention, found 'a-b'"),
        (
            {"variants": {"tfidf": {"task": "none"}}},
            "variants: tfidf is a reserved name in the metrics; choose another",
        ),
        ({"variants": {"mine": {"task": "chat"}}}, "conversations.variants.mine.task should be"),
        ({"reading": {"longst": 3}}, "unknown parameter 'conversations.reading.longst'; did you mean 'longest'?"),
        ({"sources": {"all": {"source": "own/chat", "form": "own"}}}, "sources: all is a reserved name in the metrics"),
        (
            {"variants": {"mine": {"task": "both", "gradient_clip": 1.0}}},
            "conversations.variants.mine: the tables of a dan are sparse, their gradients cannot be clipped",
        ),
    ],
)
def test_a_mistake_in_the_parameters_is_one_sentence(workspace, change, message):
    parameters = parameter_files.read(workspace)
    parameters["conversations"] |= change
    parameter_files.write(workspace, parameters)
    process = run_here(workspace, "stages.conversations.prepare", "mine")
    assert process.returncode == 1 and message in process.stderr and "Traceback" not in process.stderr
    assert not (workspace / "data/corpora/conversations").exists()
