"""A profile runs in its workspace; the checkout keeps its results."""

import json
import os
import shutil

import pytest
import yaml

from flows.errors import InputError
from flows.workspaces import overrides, profiles
from tests.flows.conftest import PROJECT, THIS_PROJECT, timed

WORKSPACE = "data/scratch/workspaces/tiny"


@pytest.fixture
def project(repository):
    repository.write("pyproject.toml", f"{PROJECT}path-variables = ['REPLINE_MIRROR']\n")
    repository.write("params.yaml", "profile: small\nmodel: {units: 50, seed: 1}\n")
    repository.write("profiles/tiny.yaml", "model: {units: 2}\n")
    repository.write("stages/obsolete.py", "")
    read = "python -c \"import yaml; print(yaml.safe_load(open('params.yaml'))['model']['units'])\" > out/train"
    corpus = {"cmd": timed("corpus"), "deps": ["in.txt"], "outs": ["out/corpus"]}
    train = {"cmd": f"{timed('train')} && {read}", "deps": ["out/corpus"], "params": ["model"], "outs": ["out/train"]}
    where = {
        "cmd": "echo $REPLINE_MIRROR > out/where",
        "deps": ["out/corpus"],
        "outs": ["out/where"],
        "params": ["model"],
    }
    repository.stages({"corpus": corpus, "train": train, "where": where})
    repository.dvc("repro", "-q")
    return repository


def test_a_profile_runs_in_a_workspace_and_leaves_the_checkout_alone(project):
    before = project.read("dvc.lock")
    printed = project.flow("--profile", "tiny", REPLINE_MIRROR="mirror")
    assert f"The results of profile tiny are in {WORKSPACE}/data" in printed
    assert (project.read("out/train"), project.read(f"{WORKSPACE}/out/train")) == ("50\n", "2\n")
    merged = yaml.safe_load(project.read(f"{WORKSPACE}/params.yaml"))
    assert merged == {"profile": "small", "model": {"units": 2, "seed": 1}}  # its name is no parameter
    # a folder that is named from the checkout is the same folder inside the workspace
    assert project.read(f"{WORKSPACE}/out/where") == f"{project.root / 'mirror'}\n"
    assert project.read("dvc.lock") == before
    project.assert_clean()
    # the same inputs as in the checkout: out of its run cache
    assert "corpus" not in project.read(f"{WORKSPACE}/times/runs").split()
    assert not project.exists(f"{WORKSPACE}/.dvc/cache")

    (project.root / "stages/obsolete.py").unlink()
    project.write("stages/new.py", "")
    project.write(f"{WORKSPACE}/data/scratch/checkpoint", "half way")
    assert "Nothing to do" in project.flow("--profile", "tiny", PREFECT_API_URL="")
    assert project.exists(f"{WORKSPACE}/stages/new.py") and project.exists(f"{WORKSPACE}/data/scratch/checkpoint")
    assert not project.exists(f"{WORKSPACE}/stages/obsolete.py")


def test_a_file_name_that_is_no_utf_8_is_copied(project):
    name = os.fsdecode(b"M\xfcller.txt")
    project.write(name, "mine")
    project.flow("--profile", "tiny", "--dry")
    assert project.read(f"{WORKSPACE}/{name}") == "mine"
    (project.root / name).unlink()
    project.flow("--profile", "tiny", "--dry")
    assert not project.exists(f"{WORKSPACE}/{name}")


def test_an_unknown_parameter_names_the_nearest_one(project):
    project.write("profiles/tiny.yaml", "model: {unit: 2}\n")
    printed = project.flow("--profile", "tiny", code=1)
    assert "profiles/tiny.yaml: unknown parameter 'model.unit'; did you mean 'units'?" in printed
    assert not project.exists("data/scratch/workspaces")


