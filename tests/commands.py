"""Commands of the project (`python -m stages.urn.train ...`) as processes of their own: see `tests.forks`.

What a new interpreter alone has, above all a hash seed of its own, needs `fresh`.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.forks import Forks

ROOT = Path(__file__).parents[1]
FORKS = Forks("stages")


def run_command(
    folder: Path, module: str, *arguments: str, fresh: bool = False, without: tuple[str, ...] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `python -m MODULE ARGUMENTS` in a folder to its end, with one thread and no variable of DVC's.

    Args:
        fresh: in a new interpreter, and not in a fork.
        without: variables that it is not to inherit.
        environment: variables that it is to have.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DVC_")}
    inherited = {name: value for name, value in inherited.items() if name not in without}
    environment = inherited | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | environment
    if fresh:
        line = [sys.executable, "-m", module, *arguments]
        return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True)
    command = FORKS.start(folder, module, *arguments, environment=environment)
    out, errors = command.communicate()
    return subprocess.CompletedProcess(command.args, command.returncode, out, errors)
