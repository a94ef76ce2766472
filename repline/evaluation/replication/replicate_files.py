"""Replicates as nested mappings: laid over metrics, and in a Parquet file."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from repline.evaluation.nested_measures import Measures, Metric, Replicate
from repline.files import new_file


def overlay(metrics: Measures, part: Measures) -> dict[str, Metric]:
    """`metrics` with the numbers of `part` in place of its own; neither is changed."""
    merged = dict(metrics)
    for key, value in part.items():
        inner = merged.get(key)
        merged[key] = overlay(inner, value) if isinstance(value, Mapping) and isinstance(inner, Mapping) else value
    return merged


def write(path: str | Path, parts: Sequence[Replicate]) -> None:
    """Write replicates as a Parquet file: a row each, a column (of structs) for each name at the top."""
    rows = [_present(part) for part in parts]
    table = pa.Table.from_struct_array(pa.array(rows)) if any(rows) else pa.table({})
    with new_file(path) as partial:
        pq.write_table(table, partial, compression="zstd")


def read(path: str | Path) -> list[Replicate]:
    """The replicates of a file that `write` wrote; none if there is no file."""
    return pq.read_table(path).to_pylist() if Path(path).exists() else []


def _present(part: Measures) -> dict[str, Metric]:
    """A replicate without what it does not hold."""
    present: Measures = {key: _present(value) if isinstance(value, Mapping) else value for key, value in part.items()}
    return {key: value for key, value in present.items() if value is not None and value != {}}
