"""Files that appear whole or not at all."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def new_file(path: str | Path) -> Iterator[Path]:
    """Yield a hidden path next to `path`, and rename it over `path` at the end; after an error it is removed."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    hidden = target.with_name(f".{target.name}.partial")
    try:
        yield hidden
        with open(hidden, "rb") as file:
            os.fsync(file.fileno())
        hidden.replace(target)
    finally:
        hidden.unlink(missing_ok=True)


def write_json(path: str | Path, value: object) -> None:
    """Write a value as JSON for people, with its keys in order."""
    with new_file(path) as hidden:
        hidden.write_text(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
