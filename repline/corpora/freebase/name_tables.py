"""Names by types: how many entities of each type bear a name.

    m(n, t) = the number of entities with the name or alias n that have the type t

A folder has `single-*.parquet` (names of one word) and `multi-*.parquet`, sorted by name, with the columns `name`,
`types` and `counts` (lists of equal length), and a card. Names are in lower case, with single blanks inside.

Source: Yaghoobzadeh, Kann & Schütze 2018, section 5.
"""

from collections.abc import MutableMapping, Sequence
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from repline.corpora.parquet import PartWriter
from repline.errors import InputError
from repline.files import as_written
from repline.reading.text_cleaning import clean_text

PAIRS = pa.schema([("entity", pa.int64()), ("value", pa.string())])  # an entity with one of its names, or types
NAMES = pa.schema([("name", pa.string()), ("types", pa.list_(pa.string())), ("counts", pa.list_(pa.int32()))])
ROWS = 1 << 17  # in memory at once
_JOINED = """
    with named as (select distinct entity, value as name from read_parquet($names) where value <> ''),
         typed as (select distinct entity, map.type from read_parquet($types) as given
                   join map on given.value = map.source)
    select name, type, count(*)::int as count from named join typed using (entity)
    group by name, type order by name, type
"""


def normalised(names: pa.Array, counts: MutableMapping[str, int] | None = None) -> pa.Array:
    """Names as they are compared: in lower case, without blanks around them, single blanks inside, by `clean_text`.

    Args:
        names: as a source has them.
        counts: of the characters that are left out, see `clean_text`.
    """
    is_special = pc.match_substring_regex(names, "[^ -~]")
    if pc.any(is_special).as_py():
        special = [clean_text(name, counts) for name in names.filter(is_special).to_pylist()]
        names = pc.replace_with_mask(names, is_special, pa.array(special, pa.string()))
    names = pc.utf8_trim_whitespace(pc.utf8_lower(names))
    if pc.any(pc.match_substring_regex(names, r"[^\S ]|\s\s")).as_py():
        names = pc.replace_substring_regex(names, r"\s+", " ")
    return names


def write_name_tables(
    folder: str | Path,
    names: Sequence[Path],
    types: Sequence[Path],
    type_map: pa.Table,
    *,
    scratch: str | Path,
    memory: str = "2GB",
    threads: int = 1,
) -> dict[str, int]:
    """Join the names and the types of entities, and count; on disk where they are more than fit into memory.

    Args:
        folder: an existing folder, usually one of `repline.files.new_folder`.
        names, types: Parquet files with the schema PAIRS; a pair may be there several times and counts once.
        type_map: of `type_map.read_type_map`; types that are not in it are left out.
        scratch: a folder for what does not fit.
        memory: of DuckDB, at most.

    Returns:
        how many names, single-word and multi-word ones, and pairs of a name and a type.

    Raises:
        InputError: no name has a type.
    """
    counts = {"single_word_names": 0, "multi_word_names": 0, "pairs": 0}
    with (
        duckdb.connect(config={"threads": threads, "memory_limit": memory, "temp_directory": str(scratch)}) as database,
        PartWriter(folder, NAMES, "single", repetitive=False) as single,
        PartWriter(folder, NAMES, "multi", repetitive=False) as multi,
    ):
        database.register("map", type_map)
        files = {"names": as_written(names), "types": as_written(types)}
        rest = NAMES.empty_table()
        for batch in database.sql(_JOINED, params=files).to_arrow_reader(ROWS):
            counts["pairs"] += len(batch)
            whole = pa.concat_tables([rest, _by_name(batch)])
            whole, rest = _merged(whole)
            _write(whole, single, multi)
        _write(rest, single, multi)
        counts["single_word_names"], counts["multi_word_names"] = single.rows, multi.rows
    if not counts["pairs"]:
        raise InputError("no name belongs to an entity with a type of the type map; take the map of this source")
    return counts


def _by_name(rows: pa.RecordBatch) -> pa.Table:
    """A row for each name of sorted rows: name, type, count."""
    name = rows.column("name")
    first = np.ones(len(name), dtype=bool)
    first[1:] = pc.not_equal(name[1:], name[:-1]).to_numpy(zero_copy_only=False)
    starts = np.flatnonzero(first)
    offsets = pa.array(np.append(starts, len(name)).astype(np.int32))
    types, counts = (pa.ListArray.from_arrays(offsets, rows.column(column)) for column in ("type", "count"))
    return pa.table([name.take(pa.array(starts)), types, counts], schema=NAMES)


def _merged(names: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Names that are complete, and the last one, which the next rows may go on with; two rows of one become one."""
    if len(names) > 1 and names["name"][0].as_py() == names["name"][1].as_py():
        joined = {key: [[*names[key][0].as_py(), *names[key][1].as_py()]] for key in ("types", "counts")}
        head = pa.table({"name": names["name"][:1].combine_chunks()} | joined, schema=NAMES)
        names = pa.concat_tables([head, names.slice(2)])
    return names.slice(0, len(names) - 1), names.slice(len(names) - 1)


def _write(names: pa.Table, single: PartWriter, multi: PartWriter) -> None:
    several = pc.match_substring(names["name"], " ")
    multi.write(names.filter(several))
    single.write(names.filter(pc.invert(several)))
