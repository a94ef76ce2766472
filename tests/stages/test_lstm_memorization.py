"""The stages of the memorisation probe on a synthetic text; its records are the paper's and judge as they should."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import stages
from repline.cards import write_card
from repline.corpora.language_modeling import corpus as language_modeling
from repline.corpora.language_modeling.recipes import StreamCorpus
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.evaluation.replication import replicate_files
from repline.systems.lstm_memorization import settings
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "lstm_memorization"
TABLES = {table.id: table.rows for table in published.read(FOLDER / "published.yaml").tables}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
PARAMETERS = parameter_files.shared()
OUT = "data/evaluation/lstm_memorization"


def verdicts(metrics, profile):
    judged = judgement.check(CLAIMS, metrics, profile, [metrics, metrics])
    return {claim.id: claim.verdict for claim in judged}


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "longest-solved": 16,
        "beyond": 2,
        "counting": 12,
        "dynamics": 3,
    }
    fifty = [row.value for row in TABLES["longest-solved"] if row.column == "50"]
    assert fifty == [10, 20, 40, 40, 60, 160]


def known_good():
    """Runs of 12 epochs on 1,000 types of the Penn Treebank, as measured by hand; uniform tokens teach 10."""

    def run(test, validation, lead=None):
        accuracies = {"early_test_accuracy": test, "test_accuracy": test, "validation_accuracy": validation}
        lead = lead and {"epoch": 6, "lead": lead}
        return {"d50": {length: accuracies | {"take_off": lead and dict(lead)} for length in ("n10", "n20")}}

    runs = {
        "language": run(0.973, 0.999, 0.15),
        "unigram": run(0.966, 0.994, 0.41),
        "uniform": run(0.002, 0.0),
    }
    runs["uniform"]["d50"]["n10"] = runs["language"]["d50"]["n10"] | {"take_off": {"epoch": 8, "lead": 0.0}}
    return {
        "runs": runs,
        "counting": {
            "c": {
                "all_steps": {"whole": 0.851, "best": [0.462, 0.410, 0.385]},
                "to_the_middle": {"whole": 0.993, "best": [0.908, 0.901, 0.897]},
            },
            "untrained": {"c": {"to_the_middle": {"whole": 0.7}}},
        },
    }


def test_every_small_claim_holds_on_a_known_good_run():
    judged = verdicts(known_good(), "small")
    small = {claim.id for claim in CLAIMS if claim.scale == "small"}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == small
    assert {verdict for name, verdict in judged.items() if name not in small} == {"not run"}


@pytest.mark.parametrize(
    ("profile", "path", "value", "failing"),
    [
        ("small", "runs.language.d50.n10.test_accuracy", 0.89, {"language-recalls-ten"}),
        ("small", "runs.unigram.d50.n10.test_accuracy", 0.49, {"unigram-recalls-ten"}),
        ("small", "runs.uniform.d50.n10.test_accuracy", 0.89, {"uniform-recalls-ten"}),
        ("small", "runs.language.d50.n10.take_off.epoch", 9, {"language-sooner-than-uniform-ten"}),
        ("real", "runs.language.d50.n20.early_test_accuracy", 0.89, {"language-recalls"}),
        (
            "real",
            "runs.language.d50.n20.early_test_accuracy",
            0.001,
            {"language-recalls", "language-above-uniform"},
        ),
        ("real", "runs.unigram.d50.n20.early_test_accuracy", 0.49, {"unigram-recalls"}),
        ("real", "runs.uniform.d50.n20.test_accuracy", 0.02, {"uniform-guesses-to-the-end"}),
        ("real", "runs.uniform.d50.n20.early_test_accuracy", 0.02, {"uniform-guesses"}),
        ("small", "runs.language.d50.n10.take_off.lead", -0.1, {"language-validation-leads-ten"}),
        ("real", "runs.language.d50.n20.take_off.lead", -0.1, {"language-validation-leads"}),
        ("small", "counting.c.to_the_middle.whole", 0.975, {"state-tells-the-step"}),
        ("small", "counting.untrained.c.to_the_middle.whole", 0.995, {"state-learns-the-step"}),
        ("small", "counting.c.to_the_middle.best", [0.95, 0.8], {"units-tell-the-step"}),
        ("small", "counting.c.all_steps.best", [0.95, 0.8], {"units-reset"}),
    ],
)
def test_a_claim_that_misses_fails(profile, path, value, failing):
    metrics = known_good()
    *sections, last = path.split(".")
    section = metrics
    for name in sections:
        section = section[name]
    section[last] = value
    assert {name for name, verdict in verdicts(metrics, profile).items() if verdict == "fails"} == failing


def paper_metrics():
    longest = {}
    for row in TABLES["longest-solved"]:
        longest.setdefault(row.item, {})[f"d{row.column}"] = row.value
    for name in ("unigram", "5gram", "10gram", "50gram"):
        longest[name]["d100"] = 300  # "eventually leads to perfect memorization"
    return {"longest_solved": longest}


def test_the_papers_own_numbers_uphold_its_claims():
    judged = verdicts(paper_metrics(), "paper")
    assert {name for name, verdict in judged.items() if verdict == "holds"} == {
        "unigram-longer-than-uniform",
        *(claim.id for claim in CLAIMS if claim.scale == "paper"),
    }
    metrics = paper_metrics()
    metrics["longest_solved"]["uniform"]["d800"] = 20
    metrics["longest_solved"]["language"]["d50"] = 60
    judged = verdicts(metrics, "paper")
    assert {name for name, verdict in judged.items() if verdict == "fails"} == {
        "language-longest",
        "units-do-not-help-uniform",
    }


def test_the_parameters_are_sound_and_a_mistake_is_named():
    section = PARAMETERS["lstm_memorization"]
    assert settings.load(PARAMETERS).training.epochs == section["training"]["epochs"]
    with_larger_sizes = settings.load({"lstm_memorization": section | {"more_sizes_of_uniform": [400, 50]}})
    assert (with_larger_sizes.sizes_of("uniform"), with_larger_sizes.sizes_of("language")) == ([50, 400], [50])
    for change, words in [
        ({"size": [3]}, "did you mean 'sizes'"),
        ({"sizes": []}, "lstm_memorization.sizes should have at least 1 item"),
        ({"lengths": [1]}, "should be greater than or equal to 2, found 1"),
        ({"distributions": ["3-gram"]}, "no distribution '3-gram'"),
        ({"training": section["training"] | {"epoch": 2}}, "did you mean 'epochs'"),
        ({"data": section["data"] | {"type": 2}}, "did you mean 'types'"),
        ({"counting": {"distribution": "language", "dimensions": 50, "lengths": 2}}, "did you mean 'length'"),
    ]:
        with pytest.raises(InputError, match=words):
            settings.load({"lstm_memorization": section | change})


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A corpus for language modelling of 60 synthetic documents, and the system's own settings made small."""
    root = tmp_path_factory.mktemp("project")
    source, generator = root / "data/corpora/made", np.random.default_rng(0)
    source.mkdir(parents=True)
    rows = [
        {
            "doc_id": f"d{document}",
            "sentence_id": sentence,
            "tokens": [f"w{chr(97 + min(int(number), 25))}" for number in generator.zipf(1.4, size=9) - 1],
        }
        for document in range(60)
        for sentence in range(5)
    ]
    columns = {"doc_id": pa.string(), "sentence_id": pa.int32(), "tokens": pa.list_(pa.string())}
    pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema(columns)), source / "part-00000.parquet")
    write_card(source, name="made", description="", licence="CC0", sources=[], parameters={}, counts={})
    language_modeling.build(source, root / "data/corpora/language_modeling", StreamCorpus(numbers=False))
    section = PARAMETERS["lstm_memorization"]
    section = section | {
        "data": section["data"] | {"types": 20, "test_types": 8, "test_sequences": 50},
        "distributions": ["uniform", "language"],
        "sizes": [8],
        "lengths": [20, 4],
        "seeds": [0, 1],
        "stop_when_unsolved": True,
        "training": section["training"] | {"epochs": 2, "batch": 16, "batch_of_few": 16},
        "counting": {"distribution": "language", "dimensions": 8, "length": 4},
    }
    parameter_files.write(root, {"profile": "tiny", "lstm_memorization": section})
    (root / "stages").symlink_to(ROOT / "stages")
    return root


