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


@pytest.fixture(autouse=True)
def in_the_project(progress, monkeypatch):
    monkeypatch.chdir(progress.root)


def put_back(progress: Progress, folder: str = ".") -> str:
    """Do what the line says to put the files back, in a folder of the project; the command."""
    (line,) = tracked_files.lines(progress)
    command = line.partition("back: ")[2]
    subprocess.run(command, shell=True, cwd=progress.root / folder, check=True)
    return command


def test_locks_and_metrics_that_a_run_changed_are_counted_and_can_be_put_back(progress):
    (progress.root / SOURCE).write_text("a person's own change\n")
    assert list(tracked_files.lines(progress)) == []
    (progress.root / LOCK).write_text("new\n")
    assert list(tracked_files.lines(progress)) == [
        "1 file that Git tracks holds what this run measured: 1 dvc.lock; "
        f"to keep it: git add {LOCK}; to put it back: git restore {LOCK}"
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


def test_files_that_are_staged_already_are_left_out(progress):
    (progress.root / LOCK).write_text("new\n")
    (progress.root / METRICS).write_text("new\n")
    git(progress.root, "add", LOCK)
    assert put_back(progress) == f"git restore {METRICS}"
    assert list(tracked_files.lines(progress)) == []


def test_without_git_nothing_is_said(progress):
    (progress.root / LOCK).write_text("new\n")
    (progress.root / ".git").rename(progress.root / "no git")
    assert list(tracked_files.lines(progress)) == []


def writing(progress: Progress, *outs: str) -> Progress:
    """A run of one stage that writes these files, which Git has; all of them, and `SOURCE`, have changed since."""
    for name in (*outs, SOURCE):
        (progress.root / name).parent.mkdir(parents=True, exist_ok=True)
        (progress.root / name).write_text("old\n")
    git(progress.root, "add", ".")
    git(progress.root, "commit", "-q", "-m", "outputs")
    for name in (*outs, SOURCE):
        (progress.root / name).write_text("new\n")
    plan = {"a": Stage("a", (), 1, 0, 0, None, outs=outs)}
    return Progress(progress.root, plan, {}, Room(1, 1, 0))


def changed(progress: Progress) -> list[str]:
    return git(progress.root, "diff", "--name-only", "-z").stdout.split("\0")[:-1]


def test_files_whose_names_end_alike_are_left_alone(progress):
    progress = writing(progress, "m.json")
    (progress.root / "conf").mkdir()
    (progress.root / "conf/team.json").write_text("old\n")
    git(progress.root, "add", "conf")
    (progress.root / "conf/team.json").write_text("a person's own change\n")
    assert put_back(progress) == "git restore m.json" and changed(progress) == ["conf/team.json", SOURCE]


def test_paths_are_those_of_the_folder_that_the_run_was_started_in(progress, monkeypatch):
    progress = writing(progress, "data/m.json", "m.json")
    monkeypatch.chdir(progress.root / "data")
    assert put_back(progress, "data") == "git restore m.json ../m.json" and changed(progress) == [SOURCE]


def test_names_that_a_shell_or_git_reads_otherwise(progress):
    progress = writing(progress, "a b's", "[ab].json", ":x", "-n", "back\\slash", "ü")
    (progress.root / "a.json").write_text("old\n")
    git(progress.root, "add", "a.json")
    (progress.root / "a.json").write_text("a person's own change\n")
    put_back(progress)
    assert changed(progress) == ["a.json", SOURCE]


MANY = [f"data/{number}/metrics.json" for number in range(9)]


def test_many_files_are_named_by_patterns(progress, monkeypatch):
    progress = writing(progress, *MANY)
    monkeypatch.chdir(progress.root / "data")
    assert put_back(progress, "data") == "git restore ':(top,glob)**/metrics.json'" and changed(progress) == [SOURCE]


def test_a_pattern_is_right_where_files_that_are_staged_fit_it(progress):
    progress = writing(progress, *MANY)
    git(progress.root, "add", MANY[0])
    assert put_back(progress) == "git restore ':(top,glob)**/metrics.json'" and changed(progress) == [SOURCE]
    assert (progress.root / MANY[0]).read_text() == "new\n"


@pytest.mark.parametrize("is_tracked", [True, False])
def test_many_files_are_listed_where_a_pattern_takes_others(progress, is_tracked):
    other = progress.root / "conf/metrics.json"
    if is_tracked:
        writing(progress, "conf/metrics.json")
        git(progress.root, "add", "conf/metrics.json")
    progress = writing(progress, *MANY)
    other.parent.mkdir(exist_ok=True)
    other.write_text("a person's own change\n")
    assert put_back(progress) == f"git restore {' '.join(MANY)}"
    assert other.read_text() == "a person's own change\n"


def test_a_project_in_a_folder_of_its_repository(progress, monkeypatch):
    inner = writing(progress, *(f"data/evaluation/{name}" for name in MANY))
    plan = {"a": Stage("a", (), 1, 0, 0, None, outs=tuple(f"evaluation/{name}" for name in MANY))}
    inside = Progress(inner.root / "data", plan, {}, Room(1, 1, 0))
    monkeypatch.chdir(inside.root)
    assert put_back(inside) == "git restore ':(top,glob)**/metrics.json'" and changed(inner) == [SOURCE]
