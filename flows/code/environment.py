"""The libraries that stages can import: those of the `python` that runs them, be it that of this tool or not."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distributions, packages_distributions
from pathlib import Path

from flows.processes.stage_environment import search_path

TIMEOUT = 60  # seconds for an interpreter to answer
QUESTION = """
import json, sys
from importlib.metadata import distributions, packages_distributions
sys.path = [folder for folder in sys.path if folder]
versions = {found.metadata["Name"]: found.version for found in [*distributions()][::-1]}
print(json.dumps([sys.path, packages_distributions(), versions]))
"""


@dataclass(frozen=True)
class Environment:
    """What an interpreter can import.

    Attributes:
        folders: what it searches for modules.
        packages: top-level package -> its distributions.
        versions: distribution -> version.
        silent: the interpreter of the stages, where it does not answer and all this is of another one.
    """

    folders: tuple[str, ...]
    packages: Mapping[str, list[str]]
    versions: Mapping[str, str]
    silent: str = ""


@cache
def environment(root: Path) -> Environment:
    """What the stages of a project can import: by the first `python` on their PATH."""
    python = shutil.which("python", path=search_path(root))
    if python is None or Path(python).parent.resolve() == Path(sys.executable).parent.resolve():
        return _here()
    try:
        answer = subprocess.run(
            [python, "-c", QUESTION], cwd=root, capture_output=True, text=True, timeout=TIMEOUT, check=True
        )
        folders, packages, versions = json.loads(answer.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return _here(silent=python)
    return Environment(tuple(folders), packages, versions)


def _here(silent: str = "") -> Environment:
    versions = {
        str(library.metadata["Name"]): library.version for library in [*distributions()][::-1]
    }  # the first counts
    return Environment(tuple(sys.path), packages_distributions(), versions, silent)
