"""The DVC graph as a plan: which stages there are, what each waits for, and which of them DVC calls unchanged."""

import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import psutil
from dvc.dependency import ParamsDependency
from dvc.exceptions import DvcException, NoOutputOrStageError
from dvc.lock import LockError
from dvc.repo import Repo, lock_repo
from dvc.repo.reproduce import get_active_graph, plan_repro
from dvc.repo.stage import StageInfo
from dvc.stage import Stage as DvcStage
from dvc.stage.exceptions import StageFileDoesNotExistError

from flows.errors import InputError
from flows.inside_dvc.find_parameters import find_parameters_by_name
from flows.inside_dvc.hosts import elsewhere, judge_own_locks_only
from flows.inside_dvc.parse_once import parse_once
from flows.processes import forkserver
from flows.processes.addresses import short, without_systems_folder
from flows.processes.stage_process import module_command
from flows.project import hooks, settings
from flows.project.nearest import nearest

TRUNK = "trunk"  # stands for a system in stages of the root's dvc.yaml, which belong to no system
SHOWN_LINES = 12  # last lines printed by a stage that failed
RETRY_DELAY = 10  # seconds, unless `meta: {retry_delay: ...}` says otherwise


@dataclass(frozen=True)
class Stage:
    """One stage of the plan.

    Attributes:
        fingerprint: None when it has to run, or may have to once its inputs are there.
        retry_delay: seconds before another try.
        timeout: seconds that one try may take; None: no limit.
        outs: the files and folders it writes, relative to the repository's root.
        is_module: whether its command runs in a fork that has the libraries (`flows.project.settings.Fork`).
    """

    address: str
    upstream: tuple[str, ...]
    threads: int
    gpus: int
    retries: int
    fingerprint: str | None
    retry_delay: float = 0.0
    timeout: float | None = None
    outs: tuple[str, ...] = ()
    is_module: bool = False

    @property
    def system(self) -> str:
        """The folder of its dvc.yaml, without the one that has all systems; "trunk" for the root's."""
        file = without_systems_folder(self.address).rpartition(":")[0]
        return file.removesuffix("dvc.yaml").rstrip("/") or TRUNK


# the root folder and its plan, where the caller of the flow has read them already
already_read: ContextVar[tuple[Path, dict[str, Stage]] | None] = ContextVar("already_read", default=None)


def read(
    root: str | Path, targets: Sequence[str] = (), force: bool = False, changed: Callable[[], None] = lambda: None
) -> dict[str, Stage]:
    """The stages that `targets` need, by address, each after the ones it depends on.

    Args:
        root: the DVC repository.
        targets: stage names, dvc.yaml files or outputs, as for `dvc repro`, or systems and their stages ("urn",
            "urn:train_dyck"); none: the root dvc.yaml, or every stage when there is none.
        force: every stage of the plan has to run, as with `dvc repro --force`.
        changed: called as soon as there is a stage that has to run, and for each of them.

    Raises:
        InputError: not a repository, a broken dvc.yaml, a graph with a cycle, an unknown target.
    """
    os.environ.pop("DVC_ROOT", None)
    with suppress(AttributeError, ImportError):  # another DVC
        judge_own_locks_only()
        parse_once()
        find_parameters_by_name()
    try:
        with Repo(str(root), _wait_for_lock=True) as repo:
            _run_first(repo)
            with lock_repo(repo):
                _drop_dead_locks(Path(repo.tmp_dir))
                _check_parameters(repo)
                graph = get_active_graph(repo.index.graph)
                target_stages = _collect(repo, targets)
                order = plan_repro(graph, target_stages or None)
                _check_inputs(graph, order)
                return _plan(graph, order, force, changed)
    except DvcException as error:
        cause = f" ({error.__cause__})" if error.__cause__ else ""
        raise InputError(f"{root}: {error}{cause}") from error


def _run_first(repo: Repo) -> None:
    """Run the stages that the project wants first: what they write decides which other stages have to run.

    Raises:
        InputError: a stage failed; the message has what it printed.
    """
    root = repo.root_dir
    always = [address_of(stage) for stage in repo.index.stages if _runs_first(stage)]
    for address in always:
        with tempfile.TemporaryFile() as output:
            child = get_context("fork").Process(target=_reproduce_quietly, args=(root, address, output.fileno()))
            child.start()
            child.join()
            output.seek(0)
            lines = output.read().decode("utf-8", "replace").strip().splitlines()
        if child.exitcode:
            raise InputError("\n    ".join([f"{short(address)} failed", *lines[-SHOWN_LINES:]]))


