"""At its end a run says which files of Git it has changed, and how to put them back."""

import subprocess

import pytest

from flows.display import tracked_files
from flows.display.progress import Progress
from flows.planning.dvc_graph import Stage
from flows.planning.schedule import Room

LOCK, METRICS, SOURCE = "stages/toy/dvc.lock", "data/evaluation/toy/metrics.json", "source.py"


def git(folder, *arguments):
    identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    return subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True, text=True)


@pytest.fixture
def progress(tmp_path):
    """A run of one stage in a folder with Git, before it has written anything."""
    git(tmp_path, "init", "-q")
    for name in (LOCK, METRICS, SOURCE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("old\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "old")
    address = "stages/toy/dvc.yaml:evaluate"
    plan = {address: Stage(address, (), 1, 0, 0, None, outs=("data/evaluation/toy/metrics.json", "data/models/toy"))}
    return Progress(tmp_path, plan, {}, Room(1, 1, 0))


def test_locks_and_metrics_that_a_run_changed_are_counted_and_can_be_put_back(progress):
    (progress.root / SOURCE).write_text("a person's own change\n")
    assert list(tracked_files.lines(progress)) == []
    (progress.root / LOCK).write_text("new\n")
    assert list(tracked_files.lines(progress)) == [
        "1 file that Git tracks holds what this run measured: 1 dvc.lock; "
        "to keep it: git add '*dvc.lock'; to put it back: git restore '*dvc.lock'"
    ]
    (progress.root / METRICS).write_text("new\n")
    (line,) = tracked_files.lines(progress)
    assert line.startswith("2 files that Git tracks hold what this run measured: 1 ")
    keep = line.partition("keep them: ")[2].partition(";")[0]
    subprocess.run(keep, shell=True, cwd=progress.root, check=True)
    staged = subprocess.run(
        ["git", "diff", "--cached", "--name-only"], cwd=progress.root, capture_output=True, text=True
    )
    assert set(staged.stdout.split()) == {LOCK, METRICS}
    git(progress.root, "reset", "-q")
    subprocess.run(line.partition("back: ")[2], shell=True, cwd=progress.root, check=True)
    assert [(progress.root / name).read_text() for name in (LOCK, METRICS)] == ["old\n", "old\n"]
    assert (progress.root / SOURCE).read_text() == "a person's own change\n"
    assert list(tracked_files.lines(progress)) == []


def test_without_git_nothing_is_said(progress):
    (progress.root / LOCK).write_text("new\n")
    (progress.root / ".git").rename(progress.root / "no git")
    assert list(tracked_files.lines(progress)) == []
