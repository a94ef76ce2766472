"""What a person sees of a run: a live view on a terminal, a few lines in a log, or all that the stages print."""

import os
import sys
import termios
import threading
import time
from contextvars import ContextVar
from types import TracebackType

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from flows.display import questions
from flows.display.progress import Progress, clock
from flows.output import say
from flows.project.addresses import short

MINUTE = 60.0  # seconds between two lines on how far a run is
NAME = 0.4  # of the terminal's width is for the names of the stages, at most


class Stream:
    """A view that shows nothing itself: Prefect prints every line of every stage."""

    progress: Progress | None = None

    def follow(self, progress: Progress) -> None:
        """Show this run from now on."""
        self.progress = progress

    @property
    def followed(self) -> Progress:
        """The run that is shown; ValueError before there is one."""
        if self.progress is None:
            raise ValueError("no run is followed yet")
        return self.progress

    def started(self, address: str) -> None:
        """A stage has started."""

    def ended(self, address: str) -> None:
        """A stage has ended; `progress` says how."""

    def tick(self) -> None:
        """Redraw; called several times a second."""

    def note(self, text: str) -> None:
        """Print a warning."""
        say(text, sys.stderr)

    def confirm(self, question: str, stopping: threading.Event) -> bool:
        """Ask the person at the terminal; no where there is none, or once the run stops."""
        return questions.confirm(question, stopping)

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass


class Lines(Stream):
    """A line when a stage starts or ends, and one a minute."""

    def follow(self, progress: Progress) -> None:
        super().follow(progress)
        self._next = time.monotonic() + MINUTE
        unchanged = sum(bool(stage.fingerprint) for stage in progress.plan.values())
        self._say(f"{len(progress.plan)} stages, {unchanged} of them unchanged, {progress.left_in_words()}")

    def started(self, address: str) -> None:
        self._say(f"started {address}")

    def ended(self, address: str) -> None:
        ending = self.followed.ended[address]
        if address in self.followed.started:
            self._say(f"{ending.how} {address} ({clock(ending.seconds)})")

    def tick(self) -> None:
        late = time.monotonic() - self._next
        if late >= 0:
            self._next += MINUTE * (late // MINUTE + 1)  # one line after the machine has slept, not one for each minute
            running = [f"{short(name)} {clock(seconds)}" for name, seconds in self.followed.running().items()]
            self._say(f"{self.followed.counts()}; {self.followed.times()}" + "".join(f"; {stage}" for stage in running))

    def _say(self, text: str) -> None:
        say(f"{time.strftime('%H:%M:%S')} {text}", sys.stdout)


class Screen(Stream):
    """One live view: the counts, and each running stage with its time and the line it printed last."""

    def __init__(self, console: Console | None = None):
        self._began = time.monotonic()
        self._live = Live(
            self, console=console or Console(highlight=False), refresh_per_second=4, transient=True, screen=False
        )

    def ended(self, address: str) -> None:
        ending = self.followed.ended[address]
        if ending.how == "failed":
            self.note(f"failed after {clock(ending.seconds)}: {address}")

    def note(self, text: str) -> None:
        self._live.console.print(Text(text))

    def confirm(self, question: str, stopping: threading.Event) -> bool:
        self._live.stop()
        try:
            return super().confirm(question, stopping)
        finally:
            self._live.start()

    def __enter__(self) -> "Screen":
        self._quiet = _without_echo()
        self._live.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._live.stop()
        _restore(self._quiet)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        progress = self.progress
        if progress is None:
            yield Text(f"starting Prefect, {clock(time.monotonic() - self._began)}")
            return
        elapsed, left = progress.elapsed(), progress.left()
        table = Table.grid(padding=(0, 2), expand=True)
        table.add_column(no_wrap=True, overflow="ellipsis", max_width=int(options.max_width * NAME))
        table.add_column(no_wrap=True, justify="right")
        table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        for address, seconds in progress.running().items():
            table.add_row(Text(short(address)), Text(clock(seconds)), Text(progress.last_line(address), style="dim"))
        bar = ProgressBar(total=max(elapsed + left, 0.001), completed=elapsed, width=min(options.max_width, 60))
        yield Group(Text(progress.counts()), Text(progress.times()), Padding(bar), table)


def _without_echo() -> list | None:
    """Keep the terminal from writing ^C into the live view; returns its earlier settings."""
    if not sys.stdin.isatty() or os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp():
        return None  # not ours to set, as in a job in the background
    before = termios.tcgetattr(sys.stdin)
    quiet = list(before)
    quiet[3] &= ~termios.ECHOCTL
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, quiet)
    return before


def _restore(before: list | None) -> None:
    if before:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


current: ContextVar[Stream | None] = ContextVar("current", default=None)


def choose(verbose: bool) -> Stream:
    """The view that suits where the output goes: a terminal or a file."""
    if verbose:
        return Stream()
    return Screen() if sys.stdout.isatty() and os.environ.get("TERM") != "dumb" else Lines()
