"""One run of the plan: which stages wait, run, have ended, and how the run ends."""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from flows.display import views
from flows.display.live_page import LivePage
from flows.display.progress import Progress
from flows.inside_dvc.ignored_outputs import IgnoredOutputs
from flows.planning import dead_locks, schedule
from flows.planning.dvc_graph import Stage
from flows.planning.schedule import Room
from flows.planning.selection import Selection
from flows.planning.slots import Slots
from flows.processes import stage
from flows.project.addresses import short
from flows.running.outcome import Outcome, Request, Runner, Verdict
from flows.workspaces import profiles

MAX_NAMED = 12  # stages that the message of a failed run names


@dataclass
class GraphRun:
    """One run of the graph: which stages wait, which run, how each ended."""

    progress: Progress
    selection: Selection
    slots: Slots
    view: views.Stream
    runner: Runner
    stopping: threading.Event = field(default_factory=threading.Event)
    ended: dict[str, Outcome] = field(default_factory=dict)
    blocked_by: dict[str, str] = field(default_factory=dict)  # the failed stage that each one depends on
    shared: bool = False  # other flows were seen to take threads of this machine
    finishing: set[str] = field(default_factory=set)  # the command has ended, DVC still records its outputs
    _running: set[str] = field(default_factory=set)
    _waiting: dict[str, Stage] = field(default_factory=dict)
    # address, and how it ended, or None when only its command has; no SimpleQueue, whose `get` waits without an end
    # when a signal comes as its time is over
    _events: "queue.Queue[tuple[str, Outcome | None]]" = field(default_factory=queue.Queue)
    _stop_sent: bool = False
    _asking: threading.Lock = field(default_factory=threading.Lock)

    @property
    def plan(self) -> dict[str, Stage]:
        """The stages of the run by their addresses."""
        return self.progress.plan

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Show the run and take note of its unchanged stages; inside the block, `advance` runs the others."""
        self.view.follow(self.progress)
        self.page = LivePage(self.progress, profiles.folder(), self.view.note)
        self.runner.begin(self.plan)
        ignored = IgnoredOutputs(self.progress.root, self.progress.outs())
        stage.command_listeners.append(self._command_ended)
        try:
            for planned in self.plan.values():
                if planned.fingerprint:
                    self.ended[planned.address] = Outcome("unchanged")
                    self.progress.end(planned.address, "unchanged")
                else:
                    self._waiting[planned.address] = planned
            for planned in self.plan.values():
                for warning in planned.warnings:  # said before hours of work
                    self.runner.logger.warning(warning)
            self._urgency = schedule.urgency(self.plan, self.progress.estimates)
            yield
        finally:
            stage.command_listeners.remove(self._command_ended)
            self.slots.close()
            self.runner.close()
            ignored.put_in_order()

    def advance(self, until: Callable[[], bool] = lambda: False) -> None:
        """Start each stage when its inputs are there, in the order of `flows.planning.schedule`.

        Args:
            until: return when this is true, though stages wait or run; another call goes on from there.
        """
        while (self._waiting or self._running) and not until():
            if self.stopping.is_set():
                self._waiting.clear()
                self.progress.stopping = True
                if not self._stop_sent:
                    self._stop_stages()
                    self._stop_sent = True
            for address, environment in self._next().items():
                self._start(self._waiting.pop(address), environment)
            self.view.tick()
            self.page.tick()
            try:
                address, outcome = self._events.get(timeout=0.2)  # wakes up for signals
            except queue.Empty:
                continue
            if outcome is None:
                self._finish(address)
            else:
                self._end(address, outcome)

    def _command_ended(self, address: str) -> None:
        self._events.put((address, None))

    def _end(self, address: str, outcome: Outcome) -> None:
        if outcome.how == "failed" and self.stopping.is_set():
            outcome = Outcome("stopped", outcome.message)
        self.finishing.discard(address)
        self._running.discard(address)
        self.ended[address] = outcome
        self.slots.give_back(self.plan[address])
        self.progress.end(address, outcome.how)
        self.runner.end(self.plan[address], outcome)
        self.view.ended(address)

    def _finish(self, address: str) -> None:
        """Free the room of a stage whose command has ended, while DVC records its outputs."""
        if address in self.plan and address not in self.ended and self.plan[address].is_module:
            self.finishing.add(address)
            self.slots.give_back(self.plan[address])

    def _next(self) -> dict[str, dict[str, str] | None]:
        """The stages to start now, each with its environment; None for a stage that cannot run after a failure."""
        ready = [address for address, planned in self._waiting.items() if self.ended.keys() >= set(planned.upstream)]
        starting: dict[str, dict[str, str] | None] = {address: None for address in ready if self._unfinished(address)}
        if len(starting) == len(ready):
            return starting
        changed = [address for address in self._waiting if address not in starting]
        with self.slots.look() as elsewhere:
            running = self.progress.expected()
            room = self.slots.room
            for address in schedule.starting(
                self.plan, self.progress.estimates, self._urgency, changed, running, room, elsewhere, self.finishing
            ):
                environment = self.slots.take(self.plan[address]) if address in ready else None
                if environment is not None:
                    starting[address] = environment
        self._say_shared(elsewhere, waits=not starting and not self._running)
        return starting

    def _say_shared(self, elsewhere: Room, waits: bool) -> None:
        """Say once why fewer stages run than could, or none."""
        if not self.shared and (elsewhere.threads or elsewhere.gpus):
            self.shared = True
            rest = "waits until they give some back" if waits else "takes the rest"
            self.view.note(f"other runs use {elsewhere.threads} threads of this machine; this one {rest}")

    def _ask(self, question: str) -> bool:
        """Ask the person at the terminal; no, once the run stops. Other stages' questions wait."""
        with self._asking:
            return self.view.confirm(question, self.stopping)

    def _unfinished(self, address: str) -> list[str]:
        """The stages above that keep one from running."""
        if self.selection.ignore_errors:
            return []
        return [upstream for upstream in self.plan[address].upstream if not self.ended[upstream].is_up_to_date]

    def _start(self, next_stage: Stage, environment: dict[str, str] | None) -> None:
        address = next_stage.address
        unfinished = self._unfinished(address)
        if unfinished:
            self.blocked_by[address] = self.blocked_by.get(unfinished[0], unfinished[0])
        else:
            self.progress.start(address)
            self.view.started(address)
        self._running.add(address)
        request = Request(
            root=self.progress.root,
            stage=next_stage,
            options=self.selection.of_stage(force=self._is_forced(next_stage)),
            environment=environment or {},
            blocked_by=self.blocked_by.get(address),
            upstream=tuple(above for above in next_stage.upstream if self.ended[above].is_up_to_date),
            ask=self._ask,
        )
        self.runner.start(request, lambda outcome: self._events.put((address, outcome)))

    def _is_forced(self, next_stage: Stage) -> bool:
        if self.selection.force_downstream:
            return self.selection.force or any(self.ended[above].how == "ran" for above in next_stage.upstream)
        return self.selection.force

    def written(self) -> list[str]:
        """The outputs of the stages that ran."""
        ran = (self.plan[address] for address, ending in self.progress.ended.items() if ending.how == "ran")
        return [out for planned in ran for out in planned.outs]

    def _stop_stages(self) -> None:
        running = len(self.progress.running())
        self.runner.logger.warning("stopping: asked %d running stage%s to end", running, "" if running == 1 else "s")
        self.runner.stop()

    def verdict(self) -> Verdict:
        """How the run ended, with every failed stage and its last lines in the message."""
        cached, ran = self.progress.count("unchanged"), self.progress.count("ran")
        if self.stopping.is_set():
            dead_locks.drop_dead_locks(self.progress.root)
            rest = len(self.plan) - ran - cached
            return Verdict("stopped", f"stopped: {ran} ran, {cached} unchanged, {rest} not finished")
        failed = [
            "\n".join(filter(None, (outcome.message, self.plan[address].missing)))
            for address, outcome in self.ended.items()
            if outcome.how == "failed"
        ]
        counts = f"{ran} ran, {cached} unchanged"
        if not failed:
            return Verdict("completed", f"everything is up to date: {counts}")
        reasons = "\n".join(failed)
        blocked = [short(address) for address in self.blocked_by]
        if len(blocked) > MAX_NAMED:
            blocked[MAX_NAMED:] = [f"and {len(blocked) - MAX_NAMED} more"]
        not_run = f"\nnot run because of it: {', '.join(blocked)}" if blocked else ""
        how: Literal["completed", "failed"] = "completed" if self.selection.ignore_errors else "failed"
        ignored = ", and their errors are ignored" if self.selection.ignore_errors else ""
        return Verdict(how, f"{len(failed)} of {len(self.plan)} stages failed{ignored} ({counts})\n{reasons}{not_run}")
