"""The option `--json` of commands that evaluate: a file of every number, or the standard output."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

from repline.files import output_file, write_json

STANDARD = "-"  # the standard output
HELP = "write every number to a file too; - is the standard output, and the table goes to the standard error"


def add_option(parser: argparse.ArgumentParser) -> None:
    """Give a command `--json`."""
    parser.add_argument("--json", metavar="FILE", help=HELP)


@contextmanager
def json_writer(path: str | None) -> Iterator[Callable[[Any], None]]:
    """A function that writes a value as JSON to the file of `--json`, or nowhere without one.

    With `-` it writes to the standard output, and what else the command prints goes to the standard error, so that the
    output can be piped.

    Raises:
        InputError: nothing can be written there; before the work, whose result would be lost.
    """
    if path == STANDARD:
        output = sys.stdout
        with redirect_stdout(sys.stderr):
            yield lambda value: print(json.dumps(value, indent=2, sort_keys=True, allow_nan=False), file=output)
    elif path is None:
        yield lambda value: None
    else:
        output_file(path)
        yield lambda value: write_json(path, value)
