"""The DVC graph as a plan: which stages there are, what each waits for, and which of them DVC calls unchanged."""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

from dvc.dependency import ParamsDependency
from dvc.exceptions import DvcException
from dvc.lock import LockError
from dvc.repo import Repo, lock_repo
from dvc.repo.reproduce import get_active_graph, plan_repro
from dvc.stage import Stage as DvcStage
from dvc.stage.cache import RunCacheNotSupported
from networkx import DiGraph

from flows.code.stage_code import writes_digests
from flows.errors import InputError
from flows.inside_dvc.free_files import while_files_are_free
from flows.inside_dvc.hosts import judge_own_locks_only
from flows.inside_dvc.quick_reading import read_quickly
from flows.inside_dvc.run_cache_key import tell_sizes_apart
from flows.output import say
from flows.planning import meta
from flows.planning.dead_locks import drop_dead_entries
from flows.planning.missing_inputs import data_elsewhere, missing_data, missing_input
from flows.planning.outside_paths import check_paths
from flows.planning.selection import Selection
from flows.planning.targets import collect
from flows.processes import forkserver
from flows.processes.orphans import end_with_the_parent, kill_with_children
from flows.processes.stage_environment import search_path
from flows.processes.stage_process import module_command
from flows.project import addresses, broken_files, hooks, settings
from flows.project.addresses import short, without_systems_folder

TRUNK = "trunk"  # stands for a system in stages of the root's dvc.yaml, which belong to no system
SHOWN_LINES = 12  # last lines printed by a stage that failed
EVERYTHING = Selection()


@dataclass(frozen=True)
class Stage:
    """One stage of the plan.

    Attributes:
        fingerprint: None when it has to run, or may have to once its inputs are there.
        missing: a sentence about a file that it needs and that cannot be had or read; empty: there is none.
        left_out: a line about the entries of its `meta` that a run cannot use; empty: there are none.
        frozen: a line that it is frozen; empty: it is not, or it is an import, which always is.
        retry_delay: seconds before another try.
        timeout: seconds that one try may take; None: no limit.
        outs: the files and folders it writes, relative to the repository's root.
        memory: bytes that it takes; None: it does not say.
        has_command: whether a run can execute a command of it; not of a frozen stage, an import or data that was added.
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
    has_command: bool = True
    is_module: bool = False
    memory: int | None = None
    missing: str = ""
    left_out: str = ""
    frozen: str = ""

    @property
    def warnings(self) -> list[str]:
        """What the person who starts a run should know before the first stage runs."""
        return [line for line in (self.missing, self.left_out, self.frozen) if line]

    @property
    def system(self) -> str:
        """The folder of its dvc.yaml, without the one that has all systems; "trunk" for the root's."""
        file = without_systems_folder(addresses.dvc_yaml(self.address))
        return file.removesuffix("dvc.yaml").rstrip("/") or TRUNK


# the root folder and its plan, where the caller of the flow has read them already
already_read: ContextVar[tuple[Path, dict[str, Stage]] | None] = ContextVar("already_read", default=None)


def read(
    root: str | Path,
    selection: Selection = EVERYTHING,
    changed: Callable[[], None] = lambda: None,
    waits: bool = True,
) -> dict[str, Stage]:
    """The stages of a run, by address, each after the ones it depends on.

    Args:
        root: the DVC repository.
        selection: which stages, and when they count as changed.
        changed: called as soon as there is a stage that has to run, and for each of them.
        waits: whether a stage that runs first waits for another run that uses its files; else it is left as it is.

    Raises:
        InputError: not a repository, a broken dvc.yaml, a graph with a cycle, an unknown target; in a workspace, a
            stage that reads outside of the project.
    """
    os.environ.pop("DVC_ROOT", None)
    read_quickly()
    with suppress(AttributeError, ImportError):  # another DVC
        judge_own_locks_only()
        tell_sizes_apart()
    with broken_files.explained(Path(root)), Repo(str(root), _wait_for_lock=True) as repo:
        with lock_repo(repo):
            drop_dead_entries(Path(repo.tmp_dir))
        _run_first(repo, waits)
        with lock_repo(repo):
            _check_parameters(repo)
            graph, targets = _graph_and_targets(repo, selection)
            order = _order(graph, targets, selection)
            if settings.is_workspace(repo.root_dir):
                check_paths({address_of(stage): stage for stage in order})
            if selection.pull and not selection.no_run_cache:
                _pull_run_cache(repo)
            with while_files_are_free(Path(repo.tmp_dir)):
                return _plan(graph, order, selection, changed)


