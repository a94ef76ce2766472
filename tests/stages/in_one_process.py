"""Steps of the project without a process for each, which would spend more on imports than most steps do on their work.

`run_here` and `run_steps` run them in the process of the test, which has imported most of what they need. `run_apart`
runs all in one other process, by `python -m tests.stages.in_one_process 'urn.prepare_dyck' 'urn.train lstm'`.

`run_steps` also holds that the digest of a step's code covers the functions that it calls.
"""

import contextlib
import importlib
import io
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import stages
from tests import called_functions
from tests.commands import run_command

HELD = set[str]()  # modules that have run once, held against their digests


def run_here(folder: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m MODULE ARGUMENTS` in a folder, like a process of its own, but with modules loaded already."""
    printed, complained = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
        status = _run(module, *arguments)
    return subprocess.CompletedProcess([module, *arguments], status, printed.getvalue(), complained.getvalue())


def run_steps(folder: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m stages.LINE` for each line in a folder, all without a mistake; what they print, together.

    No function may run that the digest of the step's code does not cover, which is held once for each module.
    """
    printed = [_succeeded(_run_covered(folder, *f"stages.{line}".split())) for line in lines]
    return subprocess.CompletedProcess(lines, 0, *("".join(texts) for texts in zip(*printed, strict=True)))


def run_apart(folder: Path, *lines: str, fresh: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the lines in one other process: a fork, or a `fresh` interpreter."""
    process = run_command(folder, "tests.stages.in_one_process", *lines, fresh=fresh)
    _succeeded(process)
    return process


def _run_covered(folder: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    if module in HELD:
        return run_here(folder, module, *arguments)
    HELD.add(module)
    with called_functions.noted() as called:
        completed = run_here(folder, module, *arguments)
    assert called_functions.uncovered(module, called()) == [], module
    return completed


def _succeeded(process: subprocess.CompletedProcess[str]) -> tuple[str, str]:
    assert process.returncode == 0, process.stderr
    return process.stdout, process.stderr


def _run(module: str, *arguments: str) -> int:
    step = importlib.import_module(module)
    name = "-".join([module, *arguments])
    with patch.object(sys, "argv", [step.__file__, *arguments]), patch.object(stages, "_stage_name", lambda: name):
        try:
            stages.run(step.main)
        except SystemExit as end:
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
                return 1
            return end.code or 0
    return 0


if __name__ == "__main__":
    for line in sys.argv[1:]:
        name, *arguments = line.split()
        if status := _run(f"stages.{name}", *arguments):
            sys.exit(status)
