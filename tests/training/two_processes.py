"""Trainings by two processes of Lightning, each a fork: `python -m tests.training.two_processes PYTHON FUNCTION ...`.

Lightning starts the second process by the command line of the first, with the interpreter that it finds in
`sys.executable`. Here that is a program whose `python -m MODULE` is a fork (see `tests.forks`).
"""

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from tests.commands import FORKS, run_command

RESULT = "result.pt"


class Failed(Exception):
    """A training ended with an error; what it printed is the message."""


def train_in_two_processes(folder: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of a module in two processes, and return what it returned to the first.

    Args:
        folder: where the processes run.
        arguments: of JSON's kinds.

    Raises:
        Failed: the first process did.
    """
    result = folder / RESULT
    result.unlink(missing_ok=True)
    python = FORKS.interpreter(folder)
    name = f"{function.__module__}:{function.__name__}"
    process = run_command(folder, __name__, str(python), name, json.dumps(arguments))
    if process.returncode:
        raise Failed(process.stderr)
    return torch.load(result, weights_only=True)


if __name__ == "__main__":
    sys.executable = sys.argv[1]
    module, _, function_name = sys.argv[2].partition(":")
    returned = getattr(importlib.import_module(module), function_name)(*json.loads(sys.argv[3]))
    if torch.distributed.get_rank() == 0:
        torch.save(returned, RESULT)
