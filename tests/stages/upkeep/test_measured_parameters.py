"""Which parameters results were measured with, on a project of a corpus, a system that trains on it, another one."""

import json

import pytest

from repline import parameters
from stages import reference_results
from stages.upkeep import measured_parameters

PARAMS = """\
acquire: {sources: [a]}
hardware: {accelerator: cpu}
corpora: {made: {size: 3, on_error: skip, more: 1}}
system: {training: {epochs: 2, hardware: {}}, seeds: [0], unused: 1}
"""
TRUNK = "stages: {acquire: {cmd: make, params: [acquire.sources], outs: [raw]}}"
CORPORA = "stages: {make: {cmd: make, wdir: ../.., deps: [raw], params: [corpora.made.size], outs: [corpus]}}"
SYSTEM = """\
stages:
  train: {cmd: train, wdir: ../.., deps: [corpus], params: [hardware, system.training.epochs], outs: [model]}
  evaluate: {cmd: evaluate, wdir: ../.., deps: [model], params: [system.seeds], outs: [measures]}
"""
OTHER = "stages: {train: {cmd: train, wdir: ../.., params: [system.unused], outs: [other]}}"


@pytest.fixture
def project(tmp_path, monkeypatch):
    files = {
        ".dvc/config": "[core]\n    analytics = false\n    no_scm = true\n",
        "dvc.yaml": TRUNK,
        "params.yaml": PARAMS,
        "stages/corpora/dvc.yaml": CORPORA,
        "stages/system/dvc.yaml": SYSTEM,
        "stages/other/dvc.yaml": OTHER,
        "profiles/real.yaml": "corpora: {made: {size: 9}}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_parameters_of_a_system_are_those_of_its_stages_and_of_the_stages_before(project):
    used = measured_parameters.of_systems(project, ["system", "other"])
    assert list(used["system"]) == ["corpora.made.size", "system.seeds", "system.training"]
    assert list(used["other"]) == ["system.unused"]


@pytest.mark.parametrize(
    ("before", "after", "keys"),
    [
        ("epochs: 2", "epochs: 3", ["system.training"]),
        ("size: 3", "size: 4", ["corpora.made.size"]),
        ("seeds: [0], ", "", ["system.seeds"]),
        ("unused: 1", "unused: 2", []),
        ("hardware: {}", "hardware: {accelerator: gpu}", []),
    ],
)
def test_a_change_is_told_by_its_parameter(project, before, after, keys):
    used = measured_parameters.of_systems(project, ["system"])["system"]
    assert reference_results.changed(used, parameters.read()) == []
    (project / "params.yaml").write_text(PARAMS.replace(before, after))
    assert reference_results.changed(used, parameters.read()) == keys


def test_results_are_compared_under_their_own_profile(project, capsys):
    used = measured_parameters.of_systems(project, ["system"])["system"]
    (project / "results").mkdir()
    system = {"machine": "", "date": "", "claims": {}, "parameters": used}
    for profile in ("small", "real"):
        results = {"profile": profile, "systems": {"system": system}, "stages": {}, "exact": {}}
        (project / "results" / f"{profile}.json").write_text(json.dumps(results))
    assert measured_parameters.main(["--check"]) == 1
    assert capsys.readouterr().out == "system, real: measured before corpora.made.size changed\n"
    (project / "profiles/real.yaml").write_text("corpora: {made: {size: 3}}\n")
    assert measured_parameters.main(["--check"]) == 0


def test_results_without_digests_are_not_older():
    assert reference_results.older({"small": {"systems": {"system": {}}}}, {}) == {}


def test_a_profile_that_does_not_fit_the_parameters_has_nothing_to_compare(tmp_path):
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles/real.yaml").write_text("another_system: {size: 3}\n")
    results = {"real": {"systems": {"system": {"parameters": {"corpora": "12345678"}}}}}
    assert reference_results.older(results, {"corpora": {}}, tmp_path) == {}