def _reproduce_quietly(root: str, address: str, output: int) -> None:
    """Reproduce one stage in this process, a fork, with what it prints in a file."""
    os.dup2(output, 1)
    os.dup2(output, 2)
    # its `python` is the one that runs the flow, whatever the shell's PATH says
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    try:
        forkserver.reproduce(root, address, force=False, environment={"PATH": path})
    except Exception as error:
        forkserver.explain(error)
        sys.exit(1)


def _runs_first(stage: DvcStage) -> bool:
    """Whether the project wants a stage to run before the plan is made; one with dependencies has to wait for them."""
    first = address_of(stage) in settings.of(stage.repo.root_dir).first
    return bool(first and stage.always_changed and not stage.deps and not stage.frozen)


def _check_parameters(repo: Repo) -> None:
    """Let the project refuse its parameters, as for a mistyped name.

    Raises:
        InputError: it does.
    """
    check = hooks.find("check_parameters")
    if not check:
        return
    path = Path(repo.root_dir) / "params.yaml"
    names: dict[str, set[str]] = {}
    for stage in repo.index.stages:
        for dependency in stage.deps:
            if isinstance(dependency, ParamsDependency) and Path(dependency.fs_path) == path:
                names.setdefault(stage.addressing, set()).update(dependency.params)
    check(Path(repo.root_dir), {Path(stage.path) for stage in repo.index.stages}, names)


def _check_inputs(graph, order: list[DvcStage]) -> None:
    """Raise InputError unless every file and folder that a stage reads exists or other stages make it or part of it."""
    for stage in order:
        upstream_outputs = [Path(out.fs_path) for upstream in graph.successors(stage) for out in upstream.outs]
        for dependency in stage.deps:
            path = Path(dependency.fs_path)
            if not dependency.is_in_repo or os.path.lexists(path):
                continue
            if any(path.is_relative_to(out) or out.is_relative_to(path) for out in upstream_outputs):
                continue
            root = stage.repo.root_dir
            siblings = [os.path.relpath(out.fs_path, root) for producer in graph for out in producer.outs]
            name = os.path.relpath(path, root)
            siblings = [out for out in siblings if os.path.dirname(out) == os.path.dirname(name)]
            near = nearest(name, siblings)
            raise InputError(f"{address_of(stage)} reads {name}, which is not there and which no stage makes{near}")


def _collect(repo: Repo, targets: Sequence[str]) -> list[DvcStage]:
    if not targets and (Path(repo.root_dir) / "dvc.yaml").exists():
        targets = ["dvc.yaml"]
    stages: dict[DvcStage, None] = {}
    here = os.getcwd()
    os.chdir(repo.root_dir)  # targets are relative to the repository's root, as in its README
    try:
        for target in targets:
            stages.update((info.stage, None) for info in _named(repo, target))
    finally:
        os.chdir(here)
    return list(stages)


def _named(repo: Repo, target: str) -> Sequence[StageInfo]:
    """The stages that DVC finds under a target; where it finds none, those of a system, or a stage of a system."""
    try:
        return repo.stage.collect_granular(target)
    except (NoOutputOrStageError, StageFileDoesNotExistError) as error:
        folder = settings.of(repo.root_dir).systems
        if folder is None:
            raise
        system, colon, name = target.partition(":")
        file = f"{folder}/{system}/dvc.yaml"
        if os.path.isfile(file):
            return repo.stage.collect_granular(f"{file}{colon}{name}")
        systems = [path.parent.name for path in Path().glob(f"{folder}/*/dvc.yaml")]
        if not systems or re.search("[/.@]", target):  # meant as a file, or as a stage of a group
            raise
        near = nearest(system, systems)
        raise InputError(f"{target!r} is no output, stage or system{near}") from error


