"""Vectors as a matrix in one file (.npy, .safetensors) and their words in another (.parquet, .json, .txt)."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from safetensors import SafetensorError, safe_open

from repline.errors import InputError, in_one_line, readable, shown
from repline.reading.file_names import present, unpacked_name
from repline.reading.text_files import numbered_lines, read_bytes
from repline.vectors.array_files import mapped_array
from repline.vectors.store import check

WORDS = (".parquet", ".json", ".txt")
MATRICES = (".npy", ".safetensors")


def read_table(
    path: str | Path, *, words: str | Path | None = None, tensor: str | None = None
) -> tuple[list[str], np.ndarray]:
    """Read a matrix and the file of words that lies next to it.

    Args:
        path: a .npy or .safetensors file, or a folder with one of them.
        words: a Parquet file with one column of strings (or one called `word`), a JSON list of words, a JSON mapping of
            words to rows, or a text with a word a line, perhaps with its count (a text or JSON may be compressed); if
            None, the only such file in the matrix's folder.
        tensor: which tensor of a .safetensors file; None if it has only one matrix.

    Returns:
        V words, and [V, d] floats: a memory map of a .npy file, in its own type and memory order.

    Raises:
        InputError: there is not exactly one matrix and one file of words, one is damaged, they differ in length, a word
            occurs twice or is empty, or a value is not finite. Names the word and its row.
    """
    path = Path(path)
    if path.is_dir():
        path = _only(path, MATRICES, "matrix")
    words = Path(words) if words is not None else _only(path.parent, WORDS, "file of words", except_for="card.json")
    matrix = _safetensors(path, tensor) if path.suffix == ".safetensors" else _npy(path)
    vocabulary = read_words(words)
    check(vocabulary, matrix, str(path))
    return vocabulary, matrix


def read_words(path: str | Path) -> list[str]:
    """The words of a file, in the order of the rows that they name; formats and errors as in `read_table`."""
    path = Path(path)
    suffix = Path(unpacked_name(path)).suffix
    if not present(path).exists():
        raise InputError(f"{path}: there is no such file of words")
    try:
        if suffix == ".parquet":
            return _parquet_words(path)
        if suffix == ".json":
            return _json_words(json.loads(read_bytes(path)), path)
    except (OSError, ValueError, RecursionError, pa.ArrowException) as error:
        if isinstance(error, InputError):
            raise
        reason = in_one_line(error)
        raise InputError(f"{path}: this is no valid {suffix.lstrip('.')} file ({reason})") from None
    return _text_words(path)


def _text_words(path: Path) -> list[str]:
    """The words of a text, a word a line; their counts, as in GloVe's vocab.txt, are cut off."""
    lines = [line.strip(" \t") or line for _, line in numbered_lines(path)]
    while lines and not lines[-1]:
        lines.pop()
    if "" in lines:
        raise InputError(f"{path}, line {lines.index('') + 1}: expected a word, found none")
    fields = [line.rsplit(None, 1) for line in lines]
    have_counts = [len(field) == 2 and field[1].isdecimal() for field in fields]
    words = [field[0] for field, has_count in zip(fields, have_counts, strict=True) if has_count]
    if len(set(words)) < len(words) or 2 * len(words) < len(lines):  # numbers are a part of words: Apollo 11
        return lines
    if not all(have_counts):
        number = have_counts.index(False)
        raise InputError(f"{path}, line {number + 1}: expected a word and its count, found {shown(lines[number])}")
    counts = [int(field[1]) for field in fields]
    if counts != sorted(counts, reverse=True):
        raise InputError(
            f"{path}: expected a word a line, or words with their counts, the largest first; found numbers in another "
            f"order, as {shown(lines[0])}; the order of the lines is that of the vectors"
        )
    return words


def _parquet_words(path: Path) -> list[str]:
    table = pq.read_table(path)
    texts = [
        field.name for field in table.schema if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
    ]
    name = "word" if "word" in texts else texts[0] if len(texts) == 1 else None
    if name is None:
        raise InputError(
            f"{path}: expected one column of words, or one called 'word', found {shown(table.column_names)}"
        )
    return table.column(name).to_pylist()


def _json_words(value: object, path: Path) -> list[str]:
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        raise InputError(
            f"{path}: expected a list of words, or a mapping of words to rows, found {type(value).__name__}"
        )
    word_of: dict[int, str] = {}
    for word, row in value.items():
        if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < len(value) or row in word_of:
            raise InputError(
                f"{path}: word {shown(word)} has row {shown(row)}, expected each of 0 to {len(value) - 1} once"
            )
        word_of[row] = word
    return [word_of[row] for row in range(len(value))]


def _npy(path: Path) -> np.ndarray:
    try:
        return mapped_array(path)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None


def _safetensors(path: Path, tensor: str | None) -> np.ndarray:
    try:
        with safe_open(path, framework="numpy") as file:
            shapes = {name: file.get_slice(name).get_shape() for name in file.keys()}  # noqa: SIM118
            matrices = [name for name, shape in shapes.items() if len(shape) == 2]
            if tensor is None and len(matrices) != 1:
                raise InputError(f"{path}: expected one matrix, found {shown(shapes)}; say which with tensor=")
            name = matrices[0] if tensor is None else tensor
            if name not in shapes:
                raise InputError(f"{path}: there is no tensor {shown(name)}; there are {readable(', '.join(shapes))}")
            return file.get_tensor(name)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (SafetensorError, OSError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path}: this is no whole .safetensors file of float16, 32 or 64 ({in_one_line(error)})"
        ) from None


def _only(folder: Path, suffixes: tuple[str, ...], what: str, except_for: str = "") -> Path:
    files = sorted(
        path
        for path in folder.iterdir()
        if (unpacked_name(path) if suffixes == WORDS else path.name).endswith(suffixes) and path.name != except_for
    )
    if len(files) != 1:
        names = ", ".join(path.name for path in files) or "none"
        raise InputError(f"{folder}: expected one {what} ({', '.join(suffixes)}), found {names}")
    return files[0]
