"""Steps of the project without a process for each, which would spend more on imports than most steps do on their work.

`run_here` is for steps that stop at a mistake; `run_steps` for one step after the other, in one process of their own:
`python -m tests.stages.in_one_process 'urn.dyck' 'urn.train lstm'`.
"""

import contextlib
import importlib
import io
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import stages
from tests.commands import run_command


def run_here(folder: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m MODULE ARGUMENTS` in a folder, as in a process of its own but for what that has anew."""
    said, complained = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        status = _run(module, *arguments)
    return subprocess.CompletedProcess([module, *arguments], status, said.getvalue(), complained.getvalue())


def run_steps(folder: Path, *lines: str, fresh: bool = False) -> subprocess.CompletedProcess[str]:
    """Run `python -m stages.LINE` for each line in a folder, in one process: a fork, or a `fresh` interpreter."""
    done = run_command(folder, "tests.stages.in_one_process", *lines, fresh=fresh)
    assert done.returncode == 0, done.stderr
    return done


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
