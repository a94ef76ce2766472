"""Threads and GPUs that a stage holds, which the runs that it starts use as theirs."""

import os
import signal

import pytest

from flows.planning.dvc_graph import Stage
from flows.planning.lent_slots import VARIABLE, LentSlots
from flows.planning.machine import Machine
from flows.planning.slots import Slots
from tests.flows.conftest import PATIENCE, Repository, stage, wait_until


def needs(address: str, threads: int = 1, gpus: int = 0) -> Stage:
    return Stage(address, (), threads, gpus, 0, None)


def run(folder, environment=None, threads: int = 2, gpus: tuple[str, ...] = ("7",), jobs: int | None = None) -> Slots:
    """The slots of a run on a machine with some threads and GPUs; one with the environment of a stage is nested."""
    lent = LentSlots.parsed((environment or {}).get(VARIABLE, ""))
    machine = Machine([str(number) for number in range(threads)], gpus, folder, lent)
    jobs = jobs or threads
    return Slots(jobs, max(jobs, threads), list(gpus), machine)


def take(slots: Slots, *stages: Stage) -> list[dict[str, str] | None]:
    with slots.look():
        return [slots.take(wanted) for wanted in stages]


def taken_elsewhere(slots: Slots) -> tuple[int, int]:
    with slots.look() as elsewhere:
        return elsewhere.threads, elsewhere.gpus


def test_a_nested_run_has_what_its_stage_holds_and_what_else_is_free(tmp_path):
    outer = run(tmp_path, threads=3)
    (environment,) = take(outer, needs("outer", threads=2, gpus=1))
    nested = run(tmp_path, environment, threads=3)
    assert taken_elsewhere(nested) == (0, 0)
    assert all(take(nested, needs("a", gpus=1), needs("b"), needs("c")))
    assert taken_elsewhere(outer) == (1, 0) and take(outer, needs("more")) == [None]
    nested.close()
    assert all(take(outer, needs("more")))


def test_nested_runs_of_a_stage_share_what_it_holds(tmp_path):
    outer = run(tmp_path, threads=1)
    (environment,) = take(outer, needs("outer", gpus=1))
    first, second = (run(tmp_path, environment, threads=1) for _ in range(2))
    assert all(take(first, needs("a", gpus=1)))
    assert take(second, needs("b", gpus=1)) == [None] and take(second, needs("c")) == [None]
    first.give_back(needs("a", gpus=1))
    assert all(take(second, needs("b", gpus=1)))


def test_a_run_in_a_nested_run_has_what_the_inner_stage_holds(tmp_path):
    outer = run(tmp_path, threads=2)
    (environment,) = take(outer, needs("outer", threads=2))
    nested = run(tmp_path, environment)
    one, other = take(nested, needs("one"), needs("other", gpus=1))
    for environment_of_stage, gpus in ((one, 0), (other, 1)):
        innermost = run(tmp_path, environment_of_stage)
        assert all(take(innermost, needs("a", gpus=gpus))) and take(innermost, needs("b")) == [None]


def test_threads_beyond_those_of_the_machine_are_lent_as_well(tmp_path):
    outer = run(tmp_path, threads=1, jobs=2)
    environments = take(outer, needs("a"), needs("b"))
    nested = [run(tmp_path, environment, threads=1) for environment in environments]
    assert all(take(slots, needs("inner")) != [None] for slots in nested)


def test_nested_runs_do_not_wait_for_each_others_threads(tmp_path):
    outer = run(tmp_path)
    nested = [run(tmp_path, environment) for environment in take(outer, needs("a"), needs("b"))]
    for slots in nested:
        assert taken_elsewhere(slots) == (0, 0)  # so that the schedule starts a wide stage
        wide, narrow = take(slots, needs("wide", threads=2), needs("narrow"))
        assert wide and narrow is None
    for slots in nested:
        slots.give_back(needs("wide", threads=2))
        assert all(take(slots, needs("narrow"))) and take(slots, needs("wide", threads=2)) == [None]


