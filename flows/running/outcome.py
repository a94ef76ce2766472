"""How a stage ended, how a run ended, and who runs stages."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from flows.planning.dvc_graph import Stage
from flows.processes.stage_options import StageOptions

How = Literal["ran", "unchanged", "failed", "stopped", "not run"]


@dataclass(frozen=True)
class Outcome:
    """How a stage ended, with a message."""

    how: How
    message: str = ""

    @property
    def is_up_to_date(self) -> bool:
        """Whether what depends on the stage can run."""
        return self.how in ("ran", "unchanged")


@dataclass(frozen=True)
class Verdict:
    """How a run ended."""

    how: Literal["completed", "failed", "stopped"]
    message: str

    @property
    def exit_code(self) -> int:
        """The code that the command line ends with."""
        return {"completed": 0, "failed": 1, "stopped": 130}[self.how]


@dataclass(frozen=True)
class Request:
    """A request to run one stage.

    Attributes:
        root: the project's folder.
        stage: the stage.
        options: those of `dvc repro` for it.
        environment: variables on top of those of the run.
        blocked_by: the failed stage that it depends on; such a stage does not run.
        upstream: stages it depends on that are up to date.
        ask: asks the person at the terminal a question, for `--interactive`.
    """

    root: Path
    stage: Stage
    options: StageOptions
    environment: dict[str, str]
    blocked_by: str | None
    upstream: tuple[str, ...]
    ask: Callable[[str], bool]


class Runner(Protocol):
    """Runs stages and keeps the record of it: in threads of this process, or as tasks of Prefect."""

    @property
    def logger(self) -> logging.Logger | logging.LoggerAdapter:
        """Takes warnings about the run."""

    def begin(self, plan: dict[str, Stage]) -> None:
        """Take note of the plan and of its unchanged stages."""

    def start(self, request: Request, ended: Callable[[Outcome], None]) -> None:
        """Start a stage, and call `ended` from any thread when it has ended."""

    def end(self, stage: Stage, outcome: Outcome) -> None:
        """Take note of the end of a stage that was started."""

    def stop(self) -> None:
        """Ask the running stages to end."""

    def close(self) -> None:
        """Take note of the end of the run."""

    def show(self, root: Path, profile: str, written: Sequence[str]) -> None:
        """Show the tables that the project has for outputs that were written."""

    def show_comparison(self, profile: str, lines: Sequence[str]) -> None:
        """Show how the run compares with an earlier one."""
