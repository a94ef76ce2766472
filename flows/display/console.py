"""Run a flow in front of a person: its view, its summary, its exit code; Prefect's own lines stay out of the way."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from prefect.client.schemas.objects import State
from prefect.logging.handlers import PrefectConsoleHandler

from flows.display import summary, views
from flows.workspaces import profiles

OURS = Path(__file__).parents[1]  # the package `flows`


def show(run: Callable[[], State], profile: str, verbose: bool = False) -> int:
    """Run a flow and show how it goes and how it ended; the exit code.

    Args:
        run: runs it to its end.
        profile: the profile that the flow runs.
        verbose: print every line of every stage instead of the view.
    """
    view = views.choose(verbose)
    views.current.set(view)
    try:
        with view:
            if verbose:
                state = run()
            else:
                with _prefect_logs_to(view):
                    state = run()
    except BaseException:
        _end(view, "interrupted" if isinstance(sys.exception(), KeyboardInterrupt) else "broken off", sys.stderr)
        raise
    _end(view, state.message or str(state.name), sys.stdout if state.is_completed() else sys.stderr)
    if not state.is_completed():
        return 130 if state.is_cancelled() else 1
    if view.progress:
        profiles.say_where(view.progress.root, profile)
    return 0


def _end(view: views.Stream, message: str, stream) -> None:
    lines = summary.lines(view.progress, message) if view.progress else [message]
    print("\n".join(lines), file=stream, flush=True)


class _ToView(logging.Handler):
    """Hands warnings to the view; of those about Prefect's runs only the ones that this package logs."""

    def __init__(self, view: views.Stream):
        super().__init__(logging.WARNING)
        self._view = view

    def emit(self, record: logging.LogRecord) -> None:
        about_runs = record.name.startswith(("prefect.flow_runs", "prefect.task_runs"))
        if not about_runs or Path(record.pathname).is_relative_to(OURS):
            self._view.note(f"{record.levelname.lower()}: {record.getMessage()}")


@contextmanager
def _prefect_logs_to(view: views.Stream) -> Iterator[None]:
    """Send Prefect's log to the view instead of the console; its API gets it as before."""
    root = logging.getLogger()
    consoles = [handler for handler in root.handlers if isinstance(handler, PrefectConsoleHandler)]
    ours = _ToView(view)
    for handler in consoles:
        root.removeHandler(handler)
    root.addHandler(ours)
    try:
        yield
    finally:
        root.removeHandler(ours)
        for handler in consoles:
            root.addHandler(handler)
