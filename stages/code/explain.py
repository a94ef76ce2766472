"""Say why a stage will run: `python -m stages.code.explain urn:train_dyck@turn`. Nothing is run.

Where its code has changed, the definitions are named that did, each with the shortest way from the command to it. The
earlier code is recorded on the machine that ran the stage: data/scratch/code.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from dvc.dependency import ParamsDependency
from dvc.repo import Repo

from repline.code_digests.reach import changed
from repline.errors import InputError, shown
from repline.parameters import nearest
from stages.code import project
from stages.upkeep import locks

MAX_CHANGES = 20  # changed definitions that are listed


def main(arguments: list[str] | None = None) -> int:
    """Print the reasons; returns 0."""
    parser = argparse.ArgumentParser(prog="python -m stages.code.explain", description=__doc__.splitlines()[0])
    parser.add_argument("stage", help="as DVC names it, or shortly: urn:train_dyck@turn, acquire@urn")
    options = parser.parse_args(arguments)
    print("\n".join(explain(Path.cwd(), options.stage)))
    return 0


def explain(root: Path, name: str) -> list[str]:
    """Why a stage will run, in lines.

    Raises:
        InputError: there is no such stage.
    """
    reasons = locks.stale(root)
    address, command, lock = _stage(root, name)
    if address not in reasons:
        return [f"{name} is up to date"]
    lines = [f"{name} will run:"]
    for reason in reasons[address]:
        lines.append(f"  {reason}")
        if reason == locks.CODE:
            lines += [f"    {line}" for line in changes(root, command, lock)]
    return lines


def _stage(root: Path, name: str) -> tuple[str, str, str | None]:
    """The address of a stage, the module that it runs, and the digest of its code in its lock."""
    long = f"stages/{name.replace(':', '/dvc.yaml:', 1)}" if ":" in name and "/" not in name else name
    with Repo(str(root)) as repo:
        stages = {stage.addressing: stage for stage in repo.index.stages}
        if long not in stages:
            short = [address.removeprefix("stages/").replace("/dvc.yaml:", ":") for address in stages]
            raise InputError(f"there is no stage {shown(name)}{nearest(name, short)}")
        stage = stages[long]
        command = stage.cmd.split()[2]
        for dependency in stage.deps:
            if isinstance(dependency, ParamsDependency) and dependency.fs_path.endswith(str(project.DIGESTS)):
                values = dependency.hash_info.value or {}
                return long, command, values.get(command)
    return long, command, None


def changes(root: Path, command: str, lock: str | None) -> list[str]:
    """The definitions, names and libraries that changed since a stage ran, with the way to each.

    Args:
        command: the module that the stage runs ("stages.urn.train").
        lock: the digest of its code in the stage's lock.
    """
    file = root / project.PARTS_FOLDER / f"{lock}.json"
    if not file.exists():
        return ["what it was when the stage ran is not kept on this machine"]
    code = project.read(root)
    words = changed(json.loads(file.read_text(encoding="utf-8")), code.parts(command))
    if not words:
        return ["in the generator of a source"]
    lines = []
    for name, word in list(words.items())[:MAX_CHANGES]:
        way = [step for step in code.way(command, name)[1:-1] if not step.startswith("import ")]
        lines.append(f"{name} {word}" + (f", by {' -> '.join(way)}" if way else ""))
    return [*lines, *([f"and {len(words) - MAX_CHANGES} more"] if len(words) > MAX_CHANGES else [])]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InputError as error:
        sys.exit(f"stages.code.explain: {error}")
    except BrokenPipeError:  # `| head` has read enough
        os._exit(0)
