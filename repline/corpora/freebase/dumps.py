"""Names by types from dumps of knowledge bases: Freebase's RDF dump, Wikidata's JSON dump."""

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from repline.caches.library_code import library_digest
from repline.cards import Card, card_or_files, write_card
from repline.corpora.freebase.dump_blocks import Scan, scan_dump
from repline.corpora.freebase.name_tables import write_name_tables
from repline.corpora.freebase.rdf_scan import FreebaseScan
from repline.corpora.freebase.recipes import Dump
from repline.corpora.freebase.type_map import FREEBASE, TYPES, WIKIDATA, read_type_map
from repline.corpora.freebase.wikidata_scan import WikidataScan
from repline.errors import InputError
from repline.files import as_written, new_folder

SUFFIXES = (".gz", ".bz2", ".nt", ".json", ".ndjson")
_BELOW = """
    with recursive known(source, type) as (
        select source, type from map
        union select subclasses.class, known.type from known join subclasses on subclasses.above = known.source
    ) select source, type from known
"""


def write_dump(
    folder: str | Path,
    dump: Dump,
    data: str | Path = "data",
    *,
    scratch: str | Path = "data/scratch/name_types",
    processes: int = 1,
    executor: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Write the names and aliases of all entities of a dump with their types, as `name_tables` describes it.

    Memory does not grow with the dump. A run that was stopped goes on after its last block.

    Args:
        folder: replaces what was there; it appears whole or not at all.
        dump: a file or folder of `data`, and how it is read.
        scratch: a folder for blocks; those of a finished run are removed.
        processes, executor: how many share a dump of several files or gzip members; they do not change the result.
        progress: called with the lines and the pairs so far.

    Returns:
        The card, with notes on types of the map that no entity has, and on what was salvaged.

    Raises:
        InputError: no file of a dump, a wrong line or a broken file (unless they are salvaged), a mistake in the map,
            or no name with a type.
    """
    source, kind, languages, type_map = Path(data) / dump.source, dump.kind, dump.languages, dump.type_map
    paths = [source] if source.is_file() else sorted(path for path in source.glob("*") if path.name != "card.json")
    paths = [path for path in paths if path.suffix in SUFFIXES]
    if not paths:
        raise InputError(f"{source}: expected a dump, a file of {', '.join(SUFFIXES)}, found none")
    mapped = read_type_map(type_map, FREEBASE if kind == "freebase" else WIKIDATA)
    scan: Scan = WikidataScan(languages)
    if kind == "freebase":
        scan = FreebaseScan(languages, mapped["source"].to_pylist())
    files_as_they_are = [[path.name, path.stat().st_size, path.stat().st_mtime_ns] for path in paths]
    code = library_digest(f"{write_dump.__module__}:{write_dump.__name__}")
    described = [kind, languages, mapped.to_pylist(), files_as_they_are, code]
    mark = hashlib.sha256(json.dumps(described).encode()).hexdigest()[:16]
    blocks = Path(scratch) / f"{Path(folder).name}-{mark}"
    counts, notes = scan_dump(
        paths, scan, blocks, on_error=dump.on_error, processes=processes, executor=executor, progress=progress
    )
    files = {table: sorted(blocks.glob(f"{table}-*.parquet")) for table in ("names", "types", "subclasses")}
    if not files["names"] or not files["types"]:
        raise InputError(
            f"{source}: no entity has a name in {', '.join(languages)} and a type of {type_map}; take the type map of "
            "this dump"
        )
    if files["subclasses"]:
        mapped = _with_subclasses(mapped, files["subclasses"], dump.memory, blocks)
    notes += _unused(mapped if kind == "freebase" else None, files["types"])
    origin = card_or_files(source)
    with new_folder(folder) as partial:
        counts |= write_name_tables(
            partial, files["names"], files["types"], mapped, scratch=blocks, memory=dump.memory, threads=processes
        )
        card = write_card(
            partial,
            name=f"{origin['name']}: names by types",
            description=f"Names and aliases of {kind}, and how many entities of each type bear them",
            licence=str(origin["licence"]),
            sources=[{"corpus": origin}],
            parameters={"kind": kind, "languages": languages, "on_error": dump.on_error, "type_map": mapped.num_rows},
            counts={key: value for key, value in counts.items() if key not in ("names", "types", "subclasses")},
            tools=["duckdb", "numba", "pyarrow"],
            notes=notes,
        )
    shutil.rmtree(blocks, ignore_errors=True)
    return card


def _with_subclasses(type_map: pa.Table, files: Sequence[Path], memory: str, scratch: Path) -> pa.Table:
    """The map with all classes below those that are in it; circles among classes end."""
    with duckdb.connect(config={"threads": 1, "memory_limit": memory, "temp_directory": str(scratch)}) as database:
        database.register("map", type_map)
        database.execute(
            "create table subclasses as select distinct 'Q' || entity as class, value as above "
            "from read_parquet($files)",
            {"files": as_written(files)},
        )
        return database.sql(_BELOW).to_arrow_table().cast(TYPES)


def _unused(type_map: pa.Table | None, files: Sequence[Path]) -> list[str]:
    """A note on the source types of the map that no entity has."""
    if type_map is None:
        return []
    with duckdb.connect(config={"threads": 1}) as database:
        listed = {"files": as_written(files)}
        used_types = database.sql("select distinct value from read_parquet($files)", params=listed)
        left = sorted(set(type_map["source"].to_pylist()) - {value for (value,) in used_types.fetchall()})
    shown = ", ".join(left[:5]) + (", ..." if len(left) > 5 else "")
    return [f"{len(left)} types of the map belong to no entity: {shown}"] if left else []
