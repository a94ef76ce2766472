"""The command `explain`: why a stage will run, by what changed in it or in a stage above it; nothing is run."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from dvc.dependency import ParamsDependency
from dvc.repo import Repo
from dvc.stage import Stage as DvcStage

from flows.code import explanation
from flows.code.stage_code import StagesCode, is_digests_file, writes_digests
from flows.inside_dvc.quick_reading import read_quickly
from flows.planning.dvc_graph import address_of, folder_of_targets
from flows.planning.selection import Selection
from flows.planning.targets import collect
from flows.project import broken_files, hooks

CodeChanges = Callable[[str, str | None], Iterable[str]]  # key of a digest, the digest in dvc.lock -> lines
MAX_VALUE = 60  # characters of a parameter's value that are shown
WORDS = {"modified": "changed", "deleted": "is missing", "new": "is new", "not in cache": "is not in the cache"}


def command(root: Path, target: str) -> int:
    """Print why the stages of a target will run; returns 0.

    Args:
        root: the project's folder.
        target: a stage, dvc.yaml, output or system, as for `reproduce`.

    Raises:
        InputError: there is no such stage, or DVC cannot read the project.
    """
    folder = folder_of_targets(root)
    here = os.getcwd()
    read_quickly()
    try:
        with broken_files.explained(root), Repo(str(root)) as repo:
            stages = collect(repo, Selection((target,)), folder)
            os.chdir(repo.root_dir)  # DVC names files relative to the current folder
            reasons: dict[DvcStage, list[str]] = {}
            code_changes = _code_changes(repo)
            for stage in stages:
                print("\n".join(lines(repo, stage, reasons, code_changes)))
    finally:
        os.chdir(here)
    return 0


def lines(
    repo: Repo, stage: DvcStage, reasons: dict[DvcStage, list[str]], code_changes: CodeChanges | None
) -> Iterator[str]:
    """Why a stage will run: what changed in it, and, of the stages above it, the shortest way to each that changed.

    Args:
        reasons: what was found out about stages so far; more is added.
        code_changes: what changed in the code behind a digest: its key, the digest in dvc.lock -> lines.
    """
    ways = dict(_ways(repo, stage, reasons, code_changes))
    if not ways:
        yield f"{address_of(stage)} is up to date"
        return
    yield f"{address_of(stage)} will run:"
    for changed, way in ways.items():
        if changed is stage:
            yield from (f"  {reason}" for reason in reasons[stage])
        else:
            by = " -> ".join(address_of(step) for step in reversed(way))
            yield f"  if what it reads changes, by {by}, where"
            yield from (f"    {reason}" for reason in reasons[changed])


def _code_changes(repo: Repo) -> CodeChanges | None:
    """What says what changed in the code behind a digest; None where no stage writes digests."""
    if not any(writes_digests(stage) for stage in repo.index.stages):
        return None
    if explain_code := hooks.find("explain_code"):
        return partial(explain_code, Path(repo.root_dir))
    return partial(explanation.changes, StagesCode(repo))


def _ways(
    repo: Repo, stage: DvcStage, reasons: dict[DvcStage, list[str]], code_changes: CodeChanges | None
) -> Iterator[tuple[DvcStage, list[DvcStage]]]:
    """The stage and those above it that changed themselves, the nearest first, each with the shortest way to it."""
    graph = repo.index.graph
    seen, waiting = {stage}, deque([[stage]])
    while waiting:
        way = waiting.popleft()
        last = way[-1]
        if last not in reasons:
            makers = {str(out.fs_path) for above in graph.successors(last) for out in above.outs}
            reasons[last] = list(_reasons(last, makers, code_changes))
        if reasons[last]:
            yield last, way
        for above in sorted(graph.successors(last), key=address_of):
            if above not in seen:
                seen.add(above)
                waiting.append([*way, above])


def _reasons(stage: DvcStage, made_above: set[str], code_changes: CodeChanges | None) -> Iterator[str]:
    """What changed in a stage itself since dvc.lock recorded it; files that stages above it make are left to these."""
    if not any(item.hash_info for item in [*stage.outs, *stage.deps]) and stage.outs:
        yield "it never ran here: dvc.lock has no entry of it"
        return
    if stage.always_changed and writes_digests(stage):
        return
    if stage.always_changed:
        yield "it says always_changed"
    if stage.changed_stage():
        yield f"its command changed, to {_short(stage.cmd)}"
    for dependency in stage.deps:
        status = dependency.status()
        if code_changes and isinstance(dependency, ParamsDependency) and is_digests_file(dependency):
            for key in dependency.params:
                yield from code_changes(key, (dependency.hash_info.value or {}).get(key))
        elif isinstance(dependency, ParamsDependency):
            yield from _parameters(dependency, status)
        elif status and not _is_made(dependency.fs_path, made_above):
            yield from (f"{path} {WORDS.get(word, word)}" for path, word in status.items())
    for out in stage.outs:
        yield from (f"its output {path} {WORDS.get(word, word)}" for path, word in out.status().items())


def _parameters(dependency: ParamsDependency, status: Mapping[str, object]) -> Iterator[str]:
    before, now = dependency.hash_info.value or {}, dependency.read_params()
    for changes in status.values():
        if not isinstance(changes, Mapping):
            yield f"{dependency} {WORDS.get(str(changes), str(changes))}"
            continue
        for name, word in changes.items():
            if word == "modified":
                yield f"{name} of {dependency} changed from {_short(before.get(name))} to {_short(now.get(name))}"
            else:
                yield f"{name} of {dependency} {WORDS.get(word, word)}"


def _is_made(path: str, outputs: set[str]) -> bool:
    """Whether a file is an output of a stage, or lies in one, or holds one."""
    return any(Path(path).is_relative_to(output) or Path(output).is_relative_to(path) for output in outputs)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= MAX_VALUE else f"{text[: MAX_VALUE - 3]}..."