def _pull_run_cache(repo: Repo) -> None:
    try:
        repo.stage_cache.pull(None)
    except RunCacheNotSupported as error:  # by this remote, or there is none
        say(f"warning: the run-cache is not pulled: {' '.join(str(error).split())}", sys.stderr)


def _graph_and_targets(repo: Repo, selection: Selection) -> tuple[DiGraph, list[DvcStage]]:
    """The stages of the project, each with edges to the ones that it depends on, and those that the targets name.

    With --single-item a mistake in another stage or file does not matter: the graph is that of the targets alone then,
    each after the one that is named before it, as `dvc repro` runs them.
    """
    folder = folder_of_targets(Path(repo.root_dir))
    try:
        return get_active_graph(repo.index.graph), collect(repo, selection, folder)
    except (DvcException, *broken_files.UNEXPECTED):
        if not selection.targets_alone:
            raise
    targets = collect(repo, selection, folder)
    graph = DiGraph(has_targets_alone=True)
    graph.add_nodes_from(targets)
    graph.add_edges_from((later, earlier) for earlier, later in pairwise(targets))
    return graph, targets


def folder_of_targets(root: Path) -> Path:
    """The folder that targets are relative to: that of this process, or the one for it in a workspace."""
    project = settings.current_root()
    folder = root / Path.cwd().relative_to(project) if Path.cwd().is_relative_to(project) else root
    return folder if folder.is_dir() else root


def _order(graph, targets: list[DvcStage], selection: Selection) -> list[DvcStage]:
    """The stages of a run, each after the ones it depends on."""
    if selection.targets_alone:
        return [stage for stage in plan_repro(graph, targets) if stage in set(targets)]
    downstream = selection.downstream and not (selection.pipeline or selection.all_pipelines)
    return plan_repro(graph, targets or None, pipeline=selection.pipeline, downstream=downstream)


def _run_first(repo: Repo, waits: bool) -> None:
    """Run the stages that the project wants first: what they write decides which other stages have to run.

    Raises:
        InputError: a stage failed; the message has what it printed.
    """
    root = repo.root_dir
    files = {Path(root, addresses.dvc_yaml(address)) for address in settings.of(root).first}
    with suppress(OSError, UnicodeDecodeError):  # no dvc.yaml, or one that DVC refuses below
        if settings.of(root).digests in (trunk := Path(root, "dvc.yaml")).read_text(encoding="utf-8"):
            files.add(trunk)
    stages = [stage for file in sorted(files) if file.exists() for stage in repo.stage.load_file(str(file))]
    for address in [address_of(stage) for stage in stages if _runs_first(stage)]:
        with tempfile.TemporaryFile() as output:
            child = get_context("fork").Process(target=_reproduce_quietly, args=(root, address, output.fileno(), waits))
            child.start()
            try:
                child.join()
            except BaseException:  # an interrupt
                kill_with_children(child.pid)
                raise
            output.seek(0)
            lines = output.read().decode("utf-8", "replace").strip().splitlines()
        if child.exitcode:
            raise InputError("\n    ".join([f"{short(address)} failed", *lines[-SHOWN_LINES:]]))


class _Busy(Exception):
    """Another run uses the files of a stage."""


def _reproduce_quietly(root: str, address: str, output: int, waits: bool) -> None:
    """Reproduce one stage in this process, a fork, with what it prints in a file; never returns.

    What the process is forked from may have left work for the end of the interpreter, as Prefect does in a flow run;
    that is not to be done here, where its threads are missing.
    """
    status, terminal = 1, os.dup(2)

    def wait(reason: str) -> None:
        if not waits:
            os.write(terminal, f"{short(address)} is left as it is, because another run uses its files\n".encode())
            raise _Busy
        os.write(terminal, f"{short(address)}: {reason}\n".encode())

    try:
        end_with_the_parent()
        os.dup2(output, 1)
        os.dup2(output, 2)
        try:
            forkserver.reproduce(root, address, {"PATH": search_path(root)}, {}, wait=wait)
            status = 0
        except _Busy:
            status = 0
        except Exception as error:
            forkserver.explain(error)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        os._exit(status)


