"""The options by which a command compares candidates, and what it writes of them."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from repline.errors import InputError
from repline.evaluation.leaderboards import leaderboard_table
from repline.evaluation.leaderboards.leaderboard import leaderboard
from repline.evaluation.leaderboards.shared_items import SharedItems


def add_options(parser: argparse.ArgumentParser, candidates: str) -> None:
    """Give a command `--compare` and `--figure`.

    Args:
        candidates: what is compared, in words.
    """
    parser.add_argument(
        "--compare",
        nargs="+",
        metavar="CANDIDATE",
        help=f"{candidates}: who is above whom on the items that all can answer, with intervals, verdicts and ranks",
    )
    parser.add_argument("--figure", metavar="FILE", help="write the differences of --compare as a chart (.html)")


def candidates_of(options: argparse.Namespace, named_elsewhere: Sequence[str] = ()) -> dict[str, str]:
    """The candidates by a short name: `named_elsewhere`, then those of `--compare`; none without this option.

    Args:
        named_elsewhere: candidates that other arguments of the command name.

    Raises:
        InputError: `--figure` without `--compare`, of another format than HTML or the file of `--json`, or fewer than
            two candidates.
    """
    if options.compare is None:
        if options.figure:
            raise InputError("--figure is the chart of --compare; name candidates, as in --compare A B")
        return {}
    if options.figure:  # before the work, whose result would be lost
        page = _chart().page_file(options.figure)
        if options.json is not None and page.resolve() == Path(options.json).resolve():
            raise InputError(f"{options.figure}: --json and --figure name the same file; name two")
    candidates = list(dict.fromkeys([*named_elsewhere, *options.compare]))
    if len(candidates) < 2:
        raise InputError(f"--compare: expected two candidates or more, found {', '.join(candidates)}")
    return dict(zip(short_names(candidates), candidates, strict=True))


def _chart() -> ModuleType:
    """The module that writes charts: it loads plotly, where a chart is asked for."""
    from repline.evaluation.leaderboards import leaderboard_chart

    return leaderboard_chart


def short_names(paths: Sequence[str]) -> list[str]:
    """The paths without the folders that all of them begin with.

    >>> short_names(["data/models/a/seed-0", "data/models/b/seed-0"])
    ['a/seed-0', 'b/seed-0']
    """
    parts = [path.split("/") for path in paths]
    shared = 0
    while all(len(part) > shared + 1 for part in parts) and len({part[shared] for part in parts}) == 1:
        shared += 1
    return ["/".join(part[shared:]) for part in parts]


def deliver(tests: Sequence[SharedItems], options: argparse.Namespace, write: Callable[[Any], None]) -> None:
    """Print the leaderboard of some tests, and write it to the file of `--figure` and by `write`, as of `--json`."""
    board = leaderboard(tests)
    write(board)
    if options.figure:
        _chart().write_chart(board, options.figure)
    print(leaderboard_table.as_text(board))