@pytest.mark.parametrize(
    ("text", "value"), [("1e-3", 0.001), ("020", 20), ("no", "no"), ("[1E2]", [100.0]), ("", None)]
)
def test_the_value_of_an_override_is_what_dvc_takes_it_for(text, value):
    applied = overrides.apply({"train": {"rate": 1}}, [f"train.rate={text}"])["train"]["rate"]
    assert (type(applied), applied) == (type(value), value)


def test_a_profile_is_a_name_and_no_path(project):
    assert "there is no profile '../tiny'; there are small, tiny" in project.flow("--profile", "../tiny", code=1)


def test_what_the_checkout_acquired_and_keeps_is_in_a_new_workspace(project):
    acquire = {"cmd": "mkdir -p data/raw && echo x >> data/raw/source", "deps": ["in.txt"]}
    stages = yaml.safe_load(project.read("dvc.yaml"))["stages"]
    project.stages(stages | {"acquire": acquire | {"outs": [{"data/raw/source": {"persist": True}}]}})
    project.dvc("repro", "-q")
    project.flow("--profile", "tiny")
    assert project.read(f"{WORKSPACE}/data/raw/source") == "x\n"
    assert json.loads(project.dvc("status", "--json")) == {}


def test_data_that_no_command_makes_is_in_a_workspace_in_its_present_version(project):
    project.write("big.csv", "1\n")
    project.dvc("add", "-q", "big.csv")
    ice = {"cmd": "cat in.txt > ice", "deps": ["in.txt"], "outs": ["ice"]}
    read = {"cmd": "cat big.csv ice > read", "deps": ["big.csv", "ice"], "params": ["model"], "outs": ["read"]}
    project.stages({"ice": ice, "read": read})
    project.dvc("repro", "-q")
    project.stages({"ice": ice | {"frozen": True}, "read": read})
    project.flow("-S", "model.units=7", PREFECT_API_URL="")
    project.write("big.csv", "2\n")
    project.dvc("add", "-q", "big.csv")
    printed = project.flow("-S", "model.units=7", PREFECT_API_URL="")
    workspace = next((project.root / "data/scratch/workspaces").iterdir())
    assert (workspace / "read").read_text() == "2\ninput\n" and "1 ran" in printed


def test_what_users_put_into_data_is_at_hand_in_a_workspace(project):
    read = {"cmd": "mkdir -p data/made/it && cat data/mine.txt data/made/mine/words > data/made/it/copy"}
    stages = yaml.safe_load(project.read("dvc.yaml"))["stages"]
    deps = ["data/mine.txt", "data/made/mine"]
    project.stages(stages | {"read": read | {"deps": deps, "params": ["model"], "outs": ["data/made/it"]}})
    project.write("data/mine.txt", "one\n")
    project.write("data/made/mine/words", "two\n")
    project.dvc("repro", "-q")
    project.flow("--profile", "tiny")
    folder = project.root / WORKSPACE / "data/made"
    assert (folder / "it/copy").read_text() == "one\ntwo\n"
    assert (folder / "mine").is_symlink() and not (folder / "it").is_symlink()

    project.write("data/made/mine/words", "three\n")
    project.flow("--profile", "tiny")
    assert (folder / "it/copy").read_text() == "one\nthree\n"
    assert project.read("data/made/it/copy") == "one\ntwo\n"

    write = {"cmd": "mkdir -p data/made/mine && echo new > data/made/mine/words", "outs": ["data/made/mine"]}
    project.stages(stages | {"write": write})  # now a stage's: it makes its own, and leaves the user's alone
    project.flow("write", "--profile", "tiny")
    assert (folder / "mine/words").read_text() == "new\n" and not (folder / "mine").is_symlink()
    assert project.read("data/made/mine/words") == "three\n"


