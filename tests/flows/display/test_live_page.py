"""The page of a run that goes on, written by a stand-in for `stages.report` that notes how it was called."""

import logging
import os
import time
from pathlib import Path

import pytest

from flows.display import live_page
from flows.display.live_page import LivePage, write_outdated
from flows.display.progress import Ending, Progress
from flows.planning.schedule import Room
from tests.flows.conftest import THIS_PROJECT

NOTES = "import pathlib, sys; pathlib.Path('called').open('a').write(' '.join(sys.argv[1:2]) + '\\n')\n"
PAGE = "data/report/index.html"
PATIENCE = 60  # seconds


@pytest.fixture
def project(tmp_path):
    """A root folder with the settings of this project, a system `toy` and a stand-in for `stages.report`."""
    (tmp_path / "stages/toy").mkdir(parents=True)
    (tmp_path / "stages/__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text(THIS_PROJECT)
    (tmp_path / "stages/report.py").write_text(NOTES)
    (tmp_path / "data/evaluation/toy").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def messages():
    return []


@pytest.fixture
def page(project, messages):
    return LivePage(Progress(project, {}, {}, Room(1, 1, 0)), project, messages.append)


def evaluate(project):
    (project / "data/evaluation/toy/claims.json").write_text("[]")


def called(project):
    return (project / "called").read_text().split() if (project / "called").exists() else []


def test_a_system_that_finishes_is_on_the_page_and_said_once(project, page, messages):
    page.tick()
    assert called(project) == []
    evaluate(project)
    end = time.monotonic() + PATIENCE
    while not messages:
        page.tick()
        assert time.monotonic() < end
        time.sleep(0.05)
    assert called(project) == ["--running"]
    assert PAGE in messages[0]
    page.tick()
    assert called(project) == ["--running"]  # nothing new


def test_a_system_that_was_there_before_is_not_news(project, messages):
    evaluate(project)
    page = LivePage(Progress(project, {}, {}, Room(1, 1, 0)), project, messages.append)
    page.tick()
    assert page._process is None


def test_the_last_page_is_written_where_something_ran(project, page):
    page.finish()
    assert called(project) == []
    page._progress.ended["toy"] = Ending("ran", 1.0)
    page.finish()
    assert called(project) == ["--page"]


def test_a_page_that_cannot_be_written_is_a_warning(project, page, caplog):
    (project / "stages/report.py").write_text("raise SystemExit('stages.report: no system')")
    page._progress.ended["toy"] = Ending("ran", 1.0)
    with caplog.at_level(logging.WARNING):
        page.finish()
    assert "stages.report: no system" in caplog.text


def writing_pages(project):
    """Let the stand-in write the page as well."""
    page = f"page = pathlib.Path({PAGE!r}); page.parent.mkdir(exist_ok=True); page.touch()\n"
    (project / "stages/report.py").write_text(NOTES + page)


def test_a_page_that_is_missing_is_written_where_a_system_was_evaluated(project):
    """`dvc pull` of one system brings nothing of the stage `report`; the page is written all the same."""
    writing_pages(project)
    write_outdated(project)
    assert called(project) == []
    evaluate(project)
    for _ in range(2):
        write_outdated(project)
        assert called(project) == ["--page"]
    (project / PAGE).unlink()
    write_outdated(project)
    assert called(project) == ["--page"] * 2


@pytest.mark.parametrize(
    "name",
    [
        *("stages/toy/dvc.lock", "data/evaluation/toy/metrics.json", "data/evaluation/toy/claims.json"),
        *("results/real.json", "profiles/real.yaml"),
    ],
)
def test_a_page_of_other_results_is_written_again(project, name):
    """Files that `dvc checkout` brings may be older than the page, which is written anew."""
    writing_pages(project)
    evaluate(project)
    write_outdated(project)
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text("{}")
    os.utime(project / name, (0, 0))
    for _ in range(2):
        write_outdated(project)
        assert called(project) == ["--page"] * 2


def test_the_page_of_a_run_that_was_killed_is_written_again(project, page):
    """The page says that the run goes on."""
    writing_pages(project)
    evaluate(project)
    write_outdated(project)
    page._due = True
    page.tick()
    page._process.wait()
    page.finish()
    assert called(project) == ["--page", "--running", "--page"]


def test_a_run_in_which_nothing_ran_writes_a_page_of_other_results(project, page):
    writing_pages(project)
    evaluate(project)
    page.finish()
    page.finish()
    assert called(project) == ["--page"]


def test_a_page_that_takes_too_long_is_given_up_with_all_it_has_started(project, caplog, monkeypatch):
    monkeypatch.setattr(live_page, "MAX_PAGE_SECONDS", 0.5)
    lines = ["import subprocess, time", "subprocess.Popen(['sleep', '600'])", "time.sleep(600)"]  # it holds stderr open
    (project / "stages/report.py").write_text("\n".join(lines))
    began = time.monotonic()
    live_page.write(project)
    assert time.monotonic() - began < PATIENCE
    assert "it took more than" in caplog.text


def test_a_watched_file_that_vanishes_is_passed_over(project, page, monkeypatch):
    evaluate(project)
    gone = project / "data/evaluation/toy/gone.json"
    monkeypatch.setattr(Path, "glob", lambda *_: iter([gone, project / "data/evaluation/toy/claims.json"]))
    assert list(page._stamps()) == [project / "data/evaluation/toy/claims.json"]
