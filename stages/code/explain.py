"""Say why a stage will run: `python -m stages.code.explain urn:train_dyck@turn`. Nothing is run.

Where its code has changed, the definitions are named that did, each with the shortest way from the command to it. The
earlier code is recorded on the machine that ran the stage: data/scratch/code.
"""

import argparse
import difflib
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from dvc.dependency import ParamsDependency
from dvc.repo import Repo

from repline import yaml_text
from repline.code_digests.reach import changed
from repline.errors import InputError, shown
from stages.code import project
from stages.upkeep import locks

NEAREST = 5  # stages that are named where there is none of a name
MAX_CHANGES = 20  # changed definitions that are listed


def main(arguments: list[str] | None = None) -> int:
    """Print the reasons; returns 0."""
    description = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m stages.code.explain", description=description)
    parser.add_argument("stage", help="as DVC names it, or shortly: urn:train_dyck@turn, acquire@urn")
    options = parser.parse_args(arguments)
    print("\n".join(explain(Path.cwd(), options.stage)))
    return 0


def explain(root: Path, name: str) -> list[str]:
    """Why a stage will run, in lines.

    Raises:
        InputError: there is no such stage.
    """
    _check(root, name)
    address, command, lock = _stage(root, name)
    reasons = locks.stale(root)
    if address not in reasons:
        return [f"{name} is up to date"]
    lines = [f"{name} will run:"]
    for reason in reasons[address]:
        lines.append(f"  {reason}")
        if reason == locks.CODE:
            lines += [f"    {line}" for line in changes(root, command, lock)]
    return lines


def _check(root: Path, name: str) -> None:
    """InputError for a stage that no dvc.yaml has, from the files alone: DVC takes seconds to read all of them."""
    file, _, step = _long(name).rpartition(":")
    steps = _steps(root / (file or "dvc.yaml"))
    if step.partition("@")[0] in steps:
        return
    if file:
        there = [f"{path.parent.name}:" for path in sorted(root.glob("stages/*/dvc.yaml"))]
        prefix = name.rpartition(":")[0]
        raise _unknown(name, [f"{prefix}:{step}" for step in steps] or there)
    if inner := _steps(root / "stages" / name / "dvc.yaml"):
        raise InputError(f"{name} is no stage, but has some: {', '.join(f'{name}:{step}' for step in inner)}")
    raise _unknown(name, [*steps, *(path.parent.name for path in root.glob("stages/*/dvc.yaml"))])


def _steps(file: Path) -> list[str]:
    """The stages of a dvc.yaml, each group of them by one name; none where there is no such file."""
    return list(yaml_text.read(file).get("stages") or {}) if file.is_file() else []


def _unknown(name: str, valid: Iterable[str]) -> InputError:
    near = difflib.get_close_matches(name, sorted(valid), n=NEAREST, cutoff=0)
    return InputError(f"there is no stage {shown(name)}; the nearest are {', '.join(near)}")


def _long(name: str) -> str:
    """The address of a stage that may be named shortly."""
    return f"stages/{name.replace(':', '/dvc.yaml:', 1)}" if ":" in name and "/" not in name else name


def _stage(root: Path, name: str) -> tuple[str, str, str | None]:
    """The address of a stage, the module that it runs, and the digest of its code in its lock."""
    long = _long(name)
    with Repo(str(root)) as repo:
        stages = {stage.addressing: stage for stage in repo.index.stages}
        if long not in stages:
            group = long.partition("@")[0]
            items = [address for address in stages if address.partition("@")[0] == group]
            raise _unknown(name, [item.replace(long.rpartition(":")[0], name.rpartition(":")[0], 1) for item in items])
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
