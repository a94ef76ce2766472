"""The variables of a stage: those that the run was started with, and a PATH on which there is a `python`."""

import os
import sys
from pathlib import Path

from flows.project import settings


def search_path(root: str | Path) -> str:
    """The PATH of a project's stages, on which their `python` is found.

    As for `dvc repro` it is the first one on the PATH of the run. The programs beside the `python` that runs the flow
    come last: that one, where there is no other, and `dvc-parallel`, which a stage for digests calls. In a project that
    names a `fork` they come first, because its forks are of that `python`.
    """
    beside_the_flow = str(Path(sys.executable).parent)
    inherited = os.environ.get("PATH", os.defpath)
    folders = inherited.split(os.pathsep) if inherited else []
    if settings.of(root).fork:
        folders.insert(0, beside_the_flow)
    elif beside_the_flow not in folders:
        folders.append(beside_the_flow)
    return os.pathsep.join(folders)
