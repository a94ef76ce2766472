"""The flow `reproduce`: every ready stage of the DVC graph at the same time, as a Prefect task."""

import logging
import os
import queue
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from prefect import flow, get_run_logger, task
from prefect.client.schemas.objects import State
from prefect.context import FlowRunContext, TaskRunContext
from prefect.states import Cancelled, Completed, Crashed, Failed

from flows import against_reference, artifacts, dvc_graph, estimates, profiles, schedule, stage, views
from flows.dvc_graph import Stage
from flows.live_page import LivePage
from flows.progress import Progress
from flows.slots import Slots, cores

submitted: list[str] = []  # ids of the task runs of this process


class _NoTraceback(logging.Filter):
    """A failed stage has said on its own output what went wrong; our frames around it say nothing more."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and (record.exc_info[0] is None or issubclass(record.exc_info[0], stage.StageFailed)):
            record.exc_info = None
        return True


for _name in ("prefect.task_runs", "prefect.flow_runs"):
    logging.getLogger(_name).addFilter(_NoTraceback())


def _fingerprint(_, parameters: dict) -> str | None:
    return parameters["fingerprint"]


def _is_worth_a_retry(_, __, state: State) -> bool:
    return not getattr(state.data, "explained", False)


@task(
    task_run_name="{address}",
    persist_result=True,
    cache_key_fn=_fingerprint,
    retry_condition_fn=_is_worth_a_retry,
)
def run_stage(
    root: str,
    address: str,
    fingerprint: str | None,
    force: bool,
    environment: dict[str, str],
    blocked_by: str | None = None,
) -> str | State:
    """One stage. Unchanged ones have a fingerprint, and are Cached whether or not Prefect has seen them before."""
    if blocked_by:
        return Cancelled(name="Skipped", message=f"not run, because {blocked_by} did not finish")
    if fingerprint:
        return Completed(name="Cached", message="DVC: unchanged", data=address)
    logger = get_run_logger()
    again = TaskRunContext.get().task_run.run_count > 1
    outcome = stage.run(root, address, force=force, environment=environment, log=logger.info, again=again)
    if outcome == "unchanged":
        return Completed(name="Cached", message="DVC: unchanged", data=address)
    return address


@flow(name="reproduce")
def reproduce(
    targets: list[str] | None = None, profile: str = profiles.DEFAULT, jobs: int | None = None, force: bool = False
) -> State:
    """Bring the DVC graph up to date, as `dvc repro` does, with every ready stage running at the same time.

    Args:
        targets: stage names, dvc.yaml files or outputs; none: everything.
        profile: overrides of params.yaml, run in a workspace of its own.
        jobs: stages at the same time (default: the number of processor cores).
        force: run the targets and what they need even if nothing changed.
    """
    if dvc_graph.given.get():
        root, plan = dvc_graph.given.get()
    else:
        root = profiles.enter(profile)
        plan = dvc_graph.read(root, targets or (), force)
    slots = _slots(jobs)
    progress = Progress(root, plan, estimates.read(root, profile, plan), slots.room)
    run = _Run(progress, force, slots, views.current.get() or views.Stream())
    with _stop_on_signals(run.stopping):
        run.all()
    run.page.finish()
    if progress.count("ran"):
        progress.compared = against_reference.compare(root, profile)
    artifacts.publish(root, profile, progress.compared)
    return run.verdict()


def _slots(jobs: int | None) -> Slots:
    runner = FlowRunContext.get().task_runner
    if hasattr(runner, "client"):  # Dask: the room is the cluster's, its workers' resources hold the GPUs
        threads = max(sum(runner.client.nthreads().values()), 1)
        return Slots(jobs or threads, threads, gpus=[])
    return Slots(jobs or cores(), max(jobs or 0, cores()))


@dataclass
class _Run:
    """The state of one run of the graph: who waits, who runs, how each ended."""

    progress: Progress
    force: bool
    slots: Slots
    view: views.Stream
    stopping: threading.Event = field(default_factory=threading.Event)
    futures: dict = field(default_factory=dict)
    ended: dict[str, State] = field(default_factory=dict)
    blocked_by: dict[str, str] = field(default_factory=dict)  # the failed stage, however far above

    @property
    def plan(self) -> dict[str, Stage]:
        return self.progress.plan

    def all(self) -> None:
        """Start each stage when its inputs are there, in the order of `flows.schedule`."""
        self.view.follow(self.progress)
        self.page = LivePage(self.progress, profiles.folder(), self.view.note)
        ways = schedule.urgency(self.plan, self.progress.estimates)
        done: queue.SimpleQueue[str] = queue.SimpleQueue()
        stop_sent = False
        waiting = dict(self.plan)
        while waiting or len(self.ended) < len(self.futures):
            if self.stopping.is_set():
                waiting.clear()
                self.progress.stopping = True
                if not stop_sent:
                    self._stop_stages()
                    stop_sent = True
            for address in self._next(waiting, ways):
                self._start(waiting.pop(address), done)
            self.view.tick()
            self.page.tick()
            try:
                address = done.get(timeout=0.2)  # wakes up for signals
            except queue.Empty:
                continue
            self.ended[address] = _final_state(address, self.futures[address])
            self.slots.give_back(self.plan[address])
            self.progress.end(address, self._how(address))
            self.view.ended(address)

    def _next(self, waiting: dict[str, Stage], ways: dict[str, float]) -> list[str]:
        """The stages to start now; unchanged ones, and those that a failure keeps from running, need no room."""
        ready = {one.address for one in waiting.values() if all(address in self.ended for address in one.upstream)}
        free = [one for one in waiting if one in ready and (self.plan[one].fingerprint or self._unfinished(one))]
        changed = [one.address for one in waiting.values() if one.address not in free and not one.fingerprint]
        expected = self.progress.expected()
        chosen = schedule.starting(self.plan, self.progress.estimates, ways, changed, expected, self.slots.room)
        return free + [address for address in chosen if address in ready]

    def _how(self, address: str) -> str:
        state = self.ended[address]
        if not state.is_completed():
            return "not run" if address in self.blocked_by else "stopped" if self.stopping.is_set() else "failed"
        return "unchanged" if state.name == "Cached" else "ran"

    def _unfinished(self, address: str) -> list[str]:
        return [upstream for upstream in self.plan[address].upstream if not self.ended[upstream].is_completed()]

    def _start(self, one: Stage, done: queue.SimpleQueue) -> None:
        unfinished = self._unfinished(one.address)
        environment: dict[str, str] | None = {}
        if unfinished:
            self.blocked_by[one.address] = self.blocked_by.get(unfinished[0], unfinished[0])
        elif not one.fingerprint:
            environment = self.slots.take(one)
            self.progress.start(one.address)
            self.view.started(one.address)
        future = run_stage.with_options(retries=one.retries).submit(
            root=str(self.progress.root),
            address=one.address,
            fingerprint=None if unfinished else one.fingerprint,
            force=self.force,
            environment=environment,
            blocked_by=self.blocked_by.get(one.address),
            # they have ended, it is for Prefect's picture; with a failed one it would not let us say why we do not run
            wait_for=[self.futures[address] for address in one.upstream if address not in unfinished],
        )
        self.futures[one.address] = future
        submitted.append(str(future.task_run_id))
        future.add_done_callback(lambda _, address=one.address: done.put(address))

    def _stop_stages(self) -> None:
        get_run_logger().warning("stopping: %d stages are asked to end", len(self.futures) - len(self.ended))
        runner = FlowRunContext.get().task_runner
        if hasattr(runner, "client"):
            runner.client.run(stage.stop)
        else:
            stage.stop()

    def verdict(self) -> State:
        """The flow's final state, with every failed stage and its last lines in the message."""
        cached, ran = self.progress.count("unchanged"), self.progress.count("ran")
        if self.stopping.is_set():
            dvc_graph.drop_dead_locks(self.progress.root)
            return Cancelled(
                message=f"stopped: {ran} ran, {cached} unchanged, {len(self.plan) - ran - cached} not finished"
            )
        failed = [
            state.message or f"{address}: {state.name}"
            for address, state in self.ended.items()
            if self.progress.ended[address].how == "failed"
        ]
        counts = f"{ran} ran, {cached} unchanged"
        if not failed:
            return Completed(message=f"everything is up to date: {counts}")
        reasons = "\n".join(message.removeprefix(_PREFIX) for message in failed)
        rest = f"\nnot run because of it: {', '.join(self.blocked_by)}" if self.blocked_by else ""
        return Failed(message=f"{len(failed)} of {len(self.plan)} stages failed ({counts})\n{reasons}{rest}")


def _final_state(address: str, future) -> State:
    future.wait()
    state = future.state
    if state.is_final():
        return state
    # the cluster could not run the task at all, so that it never had a say
    return Crashed(message=f"{address} did not run: {future.wrapped_future.exception()}")


_PREFIX = "Task run encountered an exception StageFailed: "


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
