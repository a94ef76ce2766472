"""DVC parses params.yaml anew for every dvc.yaml: with fifty of them, for as long as it needs for all else."""

import os
import pickle
from functools import cache
from typing import Any


def parse_once() -> None:
    """From now on DVC parses a file of parameters once for as long as it stays the same; a caller has its own copy."""
    from dvc.utils import serialize

    loaders = serialize.LOADERS
    if ".yaml" in loaders:
        return

    @cache
    def parsed(path: str, *changes: int) -> bytes:
        return pickle.dumps(serialize.load_yaml(path))

    def load(path: str, fs: Any = None, **options: Any) -> Any:
        if options or getattr(fs, "protocol", "local") != "local":
            return serialize.load_yaml(path, fs=fs, **options)
        seen = os.stat(path)
        return pickle.loads(parsed(os.path.abspath(path), seen.st_mtime_ns, seen.st_size, seen.st_ino))

    loaders[".yaml"] = load
