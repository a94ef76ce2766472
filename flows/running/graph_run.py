"""One run of the plan: which stages wait, run, have ended, and how the flow ends."""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from prefect import get_run_logger
from prefect.client.schemas.objects import State
from prefect.states import Cancelled, Completed, Crashed, Failed

from flows.display import views
from flows.display.live_page import LivePage
from flows.display.progress import Progress
from flows.planning import dvc_graph, schedule
from flows.planning.dvc_graph import Stage
from flows.planning.schedule import Room
from flows.planning.slots import Slots
from flows.processes import stage
from flows.processes.addresses import short
from flows.running.stage_task import run_stage
from flows.running.systems import Systems
from flows.servers import cluster
from flows.workspaces import profiles
from flows.workspaces.flow_context import flow_context

MAX_NAMED = 12  # stages that the message of a failed run names
submitted: list[str] = []  # ids of the task runs of this process


@dataclass
class GraphRun:
    """One run of the graph: which stages wait, which run, how each ended."""

    progress: Progress
    force: bool
    slots: Slots
    view: views.Stream
    stopping: threading.Event = field(default_factory=threading.Event)
    futures: dict = field(default_factory=dict)
    ended: dict[str, State] = field(default_factory=dict)
    blocked_by: dict[str, str] = field(default_factory=dict)  # the failed stage that each one depends on
    shared: bool = False  # other flows were seen to take threads of this machine
    finishing: set[str] = field(default_factory=set)  # the command has ended, DVC still records its outputs

    @property
    def plan(self) -> dict[str, Stage]:
        """The stages of the run by their addresses."""
        return self.progress.plan

    def all(self) -> None:
        """Start each stage when its inputs are there, in the order of `flows.planning.schedule`."""
        self.view.follow(self.progress)
        self.page = LivePage(self.progress, profiles.folder(), self.view.note)
        self.systems = Systems(self.plan, run_stage)
        self._listener: Callable[[str], None] | None = None
        try:
            self._note_unchanged()
            self._run_changed()
        finally:
            stage.command_listeners[:] = [
                listener for listener in stage.command_listeners if listener is not self._listener
            ]
            self.slots.close()
            self.systems.close()
            submitted.extend(self.systems.task_runs)

    def _note_unchanged(self) -> None:
        for unchanged in self.plan.values():
            if unchanged.fingerprint:
                self.ended[unchanged.address] = self.systems.states[unchanged.address]
                self.progress.end(unchanged.address, "unchanged")

    def _run_changed(self) -> None:
        paths = schedule.urgency(self.plan, self.progress.estimates)
        events: queue.SimpleQueue[tuple[str, bool]] = queue.SimpleQueue()  # address, and whether all of it has ended
        stop_sent = False
        waiting = {address: planned for address, planned in self.plan.items() if not planned.fingerprint}
        self._listener = lambda address: events.put((address, False))
        stage.command_listeners.append(self._listener)
        while waiting or not self.futures.keys() <= self.ended.keys():
            if self.stopping.is_set():
                waiting.clear()
                self.progress.stopping = True
                if not stop_sent:
                    self._stop_stages()
                    stop_sent = True
            for address, environment in self._next(waiting, paths).items():
                with cluster.placed(waiting[address], flow_context().task_runner):
                    self._start(waiting.pop(address), environment, events)
            self.view.tick()
            self.page.tick()
            try:
                address, whole = events.get(timeout=0.2)  # wakes up for signals
            except queue.Empty:
                continue
            if not whole:
                self._finish(address)
                continue
            self.finishing.discard(address)
            self.ended[address] = _final_state(address, self.futures[address])
            self.slots.give_back(self.plan[address])
            self.progress.end(address, self._how(address))
            self.systems.end(self.plan[address], self._how(address))
            self.view.ended(address)

    def _finish(self, address: str) -> None:
        """Free the room of a stage whose command has ended, while DVC records its outputs."""
        if address in self.plan and address not in self.ended and self.plan[address].is_module:
            self.finishing.add(address)
            self.slots.give_back(self.plan[address])

    def _next(self, waiting: dict[str, Stage], paths: dict[str, float]) -> dict[str, dict[str, str] | None]:
        """The stages to start now, each with its environment; None for a stage that cannot run after a failure."""
        ready = [address for address, planned in waiting.items() if self.ended.keys() >= set(planned.upstream)]
        starting: dict[str, dict[str, str] | None] = {address: None for address in ready if self._unfinished(address)}
        if len(starting) == len(ready):
            return starting
        changed = [address for address in waiting if address not in starting]
        with self.slots.look() as elsewhere:
            running = self.progress.expected()
            room = self.slots.room
            for address in schedule.starting(
                self.plan, self.progress.estimates, paths, changed, running, room, elsewhere, self.finishing
            ):
                environment = self.slots.take(self.plan[address]) if address in ready else None
                if environment is not None:
                    starting[address] = environment
        self._say_shared(elsewhere)
        return starting

    def _say_shared(self, elsewhere: Room) -> None:
        """Say once why fewer stages run than could."""
        if not self.shared and (elsewhere.threads or elsewhere.gpus):
            self.shared = True
            self.view.note(f"other runs use {elsewhere.threads} threads of this machine; this one takes the rest")

    def _how(self, address: str) -> str:
        state = self.ended[address]
        if not state.is_completed():
            return "not run" if address in self.blocked_by else "stopped" if self.stopping.is_set() else "failed"
        return "unchanged" if state.name == "Cached" else "ran"

    def _unfinished(self, address: str) -> list[str]:
        return [upstream for upstream in self.plan[address].upstream if not self.ended[upstream].is_completed()]

    def _start(self, next_stage: Stage, environment: dict[str, str] | None, events: queue.SimpleQueue) -> None:
        unfinished = self._unfinished(next_stage.address)
        if unfinished:
            self.blocked_by[next_stage.address] = self.blocked_by.get(unfinished[0], unfinished[0])
        else:
            self.progress.start(next_stage.address)
            self.view.started(next_stage.address)
        task = run_stage.with_options(
            retries=next_stage.retries, retry_delay_seconds=next_stage.retry_delay, tags=[next_stage.system]
        )
        with self.systems.of(next_stage):
            future = task.submit(  # type: ignore[call-overload]
                root=str(self.progress.root),
                address=next_stage.address,
                force=self.force,
                environment=environment or {},
                timeout=next_stage.timeout,
                blocked_by=self.blocked_by.get(next_stage.address),
                # all have ended: this only draws Prefect's graph; with a failed task in it Prefect would cancel this
                # task without our message
                wait_for=[
                    self.futures.get(address, self.ended[address])
                    for address in next_stage.upstream
                    if address not in unfinished
                ],
            )
        self.futures[next_stage.address] = future
        submitted.append(str(future.task_run_id))
        future.add_done_callback(lambda _, address=next_stage.address: events.put((address, True)))

    def written(self) -> list[str]:
        """The outputs of the stages that ran."""
        ran = (self.plan[address] for address, ending in self.progress.ended.items() if ending.how == "ran")
        return [out for planned in ran for out in planned.outs]

    def _stop_stages(self) -> None:
        running = len(self.progress.running())
        get_run_logger().warning("stopping: asked %d running stage%s to end", running, "" if running == 1 else "s")
        runner = flow_context().task_runner
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
            state.message or f"{short(address)}: {state.name}"
            for address, state in self.ended.items()
            if self.progress.ended[address].how == "failed"
        ]
        counts = f"{ran} ran, {cached} unchanged"
        if not failed:
            return Completed(message=f"everything is up to date: {counts}")
        reasons = "\n".join(_without(_PREFIXES, message) for message in failed)
        blocked = [short(address) for address in self.blocked_by]
        if len(blocked) > MAX_NAMED:
            blocked[MAX_NAMED:] = [f"and {len(blocked) - MAX_NAMED} more"]
        rest = f"\nnot run because of it: {', '.join(blocked)}" if blocked else ""
        return Failed(message=f"{len(failed)} of {len(self.plan)} stages failed ({counts})\n{reasons}{rest}")


def _final_state(address: str, future) -> State:
    future.wait()
    state = future.state
    if state.is_final():
        return state
    # the cluster could not run the task at all, so that the task never set a state
    return Crashed(message=f"{short(address)} did not run: {future.wrapped_future.exception()}")


_PREFIXES = ("Task run encountered an exception StageFailed: ", "Task run failed due to timeout: ")


def _without(prefixes: tuple[str, ...], message: str) -> str:
    for prefix in prefixes:
        message = message.removeprefix(prefix)
    return message