def _plan(graph, order: list[DvcStage], force: bool, changed: Callable[[], None]) -> dict[str, Stage]:
    addresses = {stage: address_of(stage) for stage in order}
    plan: dict[str, Stage] = {}
    for stage in order:
        upstream = tuple(sorted(addresses[dependency] for dependency in graph.successors(stage)))
        open_above = any(plan[address].fingerprint is None for address in upstream)
        settled = _runs_first(stage) or (not force and not open_above and not _changed(stage))
        if not settled:
            changed()
        meta = stage.meta or {}
        plan[addresses[stage]] = Stage(
            address=addresses[stage],
            upstream=upstream,
            threads=_count(stage, meta, "threads", 1, least=1),
            gpus=_count(stage, meta, "gpu", 0),
            retries=_count(stage, meta, "retries", 0),
            fingerprint=_fingerprint(stage) if settled else None,
            retry_delay=_seconds(stage, meta, "retry_delay", RETRY_DELAY) or 0.0,
            timeout=_seconds(stage, meta, "timeout", None),
            outs=tuple(str(Path(out.fs_path).relative_to(stage.repo.root_dir)) for out in stage.outs if out.is_in_repo),
            is_module=isinstance(stage.cmd, str) and bool(module_command(stage.repo.root_dir, stage.cmd)),
        )
    return plan


def address_of(stage: DvcStage) -> str:
    """A stage's address as DVC writes it in the repository's root, wherever the flow was started."""
    name = getattr(stage, "name", None)
    if not name:
        return stage.path_in_repo
    return name if stage.path_in_repo == "dvc.yaml" else f"{stage.path_in_repo}:{name}"


def _changed(stage: DvcStage) -> bool:
    try:
        return bool(stage.status(check_updates=False))
    except LockError:
        return True  # another process is writing its files: DVC decides once that has ended


def _count(stage: DvcStage, meta: dict[str, Any], key: str, default: int, least: int = 0) -> int:
    value = meta.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(
            f"{address_of(stage)}: meta.{key} should be a whole number of at least {least}, found {value!r}"
        )
    return value


def _seconds(stage: DvcStage, meta: dict[str, Any], key: str, default: float | None) -> float | None:
    value = meta.get(key, default)
    if value is default:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0 or (key == "timeout" and not value):
        raise InputError(f"{address_of(stage)}: meta.{key} should be a number of seconds, found {value!r}")
    return float(value)


def _fingerprint(stage: DvcStage) -> str:
    """A hash of an unchanged stage's command, dependencies and parameters, as recorded in its dvc.lock."""
    inputs = [[dep.def_path, dep.hash_info.value if dep.hash_info else None] for dep in stage.deps]
    text = json.dumps([address_of(stage), stage.cmd, inputs], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def drop_dead_locks(root: str | Path) -> None:
    """Remove what killed processes left in DVC's table of files in use."""
    with suppress(DvcException), Repo(str(root), _wait_for_lock=True) as repo, lock_repo(repo):
        _drop_dead_locks(Path(repo.tmp_dir))


def _drop_dead_locks(folder: Path) -> None:
    """Remove the entries of this host's dead processes: no other host can tell whether they live.

    DVC drops the entries of a dead process by itself, but not when its pid now belongs to another process, nor when
    the kill left half a table. The table is only written under the repository lock, which we hold."""
    path = folder / "rwlock"
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        written = path.stat().st_mtime
    except FileNotFoundError:
        return
    except json.JSONDecodeError:
        path.unlink()
        return
    readers = {file: _alive(owners, written) for file, owners in table.get("read", {}).items()}
    writers = {file: owner for file, owner in table.get("write", {}).items() if _alive([owner], written)}
    living = {"read": {file: owners for file, owners in readers.items() if owners}, "write": writers}
    if living != {"read": table.get("read", {}), "write": table.get("write", {})}:
        path.write_text(json.dumps(living), encoding="utf-8")


def _alive(owners: Iterable[dict], written: float) -> list[dict]:
    def lives(owner: dict) -> bool:
        if elsewhere(owner["cmd"]):
            return True
        try:
            process = psutil.Process(owner["pid"])
            return process.status() != psutil.STATUS_ZOMBIE and process.create_time() <= written + 1
        except psutil.Error:
            return False

    return [owner for owner in owners if lives(owner)]
