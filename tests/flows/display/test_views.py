"""What a person sees of a run: on a terminal, in a log, with --verbose, and at its end."""

import errno
import fcntl
import io
import os
import pty
import re
import struct
import termios
import time
from pathlib import Path

import pytest
from rich.console import Console

from flows.display import progress, summary, views
from flows.display.progress import Progress, clock
from flows.planning.dvc_graph import Stage
from flows.planning.schedule import Estimate, Room
from flows.records import logs
from tests.flows.conftest import THIS_PROJECT, stage, wait_until

TRAIN, TRAIN_B, END = (f"stages/toy/dvc.yaml:{step}" for step in ("train@a", "train@b", "end"))
EVALUATED = tuple(f"data/evaluation/{name}/metrics.json" for name in ("half", "other", "toy"))


@pytest.fixture
def run(tmp_path, monkeypatch) -> Progress:
    """A run in which one stage trains, one has failed, and one waits; its clock says 100 s."""
    (tmp_path / "pyproject.toml").write_text(THIS_PROJECT)
    monkeypatch.chdir(tmp_path)
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    plan = {name: Stage(name, (), 1, 0, 0, None, outs=EVALUATED) for name in (TRAIN, TRAIN_B, END)}
    shown = Progress(tmp_path, plan, {name: Estimate(150.0) for name in plan}, Room(1, 1, 1), now[0])
    shown.start(TRAIN)
    shown.start(TRAIN_B)
    now[0] += 30
    shown.end(TRAIN_B, "failed")
    now[0] += 70
    return shown


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_live_view_has_the_counts_the_time_left_and_the_last_line_of_each_running_stage(run, columns):
    path = logs.path(run.root, TRAIN)
    assert path == run.root / "data/scratch/logs/stages.toy.dvc.yaml.train@a.log"
    path.parent.mkdir(parents=True)
    path.write_bytes(
        b"first\n" + b"x" * 9000 + b"\n\x1b[32m10%\x1b[0m\r\x1b[32m20%\x1b[0m [red] |##\t| and " + b"on " * 60
    )
    console = Console(file=io.StringIO(), width=columns)
    screen = views.Screen(console)
    console.print(screen)
    screen.follow(run)
    console.print(screen)
    lines = [line.rstrip() for line in console.file.getvalue().splitlines()]
    assert lines[0].startswith("starting Prefect")
    text = " ".join(lines)
    assert "1 of 3 finished, 1 running, 1 waiting, 1 failed" in text
    assert "1 min 40 s so far, about 3 min 20 s left" in text
    assert lines[-1].startswith("toy:train@a  1 min 40 s  20%") and "10%" not in lines[-1]
    assert lines[-1].endswith("…") and max(map(len, lines)) <= columns


def test_a_stage_that_has_printed_nothing_has_no_last_line(tmp_path):
    assert logs.last_line(tmp_path / "none") == ""
    (tmp_path / "empty").write_bytes(b"\n\r\n")
    assert logs.last_line(tmp_path / "empty") == ""


def test_a_log_gets_a_line_a_minute(run, capsys, monkeypatch):
    monkeypatch.setattr(views, "MINUTE", 60.0)
    lines = views.Lines()
    lines.follow(run)
    lines.tick()
    start = progress.time.monotonic()
    monkeypatch.setattr(progress.time, "monotonic", lambda: start + 61)
    lines.tick()
    lines.tick()
    monkeypatch.setattr(progress.time, "monotonic", lambda: start + 3 * 3600 + 10)  # the machine has slept
    lines.tick()
    lines.tick()
    printed = [re.sub(r"^\d\d:\d\d:\d\d ", "", line) for line in capsys.readouterr().out.splitlines()]
    assert printed == [
        "3 stages, 0 of them unchanged, about 3 min 20 s",
        "1 of 3 finished, 1 running, 1 waiting, 1 failed; 2 min 41 s so far, about 3 min 10 s left; "
        "toy:train@a 2 min 41 s",
        "1 of 3 finished, 1 running, 1 waiting, 1 failed; 3 h 1 min so far, about 47 min 58 s left; "
        "toy:train@a 3 h 1 min",
    ]


