"""Say which locks are stale: `python -m stages.upkeep.locks`. Nothing is run, and no result has to be here.

A stage's entry in dvc.lock is stale where its command, the code that this can reach, a file of the project that it
reads or a parameter is no longer what the entry recorded, or where a stage that it reads from is stale or was run again
since. Outputs of stages are not read, so a clone without them gets the same answer; data/code.json is written first.
`python -m stages.code.explain STAGE` says more about one stage.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from typing import Any

from dvc.dependency import ParamsDependency
from dvc.dependency.param import read_param_file
from dvc.exceptions import DvcException
from dvc.repo import Repo
from dvc.stage import Stage
from dvc.utils.serialize import modify_yaml

from repline.errors import InputError
from stages.code import digest, project

NO_LOCK = "has no lock"
CODE = "its code changed"


def stale(root: str | Path) -> dict[str, list[str]]:
    """The stages whose entry in dvc.lock is stale or missing, by address, each with the reasons.

    Args:
        root: the DVC repository.

    Returns:
        address ("stages/urn/dvc.yaml:train@dyck") -> reasons, e.g. ["its code changed"], in an order
        in which stages follow those that they read from; a stage without an entry has the one reason `NO_LOCK`.

    Raises:
        InputError: not a repository, or a dvc.yaml or dvc.lock that DVC cannot read.
    """
    here = os.getcwd()
    if project.has_code(Path(root)):
        digest.write(Path(root))
    try:
        with Repo(str(root)) as repo:
            os.chdir(repo.root_dir)  # DVC names files relative to the current folder
            outputs = {out.fs_path: out for stage in repo.index.stages for out in stage.outs}
            inside = _makers_inside(outputs)
            reasons_by_address: dict[str, list[str]] = {}
            read_once = cache(lambda path: read_param_file(repo.fs, path))
            for stage in _upstream_first(repo):
                reasons = list(dict.fromkeys(_reasons(stage, outputs, inside, reasons_by_address, read_once)))
                if reasons:
                    reasons_by_address[stage.addressing] = reasons
            return reasons_by_address
    except DvcException as error:
        cause = f" ({error.__cause__})" if error.__cause__ else ""
        raise InputError(f"{root}: {error}{cause}") from error
    finally:
        os.chdir(here)


def prune(root: str | Path) -> list[str]:
    """Remove the entries of stages that no dvc.yaml has any more from the dvc.lock files, and return their addresses.

    Args:
        root: the DVC repository.
    """
    removed = []
    with Repo(str(root)) as repo:
        names: dict[Path, set[str]] = {}
        for stage in repo.index.stages:
            names.setdefault(Path(stage.path), set()).add(stage.name)
        for file, stage_names in sorted(names.items()):
            lock_file = file.with_name("dvc.lock")
            if not lock_file.exists():
                continue
            folder = file.relative_to(repo.root_dir).as_posix()
            with modify_yaml(str(lock_file)) as lock:
                for name in [name for name in lock["stages"] if name not in stage_names]:
                    del lock["stages"][name]
                    removed.append(name if folder == "dvc.yaml" else f"{folder}:{name}")
    return removed


def addresses(root: str | Path) -> set[str]:
    """The addresses of all stages, as `stages/urn/dvc.yaml:evaluate`.

    Args:
        root: the DVC repository.
    """
    with Repo(str(root)) as repo:
        folders = {stage: Path(stage.path).relative_to(repo.root_dir).as_posix() for stage in repo.index.stages}
        return {stage.name if file == "dvc.yaml" else f"{file}:{stage.name}" for stage, file in folders.items()}


def _upstream_first(repo: Repo) -> list[Stage]:
    graph, order, seen = repo.index.graph, [], set()

    def visit(stage: Stage) -> None:
        if stage not in seen:
            seen.add(stage)
            for upstream in sorted(graph.successors(stage), key=lambda stage: stage.addressing):
                visit(upstream)
            order.append(stage)

    for stage in sorted(graph, key=lambda stage: stage.addressing):
        visit(stage)
    return order


def _reasons(
    stage: Stage,
    outputs: dict,
    inside: dict[str, set[str]],
    stale_stages: dict[str, list[str]],
    read_once: Callable[[str], Any],
) -> Iterator[str]:
    if not any(item.hash_info for item in [*stage.outs, *stage.deps]):
        yield NO_LOCK
        return
    if stage.changed_stage():
        yield "its command changed"
    for dep in stage.deps:
        if isinstance(dep, ParamsDependency):
            changes = _changes(dep, read_once)
            if isinstance(changes, str):
                yield f"{dep} is {changes}"
            elif Path(dep.fs_path) == Path(dep.repo.root_dir) / project.DIGESTS:
                yield from [CODE] if changes else []
            else:
                yield from (f"parameter {name} of {dep} is {change}" for name, change in changes.items())
        elif source := _maker(dep.fs_path, outputs):
            if source.stage.addressing in stale_stages:
                yield f"{source.stage.addressing} is stale"
            elif source.fs_path == dep.fs_path and source.hash_info != dep.hash_info:
                yield f"{source.stage.addressing} was run again since"
        elif makers := inside.get(dep.fs_path):
            yield from (f"{address} is stale" for address in sorted(makers) if address in stale_stages)
        elif not dep.exists:
            yield f"{dep} is not here"
        elif not dep.hash_info:
            yield f"{dep} is new"
        elif dep.get_hash() != dep.hash_info:
            yield f"{dep} changed"


def _changes(dep: ParamsDependency, read_once: Callable[[str], Any]) -> str | dict[str, str]:
    """How parameters differ from those that a stage recorded: "deleted", "new", or by name what became of each.

    DVC's `workspace_status` says the same, but parses the whole file for each stage; it answers where a name is no
    path of keys in the file.
    """
    recorded = dep.hash_info.value
    if not dep.exists or not isinstance(recorded, dict):
        return dep.workspace_status()[str(dep)]
    changes, values = {}, read_once(dep.fs_path)
    for name in dep.params or dict.fromkeys([*values, *recorded]):
        try:
            value = reduce(getitem, name.split("."), values)
        except (KeyError, TypeError):
            return dep.workspace_status().get(str(dep), {})
        if name not in recorded:
            changes[name] = "new"
        elif value != recorded[name]:
            changes[name] = "modified"
    return changes


def _maker(path: str, outputs: dict):
    """The output that is `path` or a folder around it; None if there is none."""
    return next((outputs[str(parent)] for parent in (Path(path), *Path(path).parents) if str(parent) in outputs), None)


def _makers_inside(outputs: dict) -> dict[str, set[str]]:
    """Folder -> the addresses of the stages whose outputs lie in it."""
    inside: dict[str, set[str]] = {}
    for path, output in outputs.items():
        for folder in Path(path).parents:
            inside.setdefault(str(folder), set()).add(output.stage.addressing)
    return inside


def describe(stale_stages: dict[str, list[str]]) -> str:
    """One line for each stale stage, and one that counts."""
    unlocked = [address for address, reasons in stale_stages.items() if reasons == [NO_LOCK]]
    changed = {address: reasons for address, reasons in stale_stages.items() if reasons != [NO_LOCK]}
    lines = [f"{address}: {'; '.join(reasons)}" for address, reasons in changed.items()]
    lines += [f"{address}: {NO_LOCK}" for address in unlocked]
    if not stale_stages:
        return "no lock is stale"
    return "\n".join([*lines, f"stale: {len(changed)}, without a lock: {len(unlocked)}"])


def main(arguments: list[str] | None = None) -> int:
    """Print the stale locks; with --check return 1 if there are any."""
    description = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m stages.upkeep.locks", description=description)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a lock is stale or missing")
    options = parser.parse_args(arguments)
    stale_stages = stale(Path.cwd())
    print(describe(stale_stages))
    return int(bool(stale_stages) and options.check)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InputError as error:
        sys.exit(f"stages.upkeep.locks: {error}")