def run(project, module, *arguments):
    return run_here(project, f"stages.lstm_memorization.{module}", *arguments)


@pytest.fixture(scope="module")
def prepared(project):
    completed = run(project, "prepare")
    assert completed.returncode == 0, completed.stderr
    return project


def test_the_stages_from_a_corpus_to_claims(prepared):
    steps = ("train uniform", "train language", "evaluate")
    output = run_steps(prepared, *(f"lstm_memorization.{step}" for step in steps)).stdout
    assert "uniform, d = 8: 4 is not solved, longer ones are not tried" in output
    assert not list((prepared / "data/scratch").glob("lstm_memorization-*"))
    metrics = json.loads((prepared / OUT / "metrics.json").read_text())
    assert metrics["longest_solved"] == {"language": {"d8": 0}, "uniform": {"d8": 0}}
    assert metrics["random_level"] == 0.05
    assert set(metrics["runs"]["language"]["d8"]) == {"n4"}
    experiment = metrics["runs"]["language"]["d8"]["n4"]
    assert len(experiment["test_accuracy_of_runs"]) == 2
    assert experiment["test_accuracy"] == experiment["test_accuracy_of_runs"][experiment["best_run"]]
    validation = experiment["history"]["validation_accuracy"]
    assert max(validation) == experiment["validation_accuracy"]
    assert experiment["history"]["test_accuracy"][validation.index(max(validation))] == experiment["test_accuracy"]
    assert experiment["early_test_accuracy"] == experiment["test_accuracy"]
    assert 0 <= metrics["counting"]["c"]["to_the_middle"]["whole"] <= 1
    assert 0 <= metrics["counting"]["untrained"]["c"]["to_the_middle"]["whole"] <= 1
    repeated = replicate_files.read(prepared / OUT / "replicates.parquet")  # each run alone
    assert [replicate["runs"]["language"]["d8"]["n4"]["test_accuracy"] for replicate in repeated] == experiment[
        "test_accuracy_of_runs"
    ]
    assert repeated[experiment["best_run"]]["counting"]["c"] == metrics["counting"]["c"]
    assert repeated[0]["counting"]["c"] != repeated[1]["counting"]["c"]
    assert repeated[0]["longest_solved"] == metrics["longest_solved"]
    assert {claim["verdict"] for claim in json.loads((prepared / OUT / "claims.json").read_text())} == {"not run"}
    titles = {figure["id"] for figure in json.loads((prepared / OUT / "figures.json").read_text())}
    assert {"longest", "dynamics"} <= titles
    assert len(json.loads((prepared / OUT / "plots/dynamics.json").read_text())) == 2 * 2


def test_a_mistake_is_one_sentence_and_writes_nothing(prepared):
    completed = run(prepared, "train", "bigram")
    assert completed.returncode == 1
    assert completed.stderr.strip().endswith("expected a distribution, one of: uniform, language")
    unchanged = (prepared / "params.yaml").read_text()
    values = parameter_files.read(prepared)
    before = (prepared / "data/corpora/middle_token/card.json").read_bytes()
    values["lstm_memorization"]["data"]["types"] = 200
    parameter_files.write(prepared, values)
    completed = run(prepared, "prepare")
    (prepared / "params.yaml").write_text(unchanged)
    assert completed.returncode == 1
    assert "and 200 were asked for" in completed.stderr and len(completed.stderr.strip().splitlines()) == 1
    assert (prepared / "data/corpora/middle_token/card.json").read_bytes() == before
