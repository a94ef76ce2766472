"""Static word vectors on disk: a folder that is mapped into memory, not read, and holds no pickle.

vectors.npy          float32 [V, d], rows in C order
vocabulary.parquet   `word`: string, `count`: int64 (all null where the counts are unknown); row i names vector i
card.json            where the vectors come from, see repline.cards
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.cards import Card, Source, write_card
from repline.errors import InputError, in_one_line, shown
from repline.files import new_file, new_folder
from repline.parameters import JsonObject
from repline.reading.text_cleaning import clean_words
from repline.vectors.array_files import mapped_array

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

VECTORS = "vectors.npy"
VOCABULARY = "vocabulary.parquet"
BLOCK = 1 << 22  # values that are checked, converted or written at a time


def save(
    folder: str | Path,
    words: Sequence[str],
    matrix: np.ndarray,
    *,
    counts: Sequence[int] | np.ndarray | None = None,
    name: str | None = None,
    description: str = "Static word vectors",
    licence: str = "not stated",
    sources: Sequence[Source] = (),
    parameters: JsonObject | None = None,
    totals: Mapping[str, int] | None = None,
    tools: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Card:
    """Write vectors, their words and a card into `folder`, all or nothing, without a second copy in memory.

    Args:
        folder: replaces what was there, usually `data/vectors/<name>`.
        words: V different words, most frequent first where an order by frequency is known; written by `clean_words`.
        matrix: [V, d] of any float type and memory order, a memory map too; it is written as float32.
        counts: [V] occurrences of each word in the training corpus, from 0 up; None if unknown.
        name: of the vectors; the folder's name if None.
        totals: further counts for the card (tokens, sentences, ...), in addition to `words` and `dimensions`.
        description, licence, sources, parameters, tools, notes: of the card, see `repline.cards.write_card`.

    Returns:
        The card.

    Raises:
        InputError: words and rows differ in number, there are none, a word is empty or occurs twice, a value is not
            a finite float32, or a count is negative. Names the word and its row.
    """
    folder = Path(folder)
    matrix = np.asanyarray(matrix)
    check(words, matrix, str(folder))
    words = clean_words(words)
    occurrences = None if counts is None else np.asarray(counts)
    if occurrences is not None:
        if occurrences.shape != (len(words),) or not np.issubdtype(occurrences.dtype, np.integer):
            raise InputError(f"{folder}: expected {len(words)} whole numbers as counts, found {_shape(occurrences)}")
        if occurrences.min() < 0:
            row = int(occurrences.argmin())
            raise InputError(f"{folder}: word {shown(words[row])} (row {row}) has a count of {occurrences[row]}")
    with new_folder(folder) as partial:
        _write_matrix(partial / VECTORS, matrix)
        column = pa.nulls(len(words), pa.int64()) if occurrences is None else pa.array(occurrences, pa.int64())
        vocabulary = pa.table({"word": pa.array(words, pa.string()), "count": column})
        pq.write_table(vocabulary, partial / VOCABULARY, compression="zstd")
        return write_card(
            partial,
            name=name or folder.name,
            description=description,
            licence=licence,
            sources=sources,
            parameters=parameters or {},
            counts=dict(totals or {}) | {"words": len(words), "dimensions": matrix.shape[1]},
            tools=sorted({"numpy", "pyarrow", *tools}),
            notes=notes,
        )


def load(folder: str | Path) -> "KeyedVectors":
    """The vectors of a folder that `save` wrote, as gensim KeyedVectors over a memory map.

    Returns:
        KeyedVectors whose `vectors` is a read-only `numpy.memmap`, float32 [V, d]: pages are read when they are used
        and shared between processes. `get_vecattr(word, "count")` is there where the counts are known. Take
        `numpy.array(loaded.vectors)` for a copy to change.

    Raises:
        InputError: the folder lacks a file, or a file is damaged or contradicts the other.
    """
    from gensim.models import KeyedVectors  # half a second of imports

    words, matrix = words_and_matrix(folder)
    counts = load_vocabulary(folder).column("count")
    loaded = KeyedVectors(matrix.shape[1])
    loaded.vectors = matrix
    loaded.index_to_key = words
    loaded.key_to_index = {word: row for row, word in enumerate(words)}
    loaded.next_index = len(words)
    if counts.null_count == 0:
        loaded.expandos["count"] = counts.to_numpy()
    return loaded


def words_and_matrix(folder: str | Path) -> tuple[list[str], np.memmap]:
    """V different words, and their vectors as of `load_matrix`, without gensim; InputError as in `load`."""
    matrix, vocabulary = load_matrix(folder), load_vocabulary(folder)
    if len(matrix) != len(vocabulary):
        raise InputError(
            f"{folder}: expected a word for each of {len(matrix)} vectors, found {len(vocabulary)}; make the folder "
            "again"
        )
    words = vocabulary.column("word").to_pylist()
    if len(set(words)) < len(words):
        raise InputError(f"{folder}: {_repeated(words)}; make the folder again")
    return words, matrix


def load_matrix(folder: str | Path) -> np.memmap:
    """The vectors alone: a read-only memory map, float32 [V, d]; InputError as in `load`."""
    path = Path(folder) / VECTORS
    try:
        matrix = mapped_array(path)
    except FileNotFoundError:
        raise InputError(
            f"{path}: there is no such file, so {folder} holds no vectors; run `dvc repro` for them, or write them "
            "with repline.vectors.store.save"
        ) from None
    if matrix.ndim != 2 or matrix.dtype != np.float32 or not matrix.flags.c_contiguous:
        raise InputError(f"{path}: expected float32 rows in C order, found {matrix.dtype} {_shape(matrix)}")
    return matrix


def load_vocabulary(folder: str | Path) -> pa.Table:
    """The words alone: a table of `word` (string) and `count` (int64, null if unknown); InputError as in `load`."""
    path = Path(folder) / VOCABULARY
    try:
        return pq.read_table(path, columns=["word", "count"])
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file, so {folder} holds no vectors") from None
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: expected a Parquet table of `word` and `count` ({in_one_line(error)})") from None


def check(words: Sequence[str], matrix: np.ndarray, where: str) -> None:
    """Check that the words differ and each has one finite vector.

    Args:
        words: V words.
        matrix: should be [V, d] of floats that float32 can hold, V and d at least 1.
        where: the beginning of the message.

    Raises:
        InputError: what `save` names.
    """
    if matrix.ndim != 2 or not np.issubdtype(matrix.dtype, np.floating):
        raise InputError(f"{where}: expected a matrix of floats, one row a word, found {matrix.dtype} {_shape(matrix)}")
    if not matrix.size:
        raise InputError(f"{where}: there are no vectors (the matrix is {_shape(matrix)})")
    if len(words) != len(matrix):
        raise InputError(f"{where}: expected a word for each of {len(matrix)} vectors, found {len(words)} words")
    for row, word in enumerate(words):
        if not isinstance(word, str) or not word:
            raise InputError(f"{where}: expected a word for row {row}, found {shown(word)}")
    if len(set(words)) < len(words):
        raise InputError(f"{where}: {_repeated(words)}")
    largest = np.finfo(np.float32).max
    for start, block in _blocks(matrix):
        good = (np.abs(block) <= largest).all(axis=1)  # false for NaN too
        if not good.all():
            row = start + int(good.argmin())
            column = int((np.abs(matrix[row]) <= largest).argmin())
            raise InputError(
                f"{where}: the vector of {shown(words[row])} (row {row}) has {matrix[row, column]} as value {column}, "
                "which is no finite float32"
            )


def export_text(vectors: "KeyedVectors", path: str | Path) -> None:
    """Write word2vec's text format: a line `V d`, then a line `word value ... value` for each word.

    Values have as many digits as it takes to read the same float32 back.

    Args:
        vectors: of `load`, or any KeyedVectors.
        path: of the new file; it appears whole or not at all.

    Raises:
        InputError: a word has white space in it, which the format cannot say.
    """
    write_text(vectors.index_to_key, vectors.vectors, path)


def write_text(words: Sequence[str], matrix: np.ndarray, path: str | Path) -> None:
    """Write V words and their vectors [V, d] in word2vec's text format, see `export_text`."""
    words = _exportable(words, path)
    with new_file(path) as partial, open(partial, "wb") as file:
        file.write(b"%d %d\n" % (len(words), matrix.shape[1]))
        for start, block in _blocks(matrix):
            columns = [pc.cast(pa.array(column, pa.float32()), pa.string()) for column in block.T.astype(np.float32)]
            lines = pc.binary_join_element_wise(pa.array(words[start : start + len(block)]), *columns, " ")
            file.writelines(b"%s\n" % line for line in pc.cast(lines, pa.binary()).to_pylist())


