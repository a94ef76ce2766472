import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from repline.systems.urn.agreement import sentence_templates as agreement_templates
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here

ROOT = Path(__file__).parents[2]
CORPORA = {
    "dyck": {"pairs": 10, "train_depth": 3, "train_strings": 30, "test_strings": 20, "seed": 1},
    "agreement": {
        "source": "raw/agreement_templates",
        "minimum_count": 2,
        "maximum_tokens": 50,
        "test_share": 0.1,
        "seed": 1,
    },
}


@pytest.fixture
def workspace(tmp_path):
    parameter_files.write(tmp_path, {"urn": parameter_files.shared()["urn"] | {"corpora": CORPORA}})
    source = tmp_path / "data/raw/agreement_templates"
    agreement_templates.write(source, seed=1, sentences=200)
    (source / "card.json").write_text(json.dumps({"name": "agreement_templates", "licence": "CC0", "files": []}))
    return tmp_path


def stage(workspace, name, **changes):
    for dotted, value in changes.items():
        section, key = dotted.split("__")
        parameters = parameter_files.read(workspace)
        parameters["urn"]["corpora"][section][key] = value
        parameter_files.write(workspace, parameters)
    return run_here(workspace, f"stages.{name}")


def test_dyck_is_generated_as_the_parameters_say(workspace):
    completed = stage(workspace, "urn.prepare_dyck")
    assert (completed.returncode, completed.stderr) == (0, "")
    assert completed.stdout == "data/corpora/dyck: 30 training and 20 test strings\n"
    assert pq.read_table(workspace / "data/corpora/dyck/train.parquet").num_rows == 30


def test_agreement_is_extracted_from_the_source_of_the_parameters(workspace):
    completed = stage(workspace, "urn.prepare_agreement")
    assert (completed.returncode, completed.stderr) == (0, "")
    assert completed.stdout.startswith("data/corpora/agreement: 180 training and 20 test examples, ")
    assert pq.read_table(workspace / "data/corpora/agreement/test.parquet").num_rows == 20


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        (
            "urn.prepare_dyck",
            {"dyck__train_depht": 3},
            "unknown parameter 'urn.corpora.dyck.train_depht'; did you mean 'train_depth'?",
        ),
        (
            "urn.prepare_dyck",
            {"dyck__train_depth": 12},
            "dyck: train_depth: 10 pairs can reach a depth of 1 to 10, found 12",
        ),
        ("urn.prepare_agreement", {"agreement__source": None}, "agreement.source should be a valid string, found None"),
        ("urn.prepare_agreement", {"agreement__source": "raw/absent"}, "data/raw/absent/card.json: no card"),
        ("urn.prepare_agreement", {"agreement__seed": "one"}, "agreement.seed should be a valid integer, found 'one'"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(workspace, name, changes, message):
    before = sorted(workspace.rglob("*"))
    failed = stage(workspace, name, **changes)
    assert failed.returncode == 1
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert sorted(workspace.rglob("*")) == before
