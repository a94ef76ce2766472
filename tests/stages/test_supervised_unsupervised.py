"""InferSent with a second loss: the records are whole, and the steps run on pairs of a person's own."""

import json
from pathlib import Path

import numpy as np
import pytest

import stages
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.systems.supervised_unsupervised.settings import load
from repline.vectors import store
from tests.commands import run_command
from tests.stages import parameter_files
from tests.stages.in_one_process import run_apart

FOLDER = Path(stages.__file__).parent / "supervised_unsupervised"
ROWS = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"][0]["rows"]
CLAIMS = judgement.read(FOLDER / "claims.yaml")
HOUNDS = ["hound", "terrier", "beagle", "collie", "poodle"]
LINES = ("A {} barks\tAn animal barks\tyes", "A cat barks\tA {}\tno")
WORDS = ["a", "an", "animal", "barks", "cat", *HOUNDS]


def test_table_and_statements_are_whole():
    assert len(ROWS) == 8 * 12 - 3  # FastSent lacks SST, SICK-R and SICK-E
    claim_ids = {claim.id for claim in CLAIMS}
    for statement in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["statements"]:
        assert set(statement["claims"]) <= claim_ids


def test_the_papers_own_numbers_uphold_its_claims_but_not_its_sentence():
    metrics = {"snli": {}}
    for row in ROWS:
        if "measured" in row:
            _, variant, _, task = row["measured"].removeprefix("100 * ").split(".")
            metrics["snli"].setdefault(variant, {"transfer": {}})["transfer"][task] = row["value"] / 100
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    of_the_paper = {claim.id for claim in CLAIMS if claim.scale == "paper"}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == of_the_paper
    assert "fails" not in judged.values()
    tasks = [task for task in metrics["snli"]["ae"]["transfer"] if not task.endswith(("_f1", "spearman_by_pairs"))]
    better = {
        name: sum(scores["transfer"][task] > metrics["snli"]["infersent"]["transfer"][task] for task in tasks)
        for name, scores in metrics["snli"].items()
    }
    assert better == {"infersent": 0, "ae": 4, "lm": 6, "combined": 5, "bi_ae": 6, "bi_lm": 4}  # of ten


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "data/own/mine").mkdir(parents=True)
    for split, breeds in (("train", HOUNDS[:3]), ("dev", HOUNDS[3:4]), ("test", HOUNDS[4:])):
        rows = [line.format(breed) for breed in breeds for line in LINES]
        text = "\n".join(["sentence1\tsentence2\tlabel", *rows]) + "\n"
        (tmp_path / f"data/own/mine/{split}.tsv").write_text(text, encoding="utf-8")
    (tmp_path / "data/own/tasks").mkdir()
    kinds = [f"{kind}\tA {breed} {verb}" for breed in HOUNDS for kind, verb in (("loud", "barks"), ("calm", "cat"))]
    (tmp_path / "data/own/tasks/kinds.tsv").write_text("\n".join(kinds) + "\n", encoding="utf-8")
    store.save(tmp_path / "data/vectors/v", WORDS, np.random.default_rng(0).random((len(WORDS), 6), np.float32))
    parameters = {
        "profile": "small",
        "hardware": {"accelerator": "cpu"},
        "sentence_pairs": {"corpora": {"mine": {"source": "own/mine", "form": "own"}}},
        "supervised_unsupervised": {
            "corpora": {"mine": {"pairs": ["corpora/mine"], "vectors": "vectors/v"}},
            "training": {"epochs": 1, "learning_rate": 0.01, "batch": 2, "units": 3, "hidden": 4, "weight": 0.01},
            "seeds": [0, 1],
            "variants": {"infersent": {"kind": None}, "bi_ae": {"kind": "bi_ae"}, "lm": {"kind": "lm", "seeds": 1}},
            "transfer": {
                "sources": ["own/tasks"] * 3, "tasks": None, "variants": ["infersent", "bi_ae"],
                "folds": 2, "inner_folds": 2, "penalties": [0.01],
            },
        },
    }  # fmt: skip
    parameter_files.write(tmp_path, parameters)
    (tmp_path / "stages/supervised_unsupervised").mkdir(parents=True)
    (tmp_path / "stages/supervised_unsupervised/claims.yaml").write_bytes((FOLDER / "claims.yaml").read_bytes())
    return tmp_path


def test_a_persons_pairs(workspace):
    trainings = [f"train mine {variant}" for variant in ("infersent", "bi_ae", "lm")]
    steps = ["prepare mine", *trainings, "measure_transfer mine", "evaluate"]
    run_apart(workspace, "sentence_pairs.read mine", *(f"supervised_unsupervised.{step}" for step in steps))
    models = workspace / "data/models/supervised_unsupervised/mine"
    assert {path.name: len(list(path.iterdir())) for path in models.iterdir()} == {"infersent": 2, "bi_ae": 2, "lm": 1}
    folder = workspace / "data/evaluation/supervised_unsupervised"
    measured = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["mine"]
    assert measured["controls"]["most_frequent"] == 0.5
    assert set(measured["bi_ae"]["held_out"]) == {"forward", "backward"} and "transfer" not in measured["lm"]
    assert measured["bi_ae"]["parameters_of_the_second_loss"] == 2 * (3 * 6 + 6)
    assert measured["bi_ae"]["parameters"] == measured["infersent"]["parameters"]
    for name in ("untrained", "average"):
        assert 0 <= measured["controls"][name]["transfer"]["kinds"] <= 1
    figures = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    assert [figure["id"] for figure in figures] == [
        f"supervised_unsupervised-{name}-mine" for name in ("trade", "transfer")
    ]


def test_a_sentence_of_unknown_words_writes_nothing(workspace):
    with open(workspace / "data/own/mine/dev.tsv", "a", encoding="utf-8") as file:
        file.write("Zug zag\tA cat\tno\n")
    run_command(workspace, "stages.sentence_pairs.read", "mine")
    process = run_command(workspace, "stages.supervised_unsupervised.prepare", "mine")
    assert process.returncode == 1 and "Traceback" not in process.stderr
    message = "data/corpora/mine, dev, pair or line 4: no word of the first sentence has a vector: 'Zug zag'"
    assert message in process.stderr
    assert not (workspace / "data/corpora/supervised_unsupervised/mine").exists()


@pytest.mark.parametrize(
    ("section", "changes", "message"),
    [
        ("variants", {"bi-ae": {"kind": "bi_ae"}}, "a name should be a word like without_attention, found 'bi-ae'"),
        ("variants", {"controls": {"kind": "ae"}}, "controls is a reserved name in the metrics; choose another name"),
        ("variants", {"more": {"kind": "bi_eae"}}, "more.kind should be 'ae', 'lm', 'combined', 'bi_ae' or 'bi_lm'"),
        ("training", {"wieght": 1.0}, "'supervised_unsupervised.training.wieght'; did you mean 'weight'"),
        ("transfer", {"variants": ["bi_a"]}, "there is no variant 'bi_a'; did you mean 'bi_ae'"),
        ("transfer", {"folds": 1}, "transfer.folds should be greater than or equal to 2, found 1"),
        ("corpora", {"more": {"pairs": [], "vectors": "v"}}, "corpora.more.pairs should have at least 1 item"),
    ],
)  # fmt: skip
def test_mistakes_in_the_parameters(section, changes, message, workspace):
    values = parameter_files.read(workspace)
    values["supervised_unsupervised"][section] |= changes
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        load(values)