def _runs_first(stage: DvcStage) -> bool:
    """Whether a stage runs before the plan is made: by the project's settings, or because it digests the code.

    One with dependencies waits for them.
    """
    first = address_of(stage) in settings.of(stage.repo.root_dir).first or writes_digests(stage)
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


def _plan(graph, order: list[DvcStage], selection: Selection, changed: Callable[[], None]) -> dict[str, Stage]:
    names = {stage: address_of(stage) for stage in order}
    plan: dict[str, Stage] = {}
    for stage in order:
        above = list(graph.successors(stage))
        upstream = tuple(sorted(names[dependency] for dependency in above if dependency in names))
        open_above = any(plan[address].fingerprint is None for address in upstream)
        settled, problem = _runs_first(stage), ""
        if not (settled or selection.force or open_above):
            has_changed, problem = _changed(stage, above, selection.allow_missing)
            settled = not has_changed
        if not settled:
            changed()
        planned = _planned(graph, stage, names[stage], upstream, selection, settled)
        plan[planned.address] = replace(planned, missing=f"{planned.address}: {problem}") if problem else planned
    return plan


def _planned(
    graph, stage: DvcStage, address: str, upstream: tuple[str, ...], selection: Selection, settled: bool
) -> Stage:
    stage_meta = meta.read(stage.meta)
    return Stage(
        address=address,
        upstream=upstream,
        threads=stage_meta.threads,
        gpus=stage_meta.gpus,
        retries=stage_meta.retries,
        fingerprint=_fingerprint(stage) if settled else None,
        missing="" if settled else _missing(graph, stage, address, selection),
        left_out=f"{address}: {'; '.join(stage_meta.left_out)}" if stage_meta.left_out and not settled else "",
        frozen=f"{address} is frozen: it does not run, whatever changed"
        if stage.frozen and not stage.is_import
        else "",
        retry_delay=stage_meta.retry_delay,
        timeout=stage_meta.timeout,
        outs=tuple(str(Path(out.fs_path).relative_to(stage.repo.root_dir)) for out in stage.outs if out.is_in_repo),
        memory=stage_meta.memory,
        has_command=bool(stage.cmd) and not stage.frozen,
        is_module=isinstance(stage.cmd, str) and bool(module_command(stage.repo.root_dir, stage.cmd)),
    )


def _missing(graph, stage: DvcStage, address: str, selection: Selection) -> str:
    """A sentence about a file that a stage needs and that cannot be had; empty where there is none."""
    if selection.allow_missing or "has_targets_alone" in graph.graph:
        return ""
    data = missing_data if selection.pull else data_elsewhere
    return missing_input(graph, stage, address) or data(stage, address)


def address_of(stage: DvcStage) -> str:
    """A stage's address as DVC writes it in the repository's root, wherever the flow was started."""
    return addresses.of(stage.path_in_repo, getattr(stage, "name", None) or "")


def _changed(stage: DvcStage, above: list[DvcStage], allow_missing: bool) -> tuple[bool, str]:
    """Whether a stage has changed, and a sentence about a file of it that cannot be read: it fails in its turn then."""
    try:
        return bool(stage.changed(allow_missing, above)), ""
    except LockError:
        return True, ""  # another process is writing its files: DVC decides once that has ended
    except DvcException as error:
        return True, " ".join(f"{error}{f' ({error.__cause__})' if error.__cause__ else ''}".split())


def _fingerprint(stage: DvcStage) -> str:
    """A hash of an unchanged stage's command, dependencies and parameters, as recorded in its dvc.lock."""
    inputs = [[dep.def_path, dep.hash_info.value if dep.hash_info else None] for dep in stage.deps]
    text = json.dumps([address_of(stage), stage.cmd, inputs], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
