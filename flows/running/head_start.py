"""Stages that start while the Prefect server of their run does; it records them once it answers."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from flows.planning.dvc_graph import Stage
from flows.planning.slots import Slots
from flows.running import whole_run
from flows.running.outcome import Outcome, Request, Runner, Verdict
from flows.running.threads import ThreadRunner
from flows.running.whole_run import Run

MOMENT = 0.2  # seconds between two looks at whether the run is to stop


@dataclass
class EarlyStage:
    """A stage that started before the server answered.

    Attributes:
        upstream: stages it depends on that are up to date.
        outcome: None while it runs.
    """

    root: Path
    stage: Stage
    upstream: tuple[str, ...]
    started: datetime
    ended: datetime | None = None
    outcome: Outcome | None = None


class Recorder(Runner, Protocol):
    """A runner that can also report a stage that another one ran."""

    def record(self, early: EarlyStage) -> None:
        """Report a stage that has ended."""


class HeadStart:
    """A run that begins in threads and goes on as a flow of Prefect; it is the runner of its `GraphRun`, too.

    Args:
        say: called with each line that a stage prints while there is no server.
    """

    def __init__(self, run: Run, slots: Slots, say: Callable[[str], None] = lambda line: None):
        self.root = run.root
        self._run, self._threads = run, ThreadRunner(say)
        self._early: dict[str, EarlyStage] = {}
        self._recorder: Recorder | None = None
        self._graph_run = whole_run.begin(run, slots, self)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """The block in which stages run: at first by `until`, then by `go_on`. An error stops them."""
        with whole_run.stop_on_signals(self._graph_run.stopping), self._graph_run.opened():
            try:
                yield
            except BaseException:
                self._graph_run.stopping.set()
                self._graph_run.advance()
                raise

    def until(self, ready: "Future[None]") -> Verdict | None:
        """Run stages until `ready` has a result; how the run ended if it was stopped before.

        Raises:
            Exception: the one of `ready`.
        """
        stopping = self._graph_run.stopping
        self._graph_run.advance(ready.done)
        while not (ready.done() or stopping.is_set()):
            wait([ready], timeout=MOMENT)
        if stopping.is_set():
            self._graph_run.advance()
            return self._graph_run.verdict()
        ready.result()
        return None

    def go_on(self, recorder: Recorder) -> Verdict:
        """Run the rest by another runner, which first reports what has ended."""
        self._recorder = recorder
        recorder.begin(self._graph_run.plan)
        try:
            for early in self._early.values():
                self._report(early, recorder)
            self._graph_run.advance()
        finally:
            recorder.close()
        return whole_run.conclude(self._graph_run, self._run)

    @staticmethod
    def _report(early: EarlyStage, recorder: Recorder) -> None:
        if early.outcome:
            recorder.record(early)
            recorder.end(early.stage, early.outcome)

    @property
    def logger(self):
        """Takes warnings about the run."""
        return (self._recorder or self._threads).logger

    def begin(self, plan: dict[str, Stage]) -> None:
        """Do nothing: the runner that comes later will take note of the plan."""

    def start(self, request: Request, ended: Callable[[Outcome], None]) -> None:
        """Start a stage, and call `ended` when it has ended."""
        if self._recorder:
            self._recorder.start(request, ended)
            return
        early = EarlyStage(request.root, request.stage, request.upstream, datetime.now(UTC))
        self._early[request.stage.address] = early
        self._threads.start(request, ended)

    def end(self, stage: Stage, outcome: Outcome) -> None:
        """Take note of the end of a stage."""
        early = self._early.get(stage.address)
        if early:
            early.ended, early.outcome = datetime.now(UTC), outcome
            if self._recorder:
                self._report(early, self._recorder)
        elif self._recorder:
            self._recorder.end(stage, outcome)

    def stop(self) -> None:
        """Ask the running stages to end, which all run on this machine."""
        self._threads.stop()

    def close(self) -> None:
        """Do nothing: `go_on` closes the runner that came later."""

    def show(self, root: Path, profile: str, written: Sequence[str]) -> None:
        """Show the tables that the project has for outputs that were written."""
        (self._recorder or self._threads).show(root, profile, written)

    def show_comparison(self, profile: str, lines: Sequence[str]) -> None:
        """Show how the run compares with an earlier one."""
        (self._recorder or self._threads).show_comparison(profile, lines)


# the run that the flow goes on with, where one has begun
begun: ContextVar[HeadStart | None] = ContextVar("begun", default=None)


def in_background(bring: Callable[[], None]) -> "Future[None]":
    """Call a function in a thread that does not keep the process alive."""
    ready: Future[None] = Future()

    def work() -> None:
        try:
            bring()
        except BaseException as error:
            ready.set_exception(error)
        else:
            ready.set_result(None)

    threading.Thread(target=work, daemon=True).start()
    return ready
