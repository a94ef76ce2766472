"""Every stage for real on the tiny profile: what a run leaves, that a second one has nothing to do, and mistakes."""

import json
import shutil

from repline import yaml_text
from repline.evaluation.claims import published
from repline.evaluation.claims.formulas import names
from tests.pipeline.conftest import EVERYTHING

ALWAYS = "stages/code/dvc.yaml:digest"  # the stage that always runs


def running(printed: str) -> list[str]:
    """The stages that `dvc repro` ran."""
    return [line.split("'")[1] for line in printed.splitlines() if line.startswith("Running stage")]


def test_every_stage_ran(undisturbed):
    stages = undisturbed.run("dvc", "stage", "list", "--all", "--name-only").split()
    assert len(stages) >= 12
    assert [stage for stage in stages if f"Running stage '{stage}'" not in undisturbed.printed] == []


def test_a_second_run_has_nothing_to_do(undisturbed, expected):
    printed = undisturbed.run("flows", "reproduce", *EVERYTHING)
    assert "Nothing to do" in printed and "Running" not in printed
    undisturbed.assert_clean()
    assert undisturbed.outputs() == expected


def test_the_run_leaves_corpora_models_evaluation_and_report(undisturbed, expected):
    folders = {"raw", "corpora", "models", "evaluation", "report"}
    assert {name.split("/")[0] for name in expected} == {"code.json", *folders}
    assert undisturbed.unfinished() == []
    assert list((undisturbed.root / "data/scratch").glob("urn-*")) == []
    page = (undisturbed.root / "data/report/index.html").read_text(encoding="utf-8")
    assert "Unitary" in page and "stages/urn/dvc.yaml:evaluate" in page


def test_metrics_are_where_the_published_tables_look_for_them(undisturbed):
    metrics = json.loads((undisturbed.root / "data/evaluation/urn/metrics.json").read_text(encoding="utf-8"))
    shown = json.loads(undisturbed.run("dvc", "metrics", "show", "--json"))
    shown = shown[""]["data"]["data/evaluation/urn/metrics.json"]["data"]
    assert shown["dyck"]["turn"]["validation_loss"] == metrics["dyck"]["turn"]["validation_loss"] > 0
    tables = published.read(undisturbed.root / "stages/urn/published.yaml").tables
    trained = metrics["dyck"].keys()  # not every variant of the tables is, on this profile
    measured = []
    for table in tables:
        for row, compared in zip(table.rows, published.compare(table, metrics), strict=True):
            formula_names = names(row.measured, table.id) if row.measured else set()
            if row.dataset == "dyck" and all(name[1] in trained for name in formula_names if name[0] == "dyck"):
                measured.append(compared.measured)
    assert measured and None not in measured


def test_every_plot_that_is_written_is_an_output(undisturbed):
    """One that dvc.yaml does not name would be in no cache and no remote."""
    outputs = yaml_text.parse((undisturbed.root / "stages/urn/dvc.yaml").read_text())["stages"]["evaluate"]["outs"]
    written = sorted(map(str, undisturbed.root.glob("data/evaluation/urn/plots/*")))
    assert written == [str(undisturbed.root / path) for path in outputs if "/plots/" in path]


def test_a_mistyped_or_wrong_parameter_is_one_sentence(undisturbed, expected, tmp_path):
    checkout = undisturbed.copy(tmp_path / "checkout", cache=True)
    unchanged = (checkout.root / "params.yaml").read_text()
    checkout.change(**{"urn.seeds": [0, "one"]})  # whether or not a stage that reads it is asked for
    message = "params.yaml: urn.seeds[1] should be a valid integer, found 'one'"
    assert message in checkout.run("flows", "reproduce", "wikipedia", code=1)
    (checkout.root / "params.yaml").write_text(unchanged)
    checkout.change(**{"wikipedia.langage": "bg"})  # no stage has to run for it: the flow looks before it starts
    message = "params.yaml: nothing reads the parameter 'wikipedia.langage'; did you mean 'wikipedia.language'?"
    assert message in checkout.run("flows", "reproduce", *EVERYTHING, code=1)
    assert checkout.outputs() == expected
    checkout.change(**{"wikipedia.on_error": "salvage"})  # now one has
    printed = checkout.run("dvc", "repro", *EVERYTHING, code=None, forked=True)
    message = ": params.yaml: unknown parameter 'wikipedia.langage'; did you mean 'language'?"
    assert len([line for line in printed.splitlines() if line.endswith(message)]) == 1
    assert "Traceback" not in printed
    # DVC takes the outputs of a stage away before it runs it; nothing else has changed, and these come back unmade
    assert checkout.outputs().items() <= expected.items()
    (checkout.root / "params.yaml").write_text(unchanged)
    printed = checkout.run("dvc", "repro", *EVERYTHING)
    assert running(printed) == [ALWAYS]
    assert checkout.outputs() == expected


def test_dvc_sees_a_parameter_that_no_training_reads(undisturbed, tmp_path):
    """So that the evaluation runs, which refuses it: see tests/systems/urn/test_settings.py."""
    checkout = undisturbed.copy(tmp_path / "checkout", cache=True)
    checkout.change(**{"urn.dyck.epoch": 3})
    status = json.loads(checkout.run("dvc", "status", "--json", "stages/urn/dvc.yaml"))
    assert "stages/urn/dvc.yaml:evaluate" in status
    assert "stages/urn/dvc.yaml:train_dyck@turn" not in status


def test_a_stage_that_refuses_its_parameters_changes_nothing(undisturbed, expected, tmp_path):
    checkout = undisturbed.copy(tmp_path / "checkout", cache=True)
    checkout.change(**{"urn.corpora.dyck.train_string": 1})
    printed = checkout.run("stages.urn.prepare_dyck", code=1)
    assert printed.splitlines() == [
        "stages.urn.prepare_dyck: params.yaml: unknown parameter 'urn.corpora.dyck.train_string'; "
        "did you mean 'train_strings'?"
    ]
    assert checkout.outputs() == expected


def test_an_experiment_runs_what_its_parameter_reaches_and_is_listed(undisturbed, expected, tmp_path):
    checkout = undisturbed.copy(tmp_path / "checkout", cache=True)
    shutil.rmtree(checkout.root / "data/corpora/dyck")  # comes back from the cache
    target = "stages/urn/dvc.yaml:train_dyck@turn"
    change = ("-S", "urn.dyck.variants.turn.k=2")
    printed = checkout.run("dvc", "exp", "run", "--name", "two-dimensions", *change, target, forked=True)
    assert running(printed) == [ALWAYS, target]
    after = checkout.outputs()
    assert after.keys() == expected.keys()
    changed = {name for name, digest in after.items() if expected[name] != digest}
    assert "models/urn/dyck-turn/seed-0/model.safetensors" in changed
    assert all(name.startswith("models/urn/dyck-turn/") for name in changed)
    listed = checkout.run("dvc", "exp", "show", "--csv", "--only-changed")
    assert "two-dimensions" in listed and "urn.dyck.variants.turn.k" in listed
