"""Wordnets on disk: read in any known format, saved as Parquet, loaded again."""

import gc
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Source, write_card
from repline.errors import InputError, in_one_line
from repline.files import new_folder
from repline.lexicons.wordnet.lmf_format import is_lmf, read_lmf
from repline.lexicons.wordnet.synsets import POS, Pointer, Synset, WordNet
from repline.lexicons.wordnet.wndb_format import read_wndb
from repline.lexicons.wordnet.xml_format import read_xml
from repline.reading.file_names import files_with, present


@contextmanager
def _without_collection() -> Iterator[None]:
    """Do not look for unreachable cycles: among half a million new tuples that takes longer than making them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@_without_collection()
def read(path: str | Path) -> WordNet:
    """Read a wordnet from what lies at `path`.

    Args:
        path: a folder with WNDB files (data.noun, data.verb, ...), an XML file of `<SYNSET>` records or in WN-LMF, a
            folder that `save` wrote, or a folder that holds one such XML file.

    Raises:
        InputError: nothing of these, or malformed content, naming file and line.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    if path.is_file():
        return read_lmf(path) if is_lmf(path) else read_xml(path)
    if (path / "synsets.parquet").exists():
        return load(path)
    if any(present(path / f"data.{name}").exists() for name in POS.values()):
        return read_wndb(path)
    files = files_with(path, ".xml")
    if len(files) != 1:
        raise InputError(
            f"{path}: expected data.noun and the like, synsets.parquet, or one XML file, found {len(files)} XML files"
        )
    return read(files[0])


_POINTER = pa.struct(
    [("relation", pa.string()), ("target", pa.string()), ("source_word", pa.int16()), ("target_word", pa.int16())]
)
_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("pos", pa.string()),
        ("lemmas", pa.list_(pa.string())),
        ("pointers", pa.list_(_POINTER)),
        ("gloss", pa.string()),
        ("markers", pa.list_(pa.string())),
        ("satellite", pa.bool_()),
    ]
)


def save(wordnet: WordNet, folder: str | Path, *, name: str, licence: str, sources: Sequence[Source]) -> None:
    """Write synsets.parquet (one row a synset) and card.json into `folder`, all or nothing.

    Args:
        name, licence, sources: for the card (`repline.cards.write_card`).
    """
    rows = list(wordnet)
    columns = {
        field.name: pa.array([getattr(row, field.name) for row in rows], field.type)
        for field in _SCHEMA
        if field.name != "pointers"
    }
    pointers = [pointer for row in rows for pointer in row.pointers]
    offsets = [0]
    for row in rows:
        offsets.append(offsets[-1] + len(row.pointers))
    parts = [pa.array([pointer[i] for pointer in pointers], field.type) for i, field in enumerate(_POINTER)]
    columns["pointers"] = pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.StructArray.from_arrays(parts, fields=list(_POINTER))
    )
    with new_folder(folder) as partial:
        table = pa.table([columns[field.name] for field in _SCHEMA], schema=_SCHEMA)
        pq.write_table(table, partial / "synsets.parquet", compression="zstd")
        write_card(
            partial,
            name=name,
            description="A wordnet, one row a synset: lemmas, pointers (words count from 1, 0 is the synset), gloss",
            licence=licence,
            sources=sources,
            parameters={},
            counts=wordnet.counts(),
        )


@_without_collection()
def load(folder: str | Path) -> WordNet:
    """Read what `save` wrote; InputError if it is damaged."""
    path = Path(folder) / "synsets.parquet"
    try:
        table = pq.read_table(path, schema=_SCHEMA)
    except (OSError, pa.ArrowException, zlib.error) as error:
        raise InputError(f"{path}: this is not a stored wordnet ({in_one_line(error)})") from None
    flat = pa.chunked_array(table["pointers"]).combine_chunks().flatten()
    pointers = list(map(Pointer, *(flat.field(i).to_pylist() for i in range(flat.type.num_fields))))
    lengths = table["pointers"].combine_chunks().value_lengths().to_pylist()
    columns = [table[name].to_pylist() for name in ("id", "pos", "lemmas", "gloss", "markers", "satellite")]
    synsets, start = [], 0
    for length, (identifier, pos, lemmas, gloss, markers, satellite) in zip(
        lengths, zip(*columns, strict=True), strict=True
    ):
        arcs = tuple(pointers[start : start + length])
        synsets.append(Synset(identifier, pos, tuple(lemmas), arcs, gloss, tuple(markers), satellite))
        start += length
    return WordNet(synsets, folder)
