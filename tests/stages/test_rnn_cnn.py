"""Sentences from the words that follow: the paper's records are whole, and the steps run on a person's own text."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import stages
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.systems.rnn_cnn.settings import load
from repline.vectors import store
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

FOLDER = Path(stages.__file__).parent / "rnn_cnn"
PUBLISHED = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
CLAIMS = judgement.read(FOLDER / "claims.yaml")
WORDS = ["the", "cat", "sat", "down", "dog", "ran", "away", "and", "it", "was", "late", "good", "bad", "."]


def test_tables_and_statements_are_whole():
    sizes = {table["id"]: len(table["rows"]) for table in PUBLISHED["tables"]}
    assert sizes == {
        "decoders": 55, "decoders-correlation": 33, "models": 162, "models-correlation": 50, "hours": 15, "snli": 5,
    }  # fmt: skip
    claim_ids = {claim.id for claim in CLAIMS}
    assert all(set(statement["claims"]) <= claim_ids for statement in PUBLISHED["statements"])


def test_the_papers_own_numbers_uphold_its_claims():
    metrics: dict = {}
    for row in (row for table in PUBLISHED["tables"][:2] for row in table["rows"]):
        percent = row["measured"].startswith("100 * ")
        *path, last = row["measured"].removeprefix("100 * ").split(".")
        values = metrics
        for name in path:
            values = values.setdefault(name, {})
        values["value" if last == "pearson_by_pairs" else last] = row["value"] / (100 if percent else 1)
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == {
        "all-at-once-sts14", "all-at-once-trec", "teacher-costs-sts14", "mean-and-max-trec", "larger-encoder",
    }  # fmt: skip
    assert "fails" not in judged.values()


@pytest.fixture
def workspace(tmp_path):
    books = tmp_path / "data/own"
    (books / "books").mkdir(parents=True)
    rng = np.random.default_rng(0)
    for name in ("first", "second"):
        rows = (" ".join(rng.choice(WORDS[:-1], 5)).capitalize() + "." for _ in range(60))
        (books / f"books/{name}.txt").write_text("\n".join(rows), encoding="utf-8")
    for task in ("moods", "tempers", "tones"):
        rows = [f"{label}\tIt was {label} and the {animal} {verb}" for label in ("good", "bad")
                for animal in ("cat", "dog") for verb in ("sat", "ran", "was late")]  # fmt: skip
        (books / f"{task}.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    store.save(tmp_path / "data/vectors/v", WORDS, rng.random((len(WORDS), 6), np.float32))
    parameters = {
        "profile": "small",
        "hardware": {"accelerator": "cpu"},
        "rnn_cnn": {
            "corpora": {"mine": {"text": {"sources": ["own/books"], "vocabulary": 10}, "training": {}, "tasks": None}},
            "vectors": "v",
            "training": {"units": 4, "targets": 3, "epochs": 1, "learning_rate": 0.01, "batch": 16},
            "seeds": [0, 1],
            "variants": {"cnn": {"decoder": "cnn"}, "untrained": {"decoder": "cnn", "trained": False}},
            "trainings": {f"mine_{name}": {"corpus": "mine", "variant": name} for name in ("cnn", "untrained")},
            "evaluation": {
                "sources": [f"own/{task}.tsv" for task in ("moods", "tempers", "tones")],
                "folds": 3,
                "inner_folds": 2,
                "penalties": [0.01, 0.1],
            },
        },
    }
    parameter_files.write(tmp_path, parameters)
    (tmp_path / "stages/rnn_cnn").mkdir(parents=True)
    (tmp_path / "stages/rnn_cnn/claims.yaml").write_text((FOLDER / "claims.yaml").read_text("utf-8"), "utf-8")
    return tmp_path


def test_a_persons_books(workspace):
    trained = [f"{step} mine_{variant}" for step in ("train", "measure_tasks") for variant in ("cnn", "untrained")]
    steps = ("prepare mine", *trained, "measure_average mine", "evaluate")
    run_steps(workspace, *(f"rnn_cnn.{step}" for step in steps))
    measured = json.loads((workspace / "data/evaluation/rnn_cnn/metrics.json").read_text(encoding="utf-8"))["mine"]
    assert measured["counts"]["documents"] == 2 and measured["cnn"]["moods"]["seeds"][0] > 0.5
    assert measured["average"]["accuracy"] > 0.5 and "held_out" not in measured["average"]
    held = measured["cnn"]["held_out"]
    assert held["unigram"] == measured["untrained"]["held_out"]["unigram"] > 0 and held["nats"] > 0
    assert list((workspace / "data/scratch").glob("rnn_cnn-*")) == []
    figures = json.loads((workspace / "data/evaluation/rnn_cnn/figures.json").read_text(encoding="utf-8"))
    assert [figure["id"] for figure in figures] == ["rnn_cnn-mine", "rnn_cnn-mine-nats"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vocabulary": 200}, "the text has 14 different words, and a vocabulary of 200 was asked for"),
        ({"sources": ["own/novels"]}, "data/own/novels: there is no such file or folder"),
        ({"documents": ["third"]}, "data/own/books: there is no document named third"),
        ({"shortest": 30}, "there is no sentence of 30 to 60 words"),
        ({"vocabulry": 5}, "unknown parameter 'rnn_cnn.corpora.mine.text.vocabulry'; did you mean 'vocabulary'?"),
    ],
)
def test_a_mistake_is_one_sentence_and_nothing_is_written(workspace, change, message):
    values = parameter_files.read(workspace)
    values["rnn_cnn"]["corpora"]["mine"]["text"] |= change
    parameter_files.write(workspace, values)
    process = run_here(workspace, "stages.rnn_cnn.prepare", "mine")
    assert process.returncode == 1 and "Traceback" not in process.stderr
    assert message in process.stderr, process.stderr
    assert not (workspace / "data/corpora/rnn_cnn/mine").exists()


def changed(values, path, change):
    *parents, last = path.split(".")
    section = values["rnn_cnn"]
    for name in parents:
        section = section[name]
    section[last] = change
    return values


@pytest.mark.parametrize(
    ("path", "change", "message"),
    [
        ("trainings.mine_cnn.variant", "cnnn", "rnn_cnn.trainings.mine_cnn: there is no variant 'cnnn'; did you mean"),
        (
            "trainings.mine_cnn.corpus",
            "yours",
            "trainings.mine_cnn: there is no corpus 'yours'; valid are mine",
        ),
        ("corpora.mine.training", {"unit": 3}, "'rnn_cnn.corpora.mine.training.unit'; did you mean 'units'?"),
        ("corpora.mine.training", None, "rnn_cnn.corpora.mine.training should be a section"),
        ("training.unit", 3, "'rnn_cnn.training.unit'; did you mean 'units'?"),
        ("variants.cnn.pooling", "min", "rnn_cnn.variants.cnn.pooling should be 'mean_max' or 'max', found 'min'"),
        ("corpora.mine.task", None, "unknown parameter 'rnn_cnn.corpora.mine.task'; did you mean 'tasks'?"),
        ("vector", "v", "unknown parameter 'rnn_cnn.vector'; did you mean 'vectors'?"),
        ("seeds", [], "rnn_cnn.seeds should have at least 1 item"),
    ],
)
def test_a_mistake_in_the_section_is_named_where_it_stands(workspace, path, change, message):
    with pytest.raises(InputError, match=re.escape(message)):
        load(changed(parameter_files.read(workspace), path, change))


def test_a_name_of_the_evaluation_is_no_variant(workspace):
    values = parameter_files.read(workspace)
    values["rnn_cnn"]["variants"]["average"] = {}
    with pytest.raises(InputError, match="average is a reserved name in the metrics"):
        load(changed(values, "trainings.mine_cnn.variant", "average"))


def test_recipes_are_laid_over_each_other(workspace):
    values = changed(parameter_files.read(workspace), "corpora.mine.training", {"units": 6, "pooling": "max"})
    recipe = load(changed(values, "variants.cnn.pooling", "mean_max")).trainings["mine_cnn"].recipe
    assert (recipe.units, recipe.pooling, recipe.targets) == (6, "mean_max", 3)
