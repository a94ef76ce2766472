"""Run something in front of a person: its view, its summary, its exit code."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from flows.display import summary, views
from flows.output import say
from flows.running.outcome import Verdict
from flows.workspaces import profiles

OURS = Path(__file__).parents[1]  # the package `flows`
Logs = Callable[[views.Stream], AbstractContextManager[None]]


class ToView(logging.Handler):
    """Hands warnings to a view; of those about Prefect's runs only the ones that this package logs."""

    def __init__(self, view: views.Stream):
        super().__init__(logging.WARNING)
        self._view = view

    def emit(self, record: logging.LogRecord) -> None:
        about_runs = record.name.startswith(("prefect.flow_runs", "prefect.task_runs"))
        if not about_runs or Path(record.pathname).is_relative_to(OURS):
            self._view.note(f"{record.levelname.lower()}: {record.getMessage()}")


@contextmanager
def logs_to(view: views.Stream) -> Iterator[None]:
    """Send the warnings of this process to the view."""
    root, handler = logging.getLogger(), ToView(view)
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)


def no_logs(view: views.Stream) -> AbstractContextManager[None]:
    """Leave the warnings of this process where they go."""
    return nullcontext()


def show(run: Callable[[], Verdict], profile: str, verbose: bool = False, logs: Logs = logs_to) -> int:
    """Run something and show how it goes and how it ended; the exit code.

    Args:
        run: runs it to its end.
        profile: the profile that is run.
        verbose: print every line of every stage instead of the view.
        logs: sends the log to the view.
    """
    view = views.choose(verbose)
    views.current.set(view)
    try:
        with view, logs(view):
            verdict = run()
    except BaseException:
        _end(view, "interrupted" if isinstance(sys.exception(), KeyboardInterrupt) else "broken off", sys.stderr)
        raise
    _end(view, verdict.message, sys.stderr if verdict.exit_code else sys.stdout)
    if verdict.exit_code == 0 and view.progress:
        profiles.say_where(view.progress.root, profile)
    return verdict.exit_code


def _end(view: views.Stream, message: str, stream) -> None:
    lines = summary.lines(view.progress, message) if view.progress else [message]
    say("\n".join(lines), stream)
