"""Options of `dvc repro` that say how stages run: the flow leaves the files and locks that `dvc repro` leaves."""

import os
import pty

import pytest

from flows import command_line
from tests.flows.conftest import PATIENCE, wait_until
from tests.flows.twins import copies


def test_without_a_commit_the_cache_stays_empty(twins):
    twins.same("--no-commit")
    assert twins.flow.read("c") == "input\n" and not twins.flow.exists(".dvc/cache")
    twins.same()
    twins.same("-f")
    assert twins.flow.exists(".dvc/cache/files")


def test_a_stage_that_ran_before_runs_again_without_the_run_cache(twins):
    twins.same()
    twins.write("in.txt", "other\n")
    twins.same()
    for text, arguments, names in (("input\n", (), []), ("other\n", ("--no-run-cache",), ["a", "b", "c"])):
        twins.write("in.txt", text)
        printed = twins.same(*arguments)
        assert "3 ran" in printed
        assert sorted(twins.ran) == names
        assert twins.flow.read("c") == text


FAILING = {"a": copies("a", "in.txt"), "b": copies("b", "a"), "c": copies("c", "b"), "d": copies("d", "in.txt")}
FAILING["b"]["cmd"] += " && false"


def test_a_failed_stage_stops_what_depends_on_it_alone(twins):
    twins.stages(FAILING)
    assert "1 of 4 stages failed (2 ran, 0 unchanged)" in twins.same("-k", failed=True)
    assert sorted(twins.ran) == ["a", "b", "d"]


def test_errors_that_are_ignored_stop_nothing(twins):
    twins.stages(FAILING)
    assert "1 of 4 stages failed, and their errors are ignored (3 ran, 0 unchanged)" in twins.same("--ignore-errors")
    assert sorted(twins.ran) == ["a", "b", "c", "d"]


def test_of_two_options_about_errors_the_last_counts():
    orders = (["-k"], False), (["-k", "--ignore-errors"], True), (["--ignore-errors", "-k"], False)
    for arguments, ignored in orders:
        assert command_line.parser().parse_args(["reproduce", *arguments]).ignore_errors is ignored


@pytest.mark.parametrize("arguments", [["-v"], ["-vf"], ["--verbose"]])
def test_verbose_has_the_short_form_of_dvc(arguments):
    assert command_line.parser().parse_args(["reproduce", *arguments]).verbose


def answered(repository, answers: str, *arguments: str) -> tuple[int, str]:
    """The exit code of a run at a terminal on which these answers are typed, and what the run printed."""
    terminal, stdin = pty.openpty()
    log = repository.root.with_name("printed")
    with open(log, "w") as output:
        process = repository.start(*arguments, stdin=stdin, output=output.fileno())
        for number, answer in enumerate(answers, 1):
            wait_until(lambda number=number: log.read_text().count("[y/n]") >= number)
            os.write(terminal, f"{answer}\n".encode())
        process.wait(PATIENCE)
    os.close(terminal)
    os.close(stdin)
    return process.returncode, log.read_text()


def test_each_changed_stage_runs_if_the_answer_is_yes(twins):
    flow = twins.flow
    code, printed = answered(flow, "?yn", "--interactive", "--jobs", "1")
    assert code == 1 and "b: not run, because the answer was no" in printed
    assert "not run because of it: c" in printed and flow.read("times").split() == ["a"]
    assert "Going to reproduce stage: 'b'. Are you sure you want to continue? [y/n]" in printed
    code, printed = answered(flow, "yy", "-i")
    assert code == 0 and "everything is up to date: 2 ran, 1 unchanged" in printed
    assert answered(flow, "", "-i")[0] == 0


def test_the_answer_is_no_where_nobody_can_give_one(twins):
    assert "a: not run, because the answer was no" in twins.same("-i", failed=True)
    twins.both("config", "core.interactive", "true")
    assert "a: not run, because the answer was no" in twins.same(failed=True)
    assert "leave one out" in twins.flow.flow("-i", "--prefect", code=1)
