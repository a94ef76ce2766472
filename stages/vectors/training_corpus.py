"""Which corpus vectors are trained on."""

from pathlib import Path

from repline.errors import InputError
from repline.parameters import read, section


def corpus() -> Path:
    """The folder or file that params.yaml:vectors.corpus names inside data/."""
    place = section(read(), "vectors").get("corpus")
    if not isinstance(place, str) or not place:
        raise InputError(f"params.yaml: vectors.corpus should be a folder of data/, found {place!r}")
    return Path("data") / place


def print_epoch(done: int, epochs: int) -> None:
    print(f"epoch {done} of {epochs}", flush=True)