def test_a_nested_run_does_not_wait_for_its_turn(tmp_path):
    outer, other = run(tmp_path, threads=3), run(tmp_path, threads=3)
    (environment,) = take(outer, needs("outer"))
    assert take(other, needs("all", threads=3)) == [None]
    assert take(outer, needs("more")) == [None]  # it is the other run's turn
    nested = run(tmp_path, environment, threads=3)
    assert all(take(nested, needs("a"), needs("b", gpus=1)))


def test_a_run_that_outlives_its_stage_is_like_any_other(tmp_path):
    outer = run(tmp_path)
    (environment,) = take(outer, needs("outer", threads=2, gpus=1))
    nested = run(tmp_path, environment)
    assert all(take(nested, needs("a", gpus=1)))
    outer.give_back(needs("outer", threads=2, gpus=1))
    assert all(take(outer, needs("next", threads=2, gpus=1)))
    nested.give_back(needs("a", gpus=1))
    assert take(nested, needs("b", gpus=1)) == [None] and taken_elsewhere(nested) == (2, 1)
    outer.give_back(needs("next", threads=2, gpus=1))
    assert all(take(nested, needs("b", threads=2, gpus=1)))


def test_files_that_runs_leave_are_removed_by_a_later_one(tmp_path):
    outer = run(tmp_path)
    (environment,) = take(outer, needs("outer"))
    files = set(tmp_path.iterdir())
    nested = run(tmp_path, environment)
    take(nested, needs("a"))
    assert set(tmp_path.iterdir()) > files
    nested.close()
    outer.close()
    left = {file for file in tmp_path.iterdir() if "stage" in file.name}
    assert not left
    (tmp_path / "stage-of-a-killed-run.lock").touch()
    taken_elsewhere(run(tmp_path))
    assert not (tmp_path / "stage-of-a-killed-run.lock").exists()


@pytest.mark.parametrize("text", ["", "stage-1", "stage-1 many", "stage-1 1 7", "../stage-1 1"])
def test_a_variable_that_no_running_stage_has_counts_for_nothing(tmp_path, text):
    outer = run(tmp_path)
    take(outer, needs("outer"))
    assert taken_elsewhere(run(tmp_path, {VARIABLE: text})) == (1, 0)


INNER = "python -m flows reproduce --no-prefect"
WIDE = {"threads": len(os.sched_getaffinity(0))}


@pytest.fixture
def nesting(offline, tmp_path) -> Repository:
    """A project with another one in its folder `inner`, which has no stages yet."""
    offline.environment["FLOW_SLOTS"] = str(tmp_path / "slots")
    offline.write("pyproject.toml", "")
    offline.write("inner/.dvc/config", "[core]\n    analytics = false\n")
    offline.write("inner/in.txt", "input\n")
    return offline


def test_a_stage_that_has_all_threads_runs_another_project(nesting):
    nesting.stages({"a": stage("a"), "b": stage("b", meta=WIDE)}, "inner/dvc.yaml")
    nesting.stages({"calls": {"cmd": f"cd inner && {INNER}", "meta": WIDE}})
    assert "1 ran, 0 unchanged" in nesting.flow()
    assert nesting.exists("inner/out/a") and nesting.exists("inner/out/b")
    assert "other runs use" not in nesting.read(".dvc/tmp/flow/logs/calls.log")


def test_a_nested_run_that_is_killed_leaves_the_threads_of_its_stage_to_the_next(nesting):
    wait = "touch times/started && until test -e go; do sleep 0.05; done"
    nesting.stages({"a": stage("a", then=wait, meta=WIDE)}, "inner/dvc.yaml")
    first = f"sh -c 'echo $$ > pid && exec {INNER}'"
    nesting.stages({"calls": {"cmd": f"cd inner && if {first}; then false; else {INNER}; fi", "meta": WIDE}})
    outer = nesting.start()
    nesting.wait_for("inner/pid")
    wait_until(lambda: nesting.exists("inner/times/started"))
    os.kill(int(nesting.read("inner/pid")), signal.SIGKILL)
    nesting.write("inner/go", "")
    assert "1 ran" in "".join(outer.communicate(timeout=PATIENCE))
    assert nesting.exists("inner/out/a")
