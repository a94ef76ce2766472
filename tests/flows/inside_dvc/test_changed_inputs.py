"""Inputs that change while a stage runs."""

import pytest

from tests.flows.conftest import PATIENCE, wait_until

HOLD = "touch started && until test -e go; do sleep 0.05; done"


@pytest.fixture
def held(offline):
    """A repository whose stage reads its inputs and then waits for the file `go`."""
    command = f"cat params.yaml in.txt folder/read > a && {HOLD}"
    inputs = {"deps": ["in.txt", "folder"], "params": ["x", "y"]}
    offline.stages({"a": {"cmd": command, **inputs, "outs": ["a"], "meta": {"retries": 1}}})
    offline.write("folder/read", "of the folder\n")
    offline.write("params.yaml", "x: 1\ny: 1\nunused: 1\n")
    return offline


def run_and(repository, change, *arguments, code=0):
    """Run the flow, call `change` while the stage runs, and return what the flow prints."""
    for name in ("started", "go"):
        (repository.root / name).unlink(missing_ok=True)
    process = repository.start(*arguments)
    wait_until(lambda: repository.exists("started"))
    change()
    repository.write("go", "")
    printed = "".join(process.communicate(timeout=PATIENCE))
    assert process.returncode == code, printed
    return printed


@pytest.mark.parametrize("arguments", [(), ("--force",)])
def test_a_stage_whose_parameters_change_is_not_recorded_and_runs_again(held, arguments):
    def edit():
        held.write("params.yaml", "x: 1\ny: 2\nunused: 2\n")

    printed = run_and(held, edit, *arguments, code=1)
    assert "a: params.yaml changed while it ran (y), and which values it read is not known; run again" in printed
    assert "another try" not in printed and not held.exists("dvc.lock")
    assert "1 ran" in held.flow() and "y: 2" in held.read("a")
    held.assert_clean()


def test_what_it_wrote_is_kept_by_dvc_commit_once_the_parameters_are_set_back(held):
    before = held.read("params.yaml")
    run_and(held, lambda: held.write("params.yaml", "x: 2\ny: 2\n"), code=1)
    held.write("params.yaml", before)
    held.dvc("commit", "-f", "a")
    assert "Nothing to do" in held.flow()


def test_changed_files_are_a_warning_because_a_stage_may_write_on_them_itself(held):
    held.write("folder/__pycache__/a.pyc", "1")

    def edit():
        held.write("in.txt", "other input\n")
        held.write("folder/read", "edited\n")
        held.write("folder/new", "of a cache\n")
        held.write("folder/__pycache__/a.pyc", "2")
        held.write("params.yaml", "x: 1\ny: 1\nunused: 2\n")  # the stage depends on x and y

    printed = run_and(held, edit)
    assert "warning: a: in.txt changed while it ran; unless it did that itself, run it again with --force" in printed
    assert "a: folder (read) changed while it ran" in printed and "params.yaml changed" not in printed
    held.assert_clean()
