"""Bring one source of sources.yaml to data/raw: `python -m stages.acquire NAME`."""

import sys
from pathlib import Path

from repline.errors import InputError
from repline.sources.acquisition import acquire
from repline.sources.catalogue import find_source, load_sources
from stages import run


def main() -> None:
    if len(sys.argv) != 2:
        raise InputError("expected one name of sources.yaml: python -m stages.acquire NAME")
    source = find_source(load_sources("sources.yaml"), sys.argv[1])
    card = acquire(source, Path("data/raw") / source.name)
    for file in card["files"]:
        print(f"{source.name}/{file['name']}: {file['bytes']} bytes, from {file['place']}")


if __name__ == "__main__":
    run(main)
