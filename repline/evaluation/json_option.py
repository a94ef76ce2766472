"""The option `--json` of commands that evaluate: a file of every number, or the standard output."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.files import output_file, write_json

STANDARD = "-"  # the standard output
HELP = "write every number to a file too; - is the standard output, and the table goes to the standard error"


def add_option(parser: argparse.ArgumentParser) -> None:
    """Give a command `--json`."""
    parser.add_argument("--json", metavar="FILE", help=HELP)


@contextmanager
def json_writer(path: str | None, inputs: Iterable[str]) -> Iterator[Callable[[Any], None]]:
    """A function that writes a value as JSON to the file of `--json`, or nowhere without one.

    With `-` it writes to the standard output, and what else the command prints goes to the standard error, so that the
    output can be piped.

    Args:
        inputs: the files that the command reads.

    Raises:
        InputError: nothing can be written there, or it is one of the inputs; before the work, whose result would be
            lost.
    """
    if path == STANDARD:
        standard = sys.stdout
        with redirect_stdout(sys.stderr):
            yield lambda value: print(json.dumps(value, indent=2, sort_keys=True, allow_nan=False), file=standard)
    elif path is None:
        yield lambda value: None
    else:
        output = output_file(path)
        if output.exists() and any(Path(file).exists() and output.samefile(file) for file in inputs):
            raise InputError(f"{path}: --json would take the place of a file that is read; name another")
        yield lambda value: write_json(path, value)
