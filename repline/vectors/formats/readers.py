"""Read word vectors of any common format, which is recognised by the content of the file."""

from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from repline.errors import InputError, shown
from repline.parameters import nearest
from repline.reading.text_cleaning import clean_words
from repline.reading.text_files import MARKS
from repline.reading.wrong_records import LeftOut, OnError
from repline.vectors.formats.binary_format import FASTTEXT, read_fasttext_binary, read_word2vec_binary
from repline.vectors.formats.rows import Duplicates, opened, read_intact
from repline.vectors.formats.table_format import MATRICES, WORDS, read_table
from repline.vectors.formats.text_format import header, is_text_row, read_text
from repline.vectors.formats.wink_format import read_wink
from repline.vectors.store import VECTORS, VOCABULARY, check, load_matrix, load_vocabulary

Format = Literal["store", "text", "word2vec-binary", "fasttext-binary", "wink", "table", "spacy"]
PICKLE = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
STORES = Path("data/vectors")


def read(
    path_or_name: str | Path,
    *,
    format: Format | None = None,
    duplicates: Duplicates = "stop",
    limit: int | None = None,
    on_error: OnError | LeftOut = "stop",
) -> tuple[list[str], np.ndarray]:
    """Read word vectors.

    Args:
        path_or_name: a file, a folder, the name of a folder in data/vectors, or the name of an installed package:
            - word2vec's text and binary formats, GloVe's text, fastText's .vec and .bin, plain or .gz, .bz2, .xz, .zst;
            - the JSON of winkNLP's embeddings (npm);
            - a .npy or .safetensors file with a .parquet, .json or .txt of words next to it, see `table_format`;
            - a spaCy pipeline, a folder that `repline.vectors.store.save` wrote, a folder with one file of vectors.
        format: if None, it is seen from the content.
        duplicates: "stop" at a word that occurs again, or keep its "first" vector (texts and word2vec's binary).
        limit: how many words to read at most, the first ones; None for all.
        on_error: at a wrong word or vector of a text, of word2vec's or fastText's binary or of winkNLP's JSON, "stop",
            or "salvage" the others; a `LeftOut` of the caller tells afterwards what was left out.

    Returns:
        V different words, and their finite vectors [V, d]: float32, or the type of the table; a read-only memory map
        where the file allows it.

    Raises:
        InputError: nothing of a known format is there, or it is malformed; names file, line or byte, and word.
    """
    if limit is not None and limit < 1:
        raise InputError(f"{path_or_name}: expected to read at least 1 word, found limit={limit}")
    if format is not None and format not in get_args(Format):
        raise InputError(f"{path_or_name}: there is no format {shown(format)}{nearest(format, get_args(Format))}")
    path = find(path_or_name)
    format = format or detect(path)
    if format == "text":
        return read_text(path, duplicates=duplicates, limit=limit, on_error=on_error)
    if format == "word2vec-binary":
        return read_word2vec_binary(path, duplicates=duplicates, limit=limit, on_error=on_error)
    if format == "fasttext-binary":
        return read_fasttext_binary(path, limit=limit, on_error=on_error)
    if format == "wink":
        return read_wink(path, duplicates=duplicates, limit=limit, on_error=on_error)
    if format == "store":
        words = load_vocabulary(path).column("word").to_pylist()
        matrix: np.ndarray = load_matrix(path)
        check(words, matrix, str(path))
    elif format == "table":
        words, matrix = read_table(path)
    else:
        from repline.vectors.formats.spacy_format import read_spacy  # spaCy takes seconds to import

        words, matrix = read_spacy(path)
    words = clean_words(words, LeftOut.of(on_error).invisible)
    return (words, matrix) if limit is None else (words[:limit], matrix[:limit])


def find(path_or_name: str | Path) -> Path:
    """The file or folder that a path or a name means; a folder with one file of vectors means that file."""
    path = Path(path_or_name)
    name = str(path_or_name).replace("-", "_")
    if not path.exists() and (STORES / path).is_dir():
        path = STORES / path
    elif not path.exists():
        spec = find_spec(name) if name.isidentifier() else None
        if spec is None or not spec.submodule_search_locations:
            raise InputError(
                f"{path_or_name}: there is no such file or folder, none in {STORES}, and no package of this name"
            )
        path = Path(spec.submodule_search_locations[0])
        path = path / "data" if (path / "data").is_dir() else path
    if path.is_dir():
        inside = [item for item in path.iterdir() if item.name != "card.json"]
        if len(inside) == 1 and inside[0].is_file() and inside[0].suffix not in MATRICES:
            return inside[0]
    return path


def detect(path: str | Path) -> Format:
    """The format of a file or folder, by its content; InputError if it is none that `read` knows."""
    path = Path(path)
    if path.is_dir():
        names = [file.name for file in path.iterdir()]
        if VECTORS in names and VOCABULARY in names:
            return "store"
        if any(list(path.glob(f"{depth}vocab/key2row")) for depth in ("", "*/", "*/*/")):
            return "spacy"
        if any(Path(name).suffix in MATRICES for name in names):
            return "table"
        raise InputError(
            f"{path}: this folder holds no vectors; expected {VECTORS} and {VOCABULARY}, a matrix "
            f"({', '.join(MATRICES)}) with a file of words ({', '.join(WORDS)}), a spaCy pipeline, or one such file"
        )
    with opened(path) as file:
        start = read_intact(file, 1 << 16)
    if any(start.startswith(mark) for mark, _ in MARKS):
        return "text"
    if start.startswith(FASTTEXT):
        return "fasttext-binary"
    if start.startswith(b"\x93NUMPY") or path.suffix in MATRICES:
        return "table"
    if start.startswith(b"{") and b'"wordIndex":' in start[:1000]:
        return "wink"
    if start.startswith(PICKLE):
        raise InputError(
            f"{path}: this is a pickle, which can run code, so it is not read; load it in gensim where you trust it "
            "and write it with save_word2vec_format"
        )
    if start.startswith((b"PK\x03\x04", b"PAR1")) or start[257:262] == b"ustar":
        raise InputError(f"{path}: this is an archive or a table, not a file of vectors; unpack it first")
    first, _, rest = start.partition(b"\n")
    stated = header(first)
    if stated is None and b"\0" in start:
        raise InputError(
            f"{path}: these bytes are of no format that is read here; a fastText model from before 2017 has to be "
            "exported as .vec"
        )
    if stated is None or is_text_row(rest.partition(b"\n")[0], stated[1]):
        return "text"
    # one value is at least two characters of text, but four bytes; no text has control characters in its numbers
    values = rest.partition(b" ")[2][: 2 * stated[1]].partition(b"\n")[0]
    binary = any(byte < 9 or 13 < byte < 32 or byte > 126 for byte in values)
    return "word2vec-binary" if binary or (path.suffix == ".bin" and not values.strip()) else "text"
