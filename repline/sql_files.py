"""Paths for `read_parquet` of DuckDB, which takes a path for a pattern."""

import glob
from collections.abc import Iterable
from pathlib import Path


def as_written(paths: Iterable[str | Path]) -> list[str]:
    """Paths that DuckDB reads as they stand: in the folder `corpus[1]` or `a*`, and not in others that fit it."""
    return [glob.escape(str(path)) for path in paths]