def test_the_locks_and_metrics_that_git_keeps_are_the_checkouts_alone(project):
    project.write(".gitignore", "/data/*\n!/data/evaluation/\n/times\n/out\n")
    read = "python -c \"import yaml; print(yaml.safe_load(open('params.yaml'))['model']['units'])\""
    evaluate = {"cmd": f"mkdir -p data/evaluation && {read} > data/evaluation/metrics.json", "params": ["model"]}
    stages = yaml.safe_load(project.read("dvc.yaml"))["stages"]
    metrics = {"deps": ["out/corpus"], "metrics": [{"data/evaluation/metrics.json": {"cache": False}}]}
    project.stages(stages | {"evaluate": evaluate | metrics})
    project.dvc("repro", "-q")
    for name in (".dvc/cache", "out", "times"):  # as a clone: locks and metrics, no data
        shutil.rmtree(project.root / name)

    project.flow("--profile", "tiny")
    # the lock came along, and what it says is no reason to leave out a stage whose output is not there
    assert project.read(f"{WORKSPACE}/times/runs").split() == ["corpus", "train"]
    assert project.read(f"{WORKSPACE}/data/evaluation/metrics.json") == "2\n"
    assert project.read("data/evaluation/metrics.json") == "50\n"

    os.utime(project.root / "data/evaluation/metrics.json")
    (project.root / "dvc.lock").unlink()  # a branch without locks: the workspace still holds what its own lock says
    assert "Nothing to do" in project.flow("--profile", "tiny", PREFECT_API_URL="")
    assert project.read(f"{WORKSPACE}/data/evaluation/metrics.json") == "2\n"


def test_a_section_that_nothing_reads_names_the_nearest_one(offline):
    offline.write("pyproject.toml", THIS_PROJECT)
    offline.write("params.yaml", "profile: small\nmodel: {units: 50}\nmodle: {units: 60}\n")
    offline.stages({"train": {"cmd": "true", "params": ["model"]}})
    assert "nothing reads the section 'modle'; did you mean 'model'?" in offline.flow(code=1)


def test_overrides_of_other_parameter_files_in_a_project_without_git(offline):
    shutil.rmtree(offline.root / ".git")
    (offline.root / "pyproject.toml").unlink()
    offline.write(".dvc/config", "[core]\n    analytics = false\n    no_scm = true\n")
    offline.write("conf/p.toml", "# kept out of DVC's way\n[model]\nunits = 50\n")
    offline.write("p.json", '{"seeds": [1], "more": {}}')
    offline.write(".dvcignore", "ignored\n")
    offline.write("ignored/file", "")
    params = [{"conf/p.toml": ["model.units"]}, {"p.json": ["seeds", "more"]}]
    offline.stages({"a": {"cmd": "cat conf/p.toml p.json in.txt > a", "params": params, "outs": ["a"]}})
    offline.dvc("repro", "-q")
    offline.flow("-S", "conf/p.toml:model.units=2", "-S", "p.json:seeds=[7]", "-S", "p.json:+more.rate=0.5")
    (workspace,) = (offline.root / ".dvc/tmp/flow/workspaces").iterdir()
    text = "".join((workspace / "a").read_text().split())
    assert text.endswith('[model]units=2{"seeds":[7],"more":{"rate":0.5}}input') and "50" in offline.read("a")
    assert not (workspace / "ignored").exists() and not (workspace / "params.yaml").exists()
    assert "p.tom is no parameter file; expected one that ends in" in offline.flow("-S", "p.tom:x=1", code=1)


def test_a_project_that_uses_no_git_needs_no_git_program(offline, monkeypatch):
    offline.stages({"a": {"cmd": "x", "outs": ["a"]}})
    monkeypatch.chdir(offline.root)
    monkeypatch.setenv("PATH", str(offline.root))
    offline.write("params.yaml", "x: 1\n")
    with pytest.raises(InputError, match="there is no git; install it"):
        profiles.enter(overrides=["x=2"])
    offline.write(".dvc/config", "[core]\n    analytics = false\n    no_scm = true\n")
    assert (profiles.enter(overrides=["x=2"]) / "dvc.yaml").exists()
