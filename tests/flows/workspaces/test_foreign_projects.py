"""What a foreign project has, a workspace has too: DVC's configuration, submodules, folders of outputs alone."""

import os
import shutil
import subprocess

import pytest

from flows.errors import InputError
from flows.project import settings
from flows.workspaces import profiles

WITHOUT_GIT = "[core]\n    analytics = false\n    no_scm = true\n"


def workspace_of(repository):
    (workspace,) = (repository.root / "data/scratch/workspaces").iterdir()
    return workspace


def git(folder, *arguments):
    configuration = ("user.name=x", "user.email=x@x", "protocol.file.allow=always")
    options = [part for setting in configuration for part in ("-c", setting)]
    subprocess.run(["git", *options, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(offline):
    offline.write("params.yaml", "x: 1\nlist: [1, 2]\nflag: false\n")
    return offline


def test_a_workspace_has_the_configuration_of_the_checkout(project):
    config = project.read(".dvc/config")
    project.write(".dvc/config", f"{config}[parsing]\n    list = append\n")
    project.write(".dvc/config.local", "[parsing]\n    bool = boolean_optional\n[core]\n    autostage = true\n")
    (project.root / ".dvc/config.local").chmod(0o600)
    project.stages({"a": {"cmd": "echo ${dict} > a", "outs": ["a"]}}, vars=[{"dict": {"list": [1, 2], "flag": False}}])
    project.flow("-S", "x=2")
    workspace = workspace_of(project)
    assert (workspace / "a").read_text() == "--list 1 --list 2 --no-flag\n"
    assert (workspace / ".dvc/config").stat().st_mode & 0o777 == 0o600

    project.write(".dvc/config", config)  # a changed one reaches the workspace
    project.flow("-S", "x=2")
    assert (workspace / "a").read_text() == "--list 1 2 --no-flag\n"
    project.write(".dvc/config", "[core\n")
    assert "config" in project.flow("-S", "x=2", code=1) and "Traceback" not in project.flow("-S", "x=2", code=1)


@pytest.mark.parametrize("place", ["config", "config.local"])
def test_remotes_of_a_workspace_lead_to_where_those_of_the_checkout_lead(project, place):
    before = project.read(".dvc/config") if place == "config" else ""
    project.write(f".dvc/{place}", f"{before}['remote \"ext\"']\n    url = ../../outside\n")
    (project.root.parent / "outside").mkdir()
    (project.root.parent / "outside/file").write_text("outside\n")
    command = f"cat {project.root.parent}/outside/file > a"
    project.stages({"a": {"cmd": command, "deps": ["remote://ext/file"], "params": ["x"], "outs": ["a"]}})
    project.flow()
    project.flow("-S", "x=2")
    assert (workspace_of(project) / "a").read_text() == "outside\n"
    assert "Nothing to do" in project.flow("-S", "x=2")


def test_data_is_pulled_in_a_workspace(project):
    remote = "    remote = far\n['remote \"far\"']\n    url = ../../far\n"
    project.write(".dvc/config", project.read(".dvc/config") + remote)
    project.write("big.csv", "big\n")
    project.dvc("add", "-q", "big.csv")
    a = {"cmd": "echo ran >> log && cat in.txt > a", "deps": ["in.txt"], "outs": ["a"]}
    read = {"cmd": "cat a big.csv > read", "deps": ["a", "big.csv"], "params": ["x"], "outs": ["read"]}
    project.stages({"a": a, "read": read})
    project.flow()
    project.dvc("push", "-q")
    for name in ("big.csv", "a", "read"):
        (project.root / name).unlink()
    shutil.rmtree(project.root / ".dvc/cache")
    (project.root / "log").unlink()
    project.flow("--pull", "-S", "x=2")
    workspace = workspace_of(project)
    assert (workspace / "read").read_text() == "input\nbig\n"
    assert not (workspace / "log").exists()


def test_files_of_submodules_are_in_a_workspace(project):
    library = project.root.parent / "library"
    for folder in (library, library.parent / "inner", project.root / "clone"):
        folder.mkdir()
        git(folder, "init", "-q")
        (folder / "file").write_text(f"{folder.name}\n")
        (folder / ".gitignore").write_text("ignored\n")
        git(folder, "add", ".")
        git(folder, "commit", "-qm", "x")
    git(library, "submodule", "add", "-q", str(library.parent / "inner"), "inner")
    git(library, "commit", "-qm", "x")
    git(project.root, "submodule", "add", "-q", str(library), "lib")
    git(project.root, "submodule", "add", "-q", str(library), "absent")
    git(project.root, "submodule", "update", "-q", "--init", "--recursive", "lib")
    git(project.root, "submodule", "deinit", "-q", "-f", "absent")
    project.write("lib/new", "new\n")
    project.write("lib/ignored", "")
    command = "cat lib/file lib/inner/file lib/new clone/file > a"
    project.stages({"a": {"cmd": command, "deps": ["lib"], "params": ["x"], "outs": ["a"]}})
    project.flow("-S", "x=2")
    workspace = workspace_of(project)
    assert (workspace / "a").read_text() == "library\ninner\nnew\nclone\n"
    assert not (workspace / "lib/ignored").exists() and not (workspace / "lib/.git").exists()

    (project.root / "lib/new").unlink()
    project.write("lib/new/part", "part\n")  # a folder now
    project.write("lib/file", "edited\n")
    project.stages({"a": {"cmd": "cat lib/file lib/new/part > a", "deps": ["lib"], "params": ["x"], "outs": ["a"]}})
    project.flow("-S", "x=2")
    assert (workspace / "a").read_text() == "edited\npart\n"


def test_a_workspace_of_which_the_list_names_a_folder(project):
    project.stages({"a": {"cmd": "echo a > a", "params": ["x"], "outs": ["a"]}})
    project.flow("-S", "x=2")
    workspace = workspace_of(project)
    with open(workspace / settings.COPIED, "a") as copied:
        copied.write("\0lib")
    (workspace / "lib").mkdir()
    (workspace / "lib/output").write_text("")
    project.flow("-S", "x=2")
    assert (workspace / "lib/output").exists()


@pytest.mark.parametrize(("key", "verb"), [("deps", "reads"), ("params", "reads"), ("outs", "writes")])
def test_a_stage_with_a_relative_path_out_of_the_project_does_not_run_in_a_workspace(project, key, verb):
    (project.root.parent / "shared.yaml").write_text("x: 1\n")
    paths = {
        "deps": {"deps": ["../../shared.yaml"]},
        "params": {"params": [{"../../shared.yaml": ["x"]}]},
        "outs": {"outs": [{"../../made": {"cache": False}}]},
    }
    out_of = {"cmd": "touch ../../made", "wdir": "sub", **paths[key]}
    first = {"cmd": "echo first > first", "params": ["x"], "outs": ["first"]}
    project.write("sub/file", "")
    project.stages({"out_of": out_of, "first": first})
    printed = project.flow("-S", "x=2", code=1)
    name = "../../made" if key == "outs" else "../../shared.yaml"
    assert f"out_of {verb} {name}, which is outside of the project, and cannot run in a workspace" in printed
    assert len(printed.strip().splitlines()) == 1 and not (workspace_of(project) / "first").exists()
    project.flow("first", "-S", "x=2")  # the others can
    assert (workspace_of(project) / "first").exists()
    project.flow()


def test_an_absolute_path_out_of_the_project_is_read_in_a_workspace(project):
    shared = project.root.parent / "shared.txt"
    shared.write_text("shared\n")
    os.symlink("../shared.txt", project.root / "link")
    command = f"cat {shared} link > a"
    project.stages({"a": {"cmd": command, "deps": [str(shared)], "params": ["x"], "outs": ["a"]}})
    project.flow("-S", "x=2")
    assert (workspace_of(project) / "a").read_text() == "shared\nshared\n"


@pytest.mark.parametrize("git_sees_it", [True, False])
def test_folders_that_hold_outputs_alone_are_in_a_workspace(project, git_sees_it):
    if not git_sees_it:
        shutil.rmtree(project.root / ".git")
        project.write(".dvc/config", WITHOUT_GIT)
    a = {"cmd": "echo a > models/deep/a", "params": ["x"], "outs": ["models/deep/a"]}
    b = {"cmd": "echo b > b", "wdir": "work", "params": [{"../params.yaml": ["x"]}], "outs": ["b"]}
    project.write(".gitignore", "/models/deep/*\n/work/*\n/data\n")
    project.stages({"a": a, "b": b})
    for folder in ("models/deep", "work"):
        (project.root / folder).mkdir(parents=True)
    project.flow("-S", "x=2")
    assert (workspace_of(project) / "models/deep/a").exists() and (workspace_of(project) / "work/b").exists()


def test_the_configuration_that_dvc_refuses_is_said(project, monkeypatch):
    monkeypatch.chdir(project.root)
    project.write(".dvc/config", "[core]\n    autostage = perhaps\n")
    project.stages({"a": {"cmd": "true"}})
    with pytest.raises(InputError, match="expected true or false"):
        profiles.enter(overrides=["x=2"])


@pytest.mark.parametrize("options", [(), ("--dry",), ("-S", "x=2")])
def test_a_project_without_its_git_repository_is_told_to_make_one(project, options):
    """A project that was unpacked from an archive has no Git, and DVC is not told to do without."""
    project.stages({"a": {"cmd": "echo a > a", "params": ["x"], "outs": ["a"]}})
    shutil.rmtree(project.root / ".git")
    assert f"{project.root} is in no Git repository" in project.flow(*options, code=1)
    git(project.root, "init", "-q")
    git(project.root, "add", ".")
    project.flow(*options)