@pytest.mark.parametrize(
    ("guessed", "note"),
    [
        ((TRAIN, END), " (a guess: 2 stages have not run here yet)"),
        ((END, TRAIN_B), ""),
        ((TRAIN,), ""),
    ],
)
def test_a_time_that_is_mostly_guessed_says_so(run, guessed, note):
    run.estimates |= {name: Estimate(150.0, measured=False) for name in guessed}
    assert run.times() == f"1 min 40 s so far, about 3 min 20 s left{note}"
    assert run.left_in_words() == f"about 3 min 20 s{note}"


def test_one_stage_is_guessed(run):
    run.estimates |= {END: Estimate(151.0, measured=False)}
    assert run.left_in_words() == "about 3 min 21 s (a guess: 1 stage has not run here yet)"


def test_the_first_line_of_a_run_says_how_many_stages_have_not_run_here(repository):
    repository.stages({"train": stage("train")})
    said = r"1 stages, 0 of them unchanged, about (.*)"
    first = re.search(said, repository.flow())[1]
    assert first.endswith("(a guess: 1 stage has not run here yet)")
    assert "guess" not in re.search(said, repository.flow("--force"))[1]
    repository.write("params.yaml", "a: 1\n")
    assert "guess" not in re.search(said, repository.flow("--force", "-S", "a=2"))[1]


def test_in_a_log_a_stage_has_two_lines_and_its_output_a_file_of_its_own(repository):
    loud = stage("loud", then="for i in $(seq 40); do echo line $i; done")
    bad = stage("bad", then="for i in $(seq 40); do echo word $i; done; echo no cheese >&2; false")
    repository.stages({"loud": loud, "many": {"matrix": {"n": ["x"]}} | bad, "low": stage("low", after=("bad",))})
    printed = repository.flow("--jobs", "1", code=1)
    assert len(re.findall(r"^\d\d:\d\d:\d\d started loud$", printed, re.M)) == 1
    assert len(re.findall(r"^\d\d:\d\d:\d\d ran loud \(\d+ s\)$", printed, re.M)) == 1
    assert len(re.findall(r"^\d\d:\d\d:\d\d failed many@x \(\d+ s\)$", printed, re.M)) == 1
    assert "line 3" not in printed and "word 3\n" not in printed and "Task run" not in printed
    assert "no cheese" in printed and "    all of it: data/scratch/logs/many@x.log" in printed
    assert printed.rstrip().endswith("look first at: data/scratch/logs/many@x.log")
    whole = repository.read("data/scratch/logs/loud.log")
    assert [f"line {number}" for number in range(1, 41)] == re.findall(r"^line \d+$", whole, re.M)
    assert "word 1\n" in repository.read("data/scratch/logs/many@x.log")
    assert len(printed.splitlines()) < 40
    assert "line 3" in repository.flow("--verbose", "--force", "loud")
    assert repository.read("data/scratch/logs/loud.log").count("line 40\n") == 1


def test_the_log_of_a_stage_that_was_tried_twice_has_both_tries(repository):
    flaky = stage("flaky", then="echo try $(wc -l < tries); echo >> tries; test $(wc -l < tries) -gt 1")
    repository.write("tries", "")
    repository.stages({"flaky": flaky | {"meta": {"retries": 1, "retry_delay": 0}}})
    repository.flow()
    assert re.findall(r"^try \d", repository.read("data/scratch/logs/flaky.log"), re.M) == ["try 0", "try 1"]


def test_a_full_disk_ends_the_log_and_not_the_stage(tmp_path):
    with logs.Log(Path("/dev/full")) as log:
        log.write(b"lost\n")
        log.write(b"lost, too\n")
    with logs.Log(tmp_path / "new" / "a.log") as log:
        log.write(b"kept\n")
    assert (tmp_path / "new" / "a.log").read_bytes() == b"kept\n"


