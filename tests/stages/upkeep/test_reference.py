"""What is kept of a run as its profile's reference results, and what is compared with them."""

import json
import subprocess

import pytest

from repline.report import reference as results
from stages.upkeep import reference
from tests.report.toy_system import PARAMETERS, write_system
from tests.stages import parameter_files

MACHINE = {"cores": 2, "platform": "Linux", "python": "3.11.7"}


def test_a_run_that_fails_leaves_nothing_to_keep(tmp_path, monkeypatch):
    commands = []
    monkeypatch.chdir(tmp_path)

    def fail(command):
        commands.append(command[1:])
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(reference.subprocess, "run", fail)
    with pytest.raises(reference.InputError, match="the profile real did not run to its end"):
        reference.main(["real"])
    assert commands == [["-m", "flows", "reproduce", "--profile", "real", "--all-pipelines"]]


def test_results_of_a_system_are_kept_beside_those_of_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("toy", "late"):
        write_system(tmp_path, name, evaluated=name == "toy")
    parameter_files.write(tmp_path, PARAMETERS)
    old, new = ({"date": date, "machine": "", "claims": {}} for date in ("2026-01-01", "2026-01-02"))
    before = {"profile": "small", "systems": {"toy": old, "other": old}, "stages": {"a": {"seconds": 1.0}}, "exact": {}}
    results.write("results/small.json", before)
    measured = {"profile": "small", "systems": {"toy": new, "late": new}, "stages": {"b": {}, "c": {}}, "exact": {}}
    monkeypatch.setattr(reference, "exact_outputs", lambda root: {})
    monkeypatch.setattr(reference.reference, "collect", lambda *_: measured)
    monkeypatch.setattr(reference.result_tables, "write", lambda: [])
    monkeypatch.setattr(reference, "to_commit", lambda *_: [])
    monkeypatch.setattr(reference.locks, "stale", lambda root: {"c": ["its command changed"]})
    reference.main(["--no-run", "--systems", "toy"])
    assert results.read()["small"] == {
        "profile": "small",
        "systems": {"toy": new, "other": old},
        "stages": {"a": {"seconds": 1.0}, "b": {}},
        "exact": {},
    }
    with pytest.raises(reference.InputError, match="profile small of late has not been run here"):
        reference.main(["--no-run", "--systems", "toy", "late"])
    with pytest.raises(reference.InputError, match="expected systems, some of late, toy; found tox"):
        reference.main(["--systems", "tox"])
    monkeypatch.setattr(reference.locks, "stale", lambda root: {"stages/toy/dvc.yaml:evaluate": ["x changed"]})
    with pytest.raises(
        reference.InputError, match=r"toy/dvc\.yaml:evaluate has changed since it was run \(x changed\)"
    ):
        reference.main(["--no-run", "--systems", "toy"])


def test_a_workspace_is_compared_by_the_stages_that_ran_in_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for root, profile in ((tmp_path, "small"), (tmp_path / reference.WORKSPACES / "real", "real")):
        runs = root / reference.RUNS
        runs.mkdir(parents=True)
        write_system(root, "toy")
        parameter_files.write(root, PARAMETERS | {"profile": profile})
        record = {"stage": "ran", "started": 0, "seconds": 1, "threads": 1}
        (runs / "ran.json").write_text(json.dumps(record | {"machine": MACHINE}))
    here = {"ran": {"data/a": "1"}, "ran elsewhere": {"data/b": "1"}}
    monkeypatch.setattr(reference, "exact_outputs", lambda root: here)
    results_of_profile = {
        "profile": "",
        "systems": {},
        "stages": {},
        "exact": here | {"ran elsewhere": {"data/b": "2"}},
    }
    for profile, different in (("small", ["ran elsewhere"]), ("real", [])):
        results.write(f"results/{profile}.json", results_of_profile | {"profile": profile})
        compared = reference.compare(profile, f"results/{profile}.json")
        assert (compared.exact_same, compared.exact_different) == (1, different)


def test_a_run_of_some_systems_is_compared_by_these_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parameter_files.write(tmp_path, PARAMETERS | {"profile": "small"})
    for name in ("toy", "other"):
        write_system(tmp_path, name)
    addresses = ("stages/toy/dvc.yaml:prepare", "stages/other/dvc.yaml:prepare", "acquire@x")
    monkeypatch.setattr(reference, "exact_outputs", lambda root: {key: {"data/a": "1"} for key in addresses})
    results.write("results/small.json", reference._measured(tmp_path)[0])
    both, toy = (reference.compare("small", "results/small.json", systems) for systems in ([], ["toy"]))
    assert (both.exact_same, toy.exact_same) == (3, 1)
    assert 0 < toy.numbers < both.numbers
    assert reference.compare("small", "results/small.json", ["toy", "other"]) == both
