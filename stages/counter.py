"""Progress of a long corpus stage: a bar on a terminal, a plain line from time to time in a log."""

import sys
import time
from collections.abc import Callable

from tqdm import tqdm

SECONDS_BETWEEN_LINES = 20.0  # seconds between two lines of a log


def counter(what: str, of: str) -> Callable[[int, int], None]:
    """A function to call with two running totals, shown as "12,000 `what`, 3,400,000 `of`"."""
    bar = tqdm(unit=f" {what}", disable=None, leave=False)
    shown = time.monotonic()

    def show(count: int, total: int) -> None:
        nonlocal shown
        if not bar.disable:
            bar.update(count - bar.n)
        elif time.monotonic() - shown >= SECONDS_BETWEEN_LINES:
            shown = time.monotonic()
            print(f"{count:,} {what}, {total:,} {of}", file=sys.stderr, flush=True)

    return show