def export_binary(vectors: "KeyedVectors", path: str | Path) -> None:
    """Write word2vec's binary format: a line `V d`, then `word`, a space and d little-endian float32 for each word.

    Args:
        vectors: of `load`, or any KeyedVectors.
        path: of the new file; it appears whole or not at all.

    Raises:
        InputError: a word has white space in it, which the format cannot say.
    """
    write_binary(vectors.index_to_key, vectors.vectors, path)


def write_binary(words: Sequence[str], matrix: np.ndarray, path: str | Path) -> None:
    """Write V words and their vectors [V, d] in word2vec's binary format, see `export_binary`."""
    words = _exportable(words, path)
    with new_file(path) as partial, open(partial, "wb") as file:
        file.write(b"%d %d\n" % (len(words), matrix.shape[1]))
        for start, block in _blocks(matrix):
            rows = zip(words[start : start + len(block)], block.astype("<f4", copy=False), strict=True)
            file.writelines(word.encode() + b" " + row.tobytes() + b"\n" for word, row in rows)


def _write_matrix(path: Path, matrix: np.ndarray) -> None:
    with open(path, "wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": matrix.shape}
        np.lib.format.write_array_header_1_0(file, header)
        for _, block in _blocks(matrix):
            file.write(np.ascontiguousarray(block, dtype="<f4").data)


def _blocks(matrix: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """The rows from top to bottom in blocks of about `BLOCK` values, each with the number of its first row."""
    rows = max(1, BLOCK // matrix.shape[1])
    for start in range(0, len(matrix), rows):
        yield start, np.asarray(matrix[start : start + rows])


def _exportable(words: Sequence[str], path: str | Path) -> Sequence[str]:
    for row, word in enumerate(words):
        if word.split() != [word]:
            raise InputError(
                f"{path}: word {shown(word)} (row {row}) has white space in it, which word2vec's formats cannot say; "
                "rename it first"
            )
    return words


def _repeated(words: Sequence[str]) -> str:
    rows: dict[str, int] = {}
    for row, word in enumerate(words):
        if rows.setdefault(word, row) != row:
            return f"word {shown(word)} is there twice, in rows {rows[word]} and {row}"
    raise ValueError("no word is there twice")


def _shape(array: np.ndarray) -> str:
    return " x ".join(map(str, array.shape)) or "a single number"
