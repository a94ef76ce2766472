"""Where a project lies and where its data comes from: in each case the flow leaves what `dvc repro` leaves."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.flows.twins import Twins, copies


def git(folder: Path, *arguments: str) -> str:
    """What a command of Git printed."""
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def commit(folder: Path) -> None:
    """Commit all that Git does not ignore."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Change the project")


def test_a_project_in_a_folder_of_a_repository_of_several(twins):
    for repository in (twins.flow, twins.dvc):
        shutil.rmtree(repository.root / ".dvc")
        for name in ("first", "second"):
            folder = repository.root / name
            folder.mkdir()
            shutil.copy(repository.root / "in.txt", folder)
            shutil.copy(repository.root / "dvc.yaml", folder)
            (folder / "times").touch()
            repository.root = folder
            repository.dvc("init", "--subdir", "-q")
            repository.root = folder.parent
        for name in ("in.txt", "dvc.yaml", "other/dvc.yaml"):
            (repository.root / name).unlink()
    for name in ("first", "second"):
        twins.same(below=name)
    twins.write("second/in.txt", "other\n")
    twins.same(below="second")
    assert (twins.flow.read("first/c"), twins.flow.read("second/c")) == ("input\n", "other\n")
    assert "tmp/flow" not in git(twins.flow.root, "status", "--porcelain", "--untracked-files=all")


def test_a_project_in_a_submodule_and_in_a_linked_worktree(twins):
    origin = twins.flow.root
    commit(origin)
    for repository in (twins.flow, twins.dvc):
        repository.root = above = repository.root.with_name(f"above-{repository.root.name}")
        git(origin, "init", "--quiet", str(above))
        git(above, "submodule", "--quiet", "add", str(origin), "module")
        git(origin, "worktree", "add", "--quiet", "--detach", str(above / "worktree"))
        for folder in (above, above / "module", above / "worktree"):
            (folder / "times").touch()
    for name in ("module", "worktree"):
        twins.same(below=name)
        assert (twins.flow.root / name / ".git").is_file() and twins.flow.read(f"{name}/c") == "input\n"


def test_data_imported_from_another_repository(twins, tmp_path, environment):
    source = Twins(tmp_path / "source", environment).flow
    source.write("far", "one\n")
    source.dvc("add", "-q", "far")
    commit(source.root)
    twins.both("import", "-q", str(source.root), "far", "-o", "near")
    twins.stages({"a": copies("a", "near")})
    twins.same()
    source.write("far", "two\n")
    source.dvc("add", "-q", "far")
    commit(source.root)
    twins.same()
    assert twins.flow.read("a") == "one\n"
    twins.both("update", "-q", "near.dvc")
    twins.same()
    assert twins.flow.read("a") == "two\n"


def test_a_dataset_of_another_repository(twins, tmp_path, environment):
    source = Twins(tmp_path / "source", environment).flow
    commit(source.root)
    twins.both("dataset", "add", "--dvc", str(source.root), "far")
    for repository in (twins.flow, twins.dvc):
        content = yaml.safe_load(repository.read("dvc.yaml"))
        content["stages"] = {"a": {"cmd": "echo a > a && echo a >> times", "deps": ["ds://far"], "outs": ["a"]}}
        repository.write("dvc.yaml", yaml.safe_dump(content))
    twins.same()
    twins.same()
    assert twins.ran == []
    source.write("more", "")
    commit(source.root)
    twins.both("dataset", "update", "far")
    twins.same()
    assert twins.ran == ["a"]


def test_data_outside_of_the_project(twins, tmp_path):
    far, out = tmp_path / "far", tmp_path / "out"
    far.write_text("one\n")
    reads = copies("a", str(far))
    writes = {
        "cmd": f"cp a {shlex.quote(str(out))} && echo out >> times",
        "deps": ["a"],
        "outs": [{str(out): {"cache": False}}],
    }
    twins.stages({"a": reads, "out": writes, "b": copies("b", str(out))})
    twins.same()
    far.write_text("two\n")
    out.unlink()
    twins.flow.flow()
    assert (twins.flow.read("b"), out.read_text()) == ("two\n", "two\n")
    out.unlink()
    twins.dvc.dvc("repro")
    twins.same()


def test_experiments_take_and_leave_what_a_run_of_the_flow_did(twins):
    flow = twins.flow
    if not str(flow.root).isascii():
        pytest.skip("`dvc exp run --temp` writes its configuration in ASCII")
    (flow.root / "other/dvc.yaml").unlink()
    flow.write("params.yaml", "word: one\n")
    flow.stages({"a": {"cmd": "echo ${word} > a && echo a >> times", "params": ["word"], "outs": ["a"]}})
    flow.flow()
    commit(flow.root)
    for arguments in ((), ("--temp",)):
        flow.dvc("exp", "run", *arguments, "-S", "word=one", "-f")
    flow.write("times", "")

    flow.write("params.yaml", "word: two\n")
    flow.flow()
    flow.dvc("exp", "save", "--name", "by-hand")
    flow.dvc("exp", "run", "--temp", "--name", "by-dvc", "-S", "word=two")
    assert flow.read("times").split() == ["a"]
    locks = []
    for name in ("by-hand", "by-dvc"):
        flow.dvc("exp", "apply", name)
        locks.append(flow.read("dvc.lock"))
    assert locks[0] == locks[1] and "word: two" in locks[0]

    flow.dvc("exp", "run", "--queue", "--name", "queued", "-S", "word=three")
    flow.dvc("exp", "run", "--run-all")
    flow.dvc("exp", "apply", "queued")
    assert "Nothing to do" in flow.flow() and flow.read("a") == "three\n"
