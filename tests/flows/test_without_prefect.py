"""Runs without Prefect: no server is configured, or the options say so; the same schedule, view and summary."""

import signal

import pytest

from tests.flows.conftest import THIS_PROJECT, stage, wait_until


@pytest.fixture
def plain(offline):
    """A repository without settings, in an environment without a server."""
    (offline.root / "pyproject.toml").unlink()
    offline.write(".dvcignore", "")
    return offline


def overlap(a: tuple[float, float], b: tuple[float, float]) -> float:
    return min(a[1], b[1]) - max(a[0], b[0])


def test_ready_stages_run_at_the_same_time_and_prefect_is_not_imported(plain):
    meet = "touch begun-{}; until test -e begun-{}; do sleep 0.05; done"  # each ends when both run
    both = {"a": stage("a", then=meet.format("a", "b")), "b": stage("b", then=meet.format("b", "a"))}
    plain.stages(both | {"c": stage("c", after=("a", "b"))})
    printed = plain.flow("--jobs", "2", fresh=True, PYTHONPROFILEIMPORTTIME="1")
    assert "everything is up to date: 3 ran, 0 unchanged" in printed and " dvc.repo" in printed
    assert " prefect" not in printed and "look first at" not in printed
    assert overlap(plain.span("a"), plain.span("b")) > 0
    assert plain.span("c")[0] >= max(plain.span("a")[1], plain.span("b")[1])
    plain.assert_clean()
    assert "c\n" not in plain.read(".dvc/tmp/flow/logs/c.log")
    assert plain.root.joinpath(".dvc/tmp/flow").is_dir() and not plain.exists("data")


def test_a_configured_server_is_left_alone_when_the_options_say_so(repository, api):
    repository.stages({"a": stage("a")})
    before = api.post("flow_runs/count")
    assert "1 ran" in repository.flow("--no-prefect")
    assert api.post("flow_runs/count") == before


def test_a_failed_stage_stops_only_what_depends_on_it(plain):
    bad = stage("bad", then="echo the disk is made of cheese >&2 && exit 3")
    rest = {
        "below": stage("below", after=("bad",)),
        "good": stage("good", 0.5),
        "after": stage("after", after=("good",)),
    }
    plain.stages({"bad": bad, **rest})
    printed = plain.flow("--jobs", "2", code=1)
    assert "1 of 4 stages failed (2 ran, 0 unchanged)" in printed and "the disk is made of cheese" in printed
    assert "not run because of it: below" in printed and "Traceback" not in printed
    assert printed.rstrip().endswith("look first at: .dvc/tmp/flow/logs/bad.log")
    assert plain.exists("out/after") and not plain.exists("out/below")


def test_a_stage_is_tried_again_and_ended_after_its_timeout(plain):
    flaky = "echo try >> tries && test $(wc -l < tries) -gt 1"
    stages = {
        "flaky": stage("flaky", then=flaky, meta={"retries": 1, "retry_delay": 0}),
        "wrong": stage("wrong", then="echo wrong: no such file; echo >> wrong; false", meta={"retries": 1}),
        "slow": stage("slow", 60, meta={"timeout": 0.5}),
    }
    plain.stages(stages)
    printed = plain.flow("--jobs", "3", code=1)
    assert plain.read("tries").split() == ["try", "try"] and plain.read("wrong") == "\n", printed
    assert "2 of 3 stages failed (1 ran" in printed
    assert "slow took longer than its timeout of 0.5 s" in printed and "wrong: no such file" in printed


def test_every_line_of_every_stage_is_printed_when_asked_for(plain):
    plain.stages({"a": stage("a", then="echo half; echo whole")})
    assert "a | half\na | whole\n" in plain.flow("--verbose")


def test_an_interrupt_ends_the_stages_and_the_same_command_goes_on(plain):
    plain.stages(
        {"a": stage("a"), "b": stage("b", after=("a",), then="touch started && until test -e go; do sleep 0.1; done")}
    )
    process = plain.start()
    wait_until(lambda: plain.exists("started"))
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130, out + errors
    assert "stopped: 1 ran, 0 unchanged, 1 not finished" in errors and "asked 1 running stage to end" in errors
    assert "nothing; the same command goes on from here" in errors
    plain.write("go", "")
    assert "1 ran, 1 unchanged" in plain.flow()
    plain.assert_clean()


def test_commands_that_need_prefect_say_so_where_it_is_not_installed(offline, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    hidden = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "prefect" else find(name, package)
"""
    (site / "sitecustomize.py").write_text(hidden)
    offline.write("pyproject.toml", THIS_PROJECT)
    offline.write("params.yaml", "flows: {refresh: {cron: '0 5 * * 1', profile: small}}\n")
    offline.stages({"a": stage("a")})
    path = f"{site}:{offline.environment['PYTHONPATH']}"
    for command in ("serve", "refresh"):
        printed = offline.flow(command=command, code=1, fresh=True, PYTHONPATH=path)
        assert printed.endswith(f"{command}: {command} needs Prefect; install dvc-parallel[prefect]\n"), printed
    printed = offline.flow("--prefect", code=1, fresh=True, PYTHONPATH=path)
    assert "--prefect and --runner dask need Prefect; install dvc-parallel[prefect,dask]" in printed
