"""The flow `reproduce`: every ready stage of the DVC graph at the same time, as a Prefect task."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Annotated, Literal

from prefect import flow, runtime
from prefect.client.schemas.objects import State
from pydantic import Field

from flows.display import artifacts, views
from flows.display.progress import Progress
from flows.planning import dvc_graph, estimates
from flows.planning.slots import Slots, cores, this_machine, visible_gpus
from flows.processes import stage
from flows.project import hooks
from flows.running.graph_run import GraphRun
from flows.servers import cluster, nothing_to_do
from flows.workspaces import profiles
from flows.workspaces.flow_context import flow_context
from flows.workspaces.workspace_lock import alone

if TYPE_CHECKING:
    Profile = str
else:
    Profile = Literal[tuple(profiles.names())]  # a choice in the Prefect UI
DEFAULT = profiles.default()
Jobs = Annotated[int, Field(ge=1)]


def _name() -> str:
    return nothing_to_do.name_of_run(runtime.flow_run.parameters)


@flow(name="reproduce", flow_run_name=_name, persist_result=False)
def reproduce(
    targets: list[str] | None = None,
    profile: Profile = DEFAULT,
    overrides: list[str] | None = None,
    jobs: Jobs | None = None,
    force: bool = False,
) -> State:
    """Bring the DVC graph up to date, as `dvc repro` does, with every ready stage running at the same time.

    Args:
        targets: systems, stages, dvc.yaml files or outputs; none: everything.
        profile: overrides of params.yaml, run in a workspace of its own.
        overrides: single parameters, such as `train.seed=1`, over those of the profile, in another workspace.
        jobs: stages at the same time (default: the number of processor cores).
        force: run the targets and what they need even if nothing changed.
    """
    already_read = dvc_graph.already_read.get()
    root = already_read[0] if already_read else profiles.enter(profile, overrides or ())
    with alone(root):
        plan = already_read[1] if already_read else dvc_graph.read(root, targets or (), force)
        slots = _slots(jobs)
        progress = Progress(root, plan, estimates.read(root, profile, plan), slots.room)
        run = GraphRun(progress, force, slots, views.current.get() or views.Stream())
        with _stop_on_signals(run.stopping):
            run.all()
        whole = not run.stopping.is_set()  # whoever stops a run does not want to wait for a comparison
        _conclude(run, profile, compare=bool(whole and progress.count("ran") and not overrides))
        return run.verdict()


def _conclude(run: GraphRun, profile: str, compare: bool) -> None:
    """Write the last page, the artifacts and the comparison with the reference, in parallel: each takes seconds."""
    progress = run.progress
    with ThreadPoolExecutor() as threads:
        page = threads.submit(copy_context().run, run.page.finish)
        comparison = hooks.find("compare") if compare else None
        compared = threads.submit(comparison, progress.root, profile, progress.outs()) if comparison else None
        artifacts.written(progress.root, profile, run.written())
        if compared:
            progress.compared = compared.result()
            artifacts.comparison(profile, progress.compared)
        page.result()


def _slots(jobs: int | None) -> Slots:
    runner = flow_context().task_runner
    if hasattr(runner, "client"):  # Dask: the room is the cluster's, its workers' resources hold the GPUs
        threads = max(sum(runner.client.nthreads().values()), 1)
        return Slots(jobs or threads, threads, gpus=[""] * cluster.gpus(runner.client))
    gpus = visible_gpus()
    return Slots(jobs or cores(), max(jobs or 0, cores()), gpus, this_machine(gpus))


@contextmanager
def _stop_on_signals(stopping: threading.Event) -> Iterator[None]:
    """The first SIGINT or SIGTERM asks the stages to end and lets the flow report it; the second kills everything."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handler(signum: int, _) -> None:
        if stopping.is_set():
            stage.stop(at_once=True)
            os._exit(128 + signum)
        stopping.set()

    before = {signum: signal.signal(signum, handler) for signum in (signal.SIGINT, signal.SIGTERM)}
    stage.resume()
    try:
        yield
    finally:
        for signum, old in before.items():
            signal.signal(signum, old)
