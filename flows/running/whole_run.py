"""A run from its plan to its verdict, with the room of the machine, signals, and what is shown at the end."""

import math
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path

from flows.display import views
from flows.display.progress import Progress
from flows.planning import estimates, memory
from flows.planning.dvc_graph import Stage
from flows.planning.selection import Selection
from flows.planning.slots import Slots, cores, this_machine, visible_gpus
from flows.processes import stage
from flows.project import hooks
from flows.records import history
from flows.running.graph_run import GraphRun
from flows.running.outcome import Runner, Verdict
from flows.workspaces import profiles

TWICE = 0.5  # seconds within which two signals are the same one


@dataclass(frozen=True)
class Run:
    """What is to be run, and where.

    Attributes:
        root: the folder of the profile.
        plan: its stages.
        profile: its name.
        selection: how the plan was made.
        is_whole: whether it can be compared with an earlier run, as one with single parameters cannot.
    """

    root: Path
    plan: dict[str, Stage]
    profile: str
    selection: Selection
    is_whole: bool = True


def carry_out(run: Run, slots: Slots, runner: Runner) -> Verdict:
    """Run the plan to its end; the first SIGINT or SIGTERM stops it."""
    graph_run = begin(run, slots, runner)
    with stop_on_signals(graph_run.stopping), graph_run.opened():
        graph_run.advance()
    return conclude(graph_run, run)


def begin(run: Run, slots: Slots, runner: Runner) -> GraphRun:
    """The run of a plan, before its first stage."""
    plan = estimates.with_memory(run.root, run.plan)
    times = estimates.read(run.root, run.profile, plan, profiles.folder(run.profile))
    progress = Progress(run.root, plan, times, slots.room)
    return GraphRun(progress, run.selection, slots, views.current.get() or views.Stream(), runner)


def conclude(graph_run: GraphRun, run: Run) -> Verdict:
    """Show and compare what a run has written, and say how it ended."""
    stopped = graph_run.stopping.is_set()  # whoever stops a run does not want to wait for a comparison
    compare = bool(run.is_whole and not stopped and graph_run.progress.count("ran"))
    _write_pages(graph_run, run.profile, compare)
    history.prune(run.root)
    return graph_run.verdict()


def slots_of_this_machine(jobs: int | None) -> Slots:
    """Room for as many stages at the same time as the machine has cores, or for `jobs`."""
    gpus = visible_gpus()
    return Slots(jobs or cores(), max(jobs or 0, cores()), gpus, this_machine(gpus), memory.of_this_machine())


def _write_pages(graph_run: GraphRun, profile: str, compare: bool) -> None:
    """Write the last page, the tables and the comparison, in parallel: each takes seconds."""
    progress = graph_run.progress
    comparison = hooks.find("compare") if compare else None
    with ThreadPoolExecutor() as threads:
        page = threads.submit(copy_context().run, graph_run.page.finish)
        compared = threads.submit(comparison, progress.root, profile, progress.outs()) if comparison else None
        graph_run.runner.show(progress.root, profile, graph_run.written())
        if compared:
            progress.compared = compared.result()
            graph_run.runner.show_comparison(profile, progress.compared)
        page.result()


@contextmanager
def stop_on_signals(stopping: threading.Event) -> Iterator[None]:
    """The first SIGINT or SIGTERM asks the stages to end and lets the run report it; the second kills everything.

    Who sends a signal to a process and to its group, as `timeout` does, sends the first one twice.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    first = math.inf

    def handler(signum: int, _) -> None:
        nonlocal first
        if not stopping.is_set():
            first = time.monotonic()
            stopping.set()
        elif not first <= time.monotonic() < first + TWICE:
            stage.kill()
            os._exit(128 + signum)

    before = {signum: signal.signal(signum, handler) for signum in (signal.SIGINT, signal.SIGTERM)}
    if not stopping.is_set():
        stage.resume()
    try:
        yield
    finally:
        for signum, old in before.items():
            signal.signal(signum, old)
