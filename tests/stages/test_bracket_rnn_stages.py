"""The stages of the Bracket-RNN on a small synthetic corpus; its published numbers, claims and parameters."""

import copy
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from repline import parameters
from repline.corpora.language_modeling import corpus as language_modeling
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.evaluation.replication import replicate_files
from repline.pretrained import pretrained
from repline.systems.bracket_rnn import settings
from repline.systems.bracket_rnn.model import BracketRNN
from tests.commands import run_command
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps
from tests.systems.bracket_rnn import parsed_corpus

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "stages/bracket_rnn"
PARAMETERS = parameter_files.shared()
CLAIMS = judgement.read(FOLDER / "claims.yaml")
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
SCHEME = {"optional": ["acl"], "required": []}
RUNS = ["lstm", "bracket", "bracket_joint"]
SMALL = {
    "vocabulary": None,
    "train_sentences": 60,
    "evaluation_sentences": 20,
    "embedding": 8,
    "epochs": 1,
    "batch": 16,
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    joint = {"brackets": "tree", "variant": "A", "predict": True}
    runs = {name: (PARAMETERS["bracket_rnn"]["runs"] | {"bracket_joint": joint})[name] for name in RUNS}
    values = {"profile": "tiny", "bracket_rnn": PARAMETERS["bracket_rnn"] | SMALL | {"runs": runs}}
    parameter_files.write(folder, values)
    (folder / "stages").mkdir()
    (folder / "stages/bracket_rnn").symlink_to(FOLDER)
    source = parsed_corpus.write(folder / "data/corpora/source")
    language_modeling.build(source, folder / "data/corpora/language_modeling")
    return folder


def test_two_processes_train_what_one_does(workspace):
    run_steps(workspace, "bracket_rnn.prepare")
    values = parameters.read(workspace / "params.yaml")
    bracket = values["bracket_rnn"]["runs"]["bracket"]
    runs = {
        "alone": bracket,
        "together": bracket | {"hardware": {"accelerator": "cpu", "devices": 2, "strategy": "ddp"}},
    }
    changed = values | {"bracket_rnn": values["bracket_rnn"] | {"runs": runs, "hidden_dropout": 0.0}}
    changed["bracket_rnn"] |= {"input_dropout": 0.0, "output_dropout": 0.0, "epochs": 2, "seeds": [0]}
    parameter_files.write(workspace, changed)
    try:
        alone = run_here(workspace, "stages.bracket_rnn.train", "alone")
        output = run_command(workspace, "stages.bracket_rnn.train", "together")  # starts the second one as itself
        for completed in (alone, output):
            assert completed.returncode == 0, completed.stderr
            assert completed.stdout.count("epoch 2/2") == 1  # the second process is silent
    finally:
        parameter_files.write(workspace, values)
    run, two = (workspace / f"data/models/bracket_rnn/{name}/seed-0" for name in ("alone", "together"))
    assert {path.name for path in run.iterdir()} == {path.name for path in two.iterdir()}
    # what is trained; the probe is fitted afterwards, to brackets that are certain here: it has no finite optimum
    first, second = (dict(pretrained(BracketRNN, folder).named_parameters()) for folder in (run, two))
    for key, value in first.items():
        torch.testing.assert_close(second[key], value, atol=1e-5, rtol=1e-4)
    for folder in (run, two):
        shutil.rmtree(folder.parent)
    left = [path for path in (workspace / "data").rglob("*") if ".partial" in path.name or path.suffix == ".ckpt"]
    assert not left


def test_the_stages_one_after_the_other(workspace):
    steps = ("prepare", *(f"train {name}" for name in RUNS), "evaluate")
    completed = run_steps(workspace, *(f"bracket_rnn.{step}" for step in steps))
    assert "0 of them discontinuous" in completed.stdout
    for name in RUNS:
        assert (workspace / f"data/models/bracket_rnn/{name}/seed-0/model.safetensors").exists()
    assert not list((workspace / "data/scratch").glob("bracket_rnn-*"))
    folder = workspace / "data/evaluation/bracket_rnn"
    metrics = json.loads((folder / "metrics.json").read_text())
    for name in RUNS:
        values = metrics[name]
        for split in ("validation", "test"):
            assert (values[split]["brackets"] > 0) == (name != "lstm")
            assert (values[split]["joint"] > values[split]["perplexity"]) == (name != "lstm")
            assert values[split]["words"] == metrics["lstm"][split]["words"]
        assert len(values["by_epoch"]) == 1
        last = values["validation"]["joint" if name == "bracket_joint" else "perplexity"]
        assert values["by_epoch"][0] == pytest.approx(last, rel=1e-4)
    parts = replicate_files.read(folder / "replicates.parquet")
    assert len(parts) == 200
    for name in RUNS:
        for key in ("perplexity", "joint"):
            drawn = np.array([part[name]["test"][key] for part in parts])
            assert drawn.mean() == pytest.approx(metrics[name]["test"][key], rel=0.1) and drawn.std() > 0
    assert {claim["verdict"] for claim in json.loads((folder / "claims.json").read_text())} == {"not run"}
    rows = json.loads((folder / "plots/perplexities.json").read_text())
    measures = {row["model"].rsplit(", ", 1)[1] for row in rows}
    assert measures >= {"given the brackets", "predicting them too"}
    assert len(json.loads((folder / "figures.json").read_text())) == 2

    written = (workspace / "params.yaml").read_text()
    (workspace / "params.yaml").write_text(written.replace("embedding: 8", "embedding: 9"))
    completed = run_here(workspace, "stages.bracket_rnn.evaluate")
    assert completed.returncode == 1 and "Traceback" not in completed.stderr
    assert "lstm/seed-0: this model was trained with embedding 8, and the parameters now say 9" in completed.stderr
    (workspace / "params.yaml").write_text(written)
    assert json.loads((folder / "metrics.json").read_text()) == metrics


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("epoch", 3, "unknown parameter 'bracket_rnn.epoch'; did you mean 'epochs'?"),
        ("epochs", 0, "bracket_rnn.epochs should be greater than or equal to 1, found 0"),
        ("weight_dropout", 1.0, "bracket_rnn.weight_dropout should be less than 1, found 1.0"),
        ("batch", "many", "bracket_rnn.batch should be a valid integer, found 'many'"),
        ("seeds", [], "bracket_rnn.seeds should have at least 1 item"),
        ("runs", {}, "bracket_rnn.runs should have at least 1 item"),
        ("runs", {"lstm": {"brackets": "none"}}, "bracket_rnn.runs.lstm.variant is missing"),
        ("runs", {"x": {"brackets": "all", "variant": "A"}}, "bracket_rnn.runs.x.brackets should be 'none', 'tree' or"),
        ("runs", {"x": {"epoch": 3}}, "unknown parameter 'bracket_rnn.runs.x.epoch'; did you mean 'epochs'?"),
        (
            "runs",
            {"x": {"brackets": "tree", "variant": "lstm"}},
            "runs.x: the variant is 'lstm' and the brackets are",
        ),
        ("runs", {"x": {"brackets": "none", "variant": "A"}}, "runs.x: the variant is 'A' and the brackets are 'none'"),
        ("constituents", {"scheme": "penn", "schemes": {"ud": SCHEME}}, "scheme should name one of schemes, found 'pe"),
        ("constituents", {"scheme": "ud", "schemes": {"ud": {}}}, "constituents.schemes.ud.optional is missing"),
        ("constituents", {"scheme": "ud", "schemes": {"ud": SCHEME}, "sed": 1}, "constituents.sed'; did you mean 'se"),
    ],
)
def test_a_mistake_in_the_parameters_is_one_sentence(key, value, message):
    values = copy.deepcopy(PARAMETERS)
    values["bracket_rnn"][key] = value
    with pytest.raises(InputError) as error:
        settings.load(values)
    assert message in str(error.value)


