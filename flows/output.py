"""Lines for people who may have stopped reading: a run goes on without them."""

import os
import sys
from typing import TextIO


def say(text: str, stream: TextIO) -> None:
    """Print a line; nothing once nobody reads the stream (`| head`), or the disk that it goes to is full."""
    try:
        print(text, file=stream, flush=True)
    except OSError:
        say_no_more(stream)


def say_no_more(stream: TextIO) -> None:
    """Drop what else is printed to a stream, also by other libraries."""
    null_device = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null_device, stream.fileno())
    os.close(null_device)


def open_closed_streams() -> None:
    """Open the null device where a standard stream is closed, as in some services: no other file may get its number."""
    for descriptor, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            null_device = os.open(os.devnull, os.O_RDWR)
            if null_device != descriptor:
                os.dup2(null_device, descriptor)
                os.close(null_device)
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, mode))
