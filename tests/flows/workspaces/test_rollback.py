"""Results of stages that are put back: from DVC's cache, from copies, and after a run that was cut off."""

import shutil

import pytest
import yaml

from flows.workspaces.rollback import Before
from tests.flows.conftest import stage

PLAIN = {"cmd": "mkdir -p plain && cp in.txt plain/copy", "deps": ["in.txt"], "outs": [{"plain": {"cache": False}}]}


@pytest.fixture
def project(offline):
    """A stage whose output the cache has, and one whose output is a folder that it does not have."""
    offline.stages({"a": stage("a", then="cat in.txt"), "plain": PLAIN, "other": stage("other")})
    offline.dvc("repro", "-q")
    return offline


def results(project) -> tuple[str, str, str]:
    return project.read("out/a"), project.read("plain/copy"), project.read("dvc.lock")


def change(project) -> None:
    """Run the stages with another input and another command."""
    project.write("in.txt", "later\n")
    stages = yaml.safe_load(project.read("dvc.yaml"))["stages"]
    stages["a"]["cmd"] += " && echo later > out/a"
    project.stages(stages)
    project.dvc("repro", "-q", "a", "plain")


def test_results_that_the_cache_has_not_are_put_back_too(project):
    before = results(project)
    shutil.rmtree(project.root / ".dvc/cache/files")
    results_before = Before(project.root, ["a", "plain"])
    change(project)
    assert results(project) != before
    assert results_before.restore() == []
    assert results(project) == before
    results_before.forget()
    assert not list(project.root.glob("**/before_refresh"))


def test_a_run_that_goes_on_puts_back_what_was_there_before_the_one_that_was_cut_off(project):
    before = results(project)
    Before(project.root, ["a"])
    change(project)
    goes_on = Before(project.root, ["a", "plain"], goes_on=True)
    assert goes_on.restore() == []
    assert project.read("out/a") == before[0] and project.read("plain/copy") == "later\n"

    begins = Before(project.root, ["a"])  # what was kept for another run is not its own
    project.write("in.txt", "last\n")
    project.dvc("repro", "-q", "a")
    begins.restore()
    assert project.read("out/a") == before[0]


def test_what_other_stages_have_recorded_meanwhile_stays(project):
    results_before = Before(project.root, ["a"])
    before = yaml.safe_load(project.read("dvc.lock"))["stages"]
    change(project)
    after = yaml.safe_load(project.read("dvc.lock"))["stages"]
    results_before.restore()
    restored = yaml.safe_load(project.read("dvc.lock"))["stages"]
    assert restored == before | {"plain": after["plain"]} and after["plain"] != before["plain"]


def test_what_the_cache_has_lost_is_named(project):
    results_before = Before(project.root, ["a"])
    change(project)
    shutil.rmtree(project.root / ".dvc/cache/files")
    assert results_before.restore() == ["out/a"]