def test_a_run_that_is_not_there(workspace):
    completed = run_here(workspace, "stages.bracket_rnn.train", "brackets")
    assert completed.returncode == 1
    assert "expected the name of a run, one of: lstm, bracket, bracket_joint" in completed.stderr


def test_the_parameters_of_a_run():
    runs = settings.load(PARAMETERS).runs
    assert runs["random"].brackets == "random" and runs["random"].batch == PARAMETERS["bracket_rnn"]["batch"]
    assert not runs["bracket"].predict


def test_published_numbers_fit_each_other():
    printed = {(row["variant"], row["item"].split(",")[0]): row["value"] for row in TABLES["perplexity"]}
    for layers in ("1 layer", "3 layers"):
        for split in ("validation", "test"):
            base, bracket = (printed[f"{model}, {layers}", split] for model in ("AWD-LSTM", "AWD-LSTM-Bracket"))
            (reduction,) = (r for r in TABLES["reductions"] if (r["variant"], r["item"]) == (layers, split))
            assert reduction["value"] == pytest.approx(100 - 100 * bracket / base, abs=0.01)
    assert printed["AWD-LSTM, 3 layers", "test"] - printed["AWD-LSTM-Bracket, 3 layers", "test"] == pytest.approx(11.41)


# perplexities of a run on 5,000 sentences of the English Web Treebank after 4 epochs; the joint number of another
KNOWN_METRICS = {
    "lstm": {"test": {"perplexity": 249.5, "joint": 249.5}},
    "linear": {"test": {"perplexity": 198.4}},
    "bracket": {"test": {"perplexity": 205.3}},
    "random": {"test": {"perplexity": 304.0}},
    "bracket_joint": {"test": {"joint": 420.0}},
    "constituents": {
        "ud": {"train_optional": 51837, "train_discontinuous": 147, "train_pairs_per_sentence": 30289 / 12544}
    },
}


def verdicts(metrics, profile):
    seeds = [metrics, metrics]  # two that agree
    return {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, profile, seeds)}


def test_claims_hold_on_a_known_run():
    for profile, scales in (("small", {"small"}), ("real", {"small", "real"})):
        expected = {claim.id for claim in CLAIMS if claim.scale in scales}
        judged = verdicts(KNOWN_METRICS, profile)
        assert {name for name, verdict in judged.items() if verdict == "holds"} == expected
        assert "fails" not in judged.values()


@pytest.mark.parametrize(
    ("run", "values", "failing"),
    [
        ("bracket", {"test": {"perplexity": 230.0}}, {"brackets-lower"}),
        ("bracket", {"test": {"perplexity": 190.0}}, {"gain-is-the-leak"}),
        ("linear", {"test": {"perplexity": 226.0}}, {"linear-brackets-lower", "gain-is-the-leak"}),
        ("random", {"test": {"perplexity": 249.0}}, {"random-brackets-do-not-help"}),
        ("bracket_joint", {"test": {"joint": 249.0}}, {"joint-not-below"}),
    ],
)
def test_a_claim_that_misses_fails(run, values, failing):
    metrics = KNOWN_METRICS | {run: KNOWN_METRICS[run] | values}
    judged = verdicts(metrics, "real")
    assert {name for name, verdict in judged.items() if verdict == "fails"} == failing
