"""Run a flow of Prefect in front of a person, with Prefect's own lines out of the way."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prefect.logging.handlers import PrefectConsoleHandler

from flows.display import views
from flows.running import console
from flows.running.outcome import Verdict


def show(run: Callable[[], Verdict], profile: str, verbose: bool = False) -> int:
    """Run it as `console.show` does; with `verbose` Prefect prints the lines of the stages."""
    return console.show(run, profile, verbose, console.no_logs if verbose else _prefect_logs_to)


@contextmanager
def _prefect_logs_to(view: views.Stream) -> Iterator[None]:
    """Send Prefect's log to the view instead of the console; its API gets it as before."""
    with console_kept_free(), console.logs_to(view):
        yield


@contextmanager
def console_kept_free() -> Iterator[None]:
    """Keep Prefect's log off the console."""
    root = logging.getLogger()
    consoles = [handler for handler in root.handlers if isinstance(handler, PrefectConsoleHandler)]
    for handler in consoles:
        root.removeHandler(handler)
    try:
        yield
    finally:
        for handler in consoles:
            root.addHandler(handler)
