"""Stages in threads of this process: each waits for the process of one stage, without a server or another library."""

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from flows.planning.dvc_graph import Stage
from flows.processes import stage as processes
from flows.project.addresses import short
from flows.running.outcome import Outcome, Request


class ThreadRunner:
    """Runs stages in threads.

    Args:
        say: called with each line that a stage prints, under the stage's name.
    """

    def __init__(self, say: Callable[[str], None] = lambda line: None):
        self.logger = logging.getLogger("flows")
        self._say = say

    def begin(self, plan: dict[str, Stage]) -> None:
        """Do nothing: the view shows the plan."""

    def start(self, request: Request, ended: Callable[[Outcome], None]) -> None:
        """Start a stage, and call `ended` when it has ended."""
        if request.blocked_by:
            ended(Outcome("not run", f"not run, because {short(request.blocked_by)} did not finish"))
            return
        name = request.stage.address
        threading.Thread(target=lambda: ended(self._tries(request)), name=name, daemon=True).start()

    def _tries(self, request: Request) -> Outcome:
        """Run a stage as often as it may be tried."""
        name = short(request.stage.address)
        for tries_left in range(request.stage.retries, -1, -1):
            try:
                how = processes.run(
                    str(request.root),
                    request.stage.address,
                    options=request.options,
                    environment=request.environment,
                    ask=request.ask,
                    log=lambda line: self._say(f"{name} | {line}"),
                    again=tries_left < request.stage.retries,
                    timeout=request.stage.timeout,
                )
                return Outcome("ran" if how == "ran" else "unchanged")
            except processes.StageFailed as error:
                if processes.is_stopping():
                    return Outcome("stopped", str(error))
                if error.explained or not tries_left:
                    return Outcome("failed", str(error))
                self.logger.warning("%s: another try in %g s", name, request.stage.retry_delay)
            except Exception as error:
                return Outcome("failed", f"{name}: {type(error).__name__}: {error}")
            if processes.wait_unless_stopping(request.stage.retry_delay):
                return Outcome("stopped", f"{name}: stopped")
        raise AssertionError("the last try returns")

    def end(self, stage: Stage, outcome: Outcome) -> None:
        """Do nothing: the view shows it."""

    def stop(self) -> None:
        """Ask the running stages to end."""
        processes.stop()

    def close(self) -> None:
        """Do nothing: there is no record but the logs."""

    def show(self, root: Path, profile: str, written: Sequence[str]) -> None:
        """Do nothing: tables are for Prefect."""

    def show_comparison(self, profile: str, lines: Sequence[str]) -> None:
        """Do nothing: the summary has the lines."""
