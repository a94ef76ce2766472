"""`explain` names the parameter, file, command or stage above that makes a stage run."""

import subprocess
import sys

import pytest
import yaml

from flows.errors import InputError
from flows.planning import explain_command
from tests.commands import ROOT

STAGES = {
    "prepare": {"cmd": "cp raw.txt clean.txt", "deps": ["raw.txt"], "outs": ["clean.txt"]},
    "train": {
        "cmd": "cat clean.txt params.yaml > model.txt",
        "deps": ["clean.txt"],
        "params": ["epochs", "rate"],
        "outs": ["model.txt"],
    },
    "evaluate": {"cmd": "wc -c model.txt > size.txt", "deps": ["model.txt"], "outs": ["size.txt"]},
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dvc = [sys.executable, "-m", "dvc"]
    subprocess.run([*dvc, "init", "--no-scm", "--quiet"], check=True)
    (tmp_path / "dvc.yaml").write_text(yaml.safe_dump({"stages": STAGES}), encoding="utf-8")
    (tmp_path / "params.yaml").write_text("epochs: 3\nrate: 0.1\n", encoding="utf-8")
    (tmp_path / "raw.txt").write_text("text\n", encoding="utf-8")
    subprocess.run([*dvc, "repro", "--quiet"], check=True)
    return tmp_path


def explained(project, capsys, target="evaluate"):
    assert explain_command.command(project, target) == 0
    return capsys.readouterr().out.splitlines()


def test_nothing_changed(project, capsys):
    assert explained(project, capsys) == ["evaluate is up to date"]


def test_a_parameter_of_a_stage_above(project, capsys):
    (project / "params.yaml").write_text("epochs: 5\nrate: 0.1\n", encoding="utf-8")
    assert explained(project, capsys) == [
        "evaluate will run:",
        "  if what it reads changes, by train -> evaluate, where",
        "    epochs of params.yaml changed from 3 to 5",
    ]
    assert explained(project, capsys, "train") == ["train will run:", "  epochs of params.yaml changed from 3 to 5"]
    assert explained(project, capsys, "prepare") == ["prepare is up to date"]


def test_a_file_a_command_and_an_output(project, capsys):
    (project / "raw.txt").write_text("other\n", encoding="utf-8")
    changed = STAGES | {"train": STAGES["train"] | {"cmd": "cp clean.txt model.txt"}}
    (project / "dvc.yaml").write_text(yaml.safe_dump({"stages": changed}), encoding="utf-8")
    (project / "size.txt").unlink()
    assert explained(project, capsys) == [
        "evaluate will run:",
        "  its output size.txt is missing",
        "  if what it reads changes, by train -> evaluate, where",
        "    its command changed, to cp clean.txt model.txt",
        "  if what it reads changes, by prepare -> train -> evaluate, where",
        "    raw.txt changed",
    ]


def test_a_stage_that_never_ran(project, capsys):
    new = STAGES | {"more": {"cmd": "cp size.txt more.txt", "deps": ["size.txt"], "outs": ["more.txt"]}}
    (project / "dvc.yaml").write_text(yaml.safe_dump({"stages": new}), encoding="utf-8")
    assert explained(project, capsys, "more") == ["more will run:", "  it never ran here: dvc.lock has no entry of it"]


def test_no_such_stage(project):
    with pytest.raises(InputError, match="nowhere"):
        explain_command.command(project, "nowhere")


def test_the_command_line(project):
    (project / "params.yaml").write_text("epochs: 3\n", encoding="utf-8")
    command = [sys.executable, "-m", "flows", "explain", "train"]
    process = subprocess.run(command, capture_output=True, text=True, cwd=project, env={"PYTHONPATH": str(ROOT)})
    assert process.returncode == 0, process.stderr
    assert process.stdout == "train will run:\n  rate of params.yaml is missing\n"