def claims(root: Path, system: str, *verdicts: str) -> None:
    folder = root / "data/evaluation" / system
    folder.mkdir(parents=True)
    (folder / "claims.json").write_text("[" + ", ".join(f'{{"verdict": "{verdict}"}}' for verdict in verdicts) + "]")


def test_the_summary_names_the_slowest_counts_the_verdicts_and_says_where_to_look(run):
    claims(run.root, "toy", "holds", "fails", "fails", "not run")
    claims(run.root, "other", "holds", "undecided")
    claims(run.root, "of another run", "fails")
    (run.root / "data/evaluation/half").mkdir()
    (run.root / "data/evaluation/half/claims.json").write_text('[{"ver')
    run.end(TRAIN, "ran")
    run.end(END, "unchanged")
    run.ended[TRAIN_B] = progress.Ending("ran", 30.0)
    run.compared = ["5 of 5 numbers as in the reference within their intervals"]
    assert list(summary.lines(run, "everything is up to date")) == [
        "everything is up to date",
        "time: 1 min 40 s; the full output of each stage: data/scratch/logs",
        "slowest:",
        "    1 min 40 s  toy:train@a",
        "          30 s  toy:train@b",
        "claims: 2 hold, 2 fail, 1 undecided, 1 not run",
        "5 of 5 numbers as in the reference within their intervals",
        "look first at: the claims that fail, of toy (2)",
    ]


def look_first(run: Progress, message: str = "") -> str:
    return list(summary.lines(run, message))[-1].removeprefix("look first at: ")


def test_where_to_look_first(run):
    assert look_first(run) == "data/scratch/logs/stages.toy.dvc.yaml.train@b.log"
    full = f"{TRAIN_B}: OSError: [Errno 28] {os.strerror(errno.ENOSPC)}"
    assert look_first(run, full) == "the disk, which is full; free some space and run again"
    run.end(TRAIN_B, "stopped")
    assert look_first(run) == "nothing; the same command goes on from here"
    for name in run.plan:
        run.end(name, "ran")
    assert look_first(run) == "data"
    report = run.root / "data/report/index.html"
    report.parent.mkdir(parents=True)
    report.write_text("")
    assert look_first(run) == "data/report/index.html"


def test_durations_are_written_for_people():
    assert [clock(seconds) for seconds in (0.2, 59.4, 59.6, 200, 7500)] == [
        "0 s",
        "59 s",
        "1 min 0 s",
        "3 min 20 s",
        "2 h 5 min",
    ]


def test_on_a_terminal_ctrl_c_ends_the_live_view_with_a_summary(repository):
    talk = "echo $$ > times/pid; for i in 1 2 3; do printf '\\rstep %d' $i; sleep 0.2; done; sleep 60"
    repository.stages({"a": stage("a"), "slow": stage("slow", after=("a",), then=talk)})
    terminal, theirs = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = repository.start(stdin=theirs, output=theirs, TERM="xterm", COLUMNS="80")
    os.close(theirs)
    seen, deadline = b"", time.monotonic() + 90
    interrupted = False
    while time.monotonic() < deadline:
        try:
            seen += os.read(terminal, 1 << 16)
        except OSError:
            break  # the other end is closed
        if not interrupted and b"step 3" in seen:
            assert repository.exists("times/pid")
            os.write(terminal, b"\x03")
            interrupted = True
    assert process.wait(60) == 130
    os.close(terminal)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())
    assert "1 of 2 finished, 1 running, 0 waiting" in text and "slow  " in text
    assert all(unwanted not in text for unwanted in ("Task run", "Traceback", "^C"))
    assert "!" not in text[text.index("1 of 2 finished") :]  # a bar of DVC's, while it waits for a lock
    assert text.rstrip().endswith("look first at: nothing; the same command goes on from here")
    assert "stopped: 1 ran, 0 unchanged, 1 not finished" in text
    wait_until(lambda: not Path(f"/proc/{repository.read('times/pid').strip()}").exists(), 10)
