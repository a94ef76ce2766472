"""A person's own captions: a table of pictures and captions, with lists of the parts and features where there are some.

captions.tsv                        NAME, a tab and a caption on each line; several lines a picture. Where all
                                    have NAME#0, NAME#1, ..., as Flickr8k numbers captions, the number is cut off
train.txt, dev.txt, test.txt        a name on each line; without these files pictures are dealt out by shares
tags.tsv                            NAME and tags between tabs: what is known to be on the picture
features.npy, pictures.txt          float [N, n], and the name of the picture of each row
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.corpora.captions.picture import PARTS, Part, Picture
from repline.errors import InputError, shown
from repline.reading.file_names import present
from repline.reading.settings import Head
from repline.reading.table_fields import unquoted_text
from repline.reading.table_heads import head_columns, rows_below_head
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.vectors.array_files import mapped_array

CAPTIONS, TAGS, FEATURES, ROWS = "captions.tsv", "tags.tsv", "features.npy", "pictures.txt"
HEADS = {("picture", "caption"), ("image", "caption")}
NUMBERED = re.compile(r"(.+)#\d+")  # a picture and the number of its caption
BLOCK = 4096  # rows that are looked at together


def read_table(
    folder: str | Path,
    shares: Sequence[float],
    seed: int,
    *,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
    head: Head = "auto",
) -> Iterator[Picture]:
    """The pictures of the table, in the order of their first captions.

    Args:
        shares: of the pictures that are for dev and for test where there are no lists.
        seed: of the drawing.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.
        head: whether the first line of the captions names the columns; auto recognises picture (or image) and caption.

    Raises:
        InputError: a missing file, a line without a picture or a caption, a list with a picture that has no captions,
            a picture in two lists.
    """
    folder, left_out = Path(folder), LeftOut.of(on_error)
    captions: dict[str, list[str]] = {}
    path = folder / CAPTIONS
    lines = visible_lines(path, encoding, left_out)
    for number, line in rows_below_head(
        path, lines, left_out, lambda line: head_columns(head, line.split("\t"), HEADS)
    ):
        name, tab, caption = line.partition("\t")
        with left_out:
            if not (tab and name.strip() and caption.strip()) or "\t" in caption:
                problem = f"expected the name of a picture, a tab and a caption, found {shown(line)}"
                raise WrongRecord(path, f"line {number}", problem, "no picture and caption")
            captions.setdefault(name.strip(), []).append(unquoted_text(caption.strip()))
    if all(NUMBERED.fullmatch(name) for name in captions):
        captions = _by_picture(captions)
    lists = [folder / f"{part}.txt" for part in PARTS]
    are_listed = any(present(path).exists() for path in lists)
    parts = _listed(folder, captions, left_out, encoding) if are_listed else _drawn(list(captions), shares, seed)
    for name, texts in captions.items():
        if name in parts:
            yield Picture(name, parts[name], texts)


def read_tags(
    folder: str | Path, names: Sequence[str], *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> dict[str, list[str]]:
    """The tags of these pictures.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: no such file, a picture that is there twice, or one of `names` that is not there.
    """
    path, left_out = Path(folder) / TAGS, LeftOut.of(on_error)
    tags_by_picture: dict[str, list[str]] = {}
    for number, line in visible_lines(path, encoding, left_out):
        name, *tags = (field.strip() for field in line.split("\t"))
        if not line.strip():
            continue
        with left_out:
            if name in tags_by_picture:
                problem = f"the picture {name} is there twice"
                raise WrongRecord(path, f"line {number}", problem, "a picture twice")
            tags_by_picture[name] = [tag for tag in tags if tag]
    missing = [name for name in names if name not in tags_by_picture]
    if missing:
        raise InputError(
            f"{path}: expected tags of each picture of {CAPTIONS}, found none of {shown(missing[0])} ({len(missing)} "
            "have "
            "no line)"
        )
    return tags_by_picture


def read_features(folder: str | Path, names: Sequence[str], encoding: str = "utf-8") -> NDArray[np.float32]:
    """The features of these pictures [N, n], copied.

    Args:
        encoding: of names without a byte order mark.

    Raises:
        InputError: no such file, not a matrix of numbers, a name that is there twice, a number of rows other than that
            of names, a picture without features, or features with NaN or infinity.
    """
    path = Path(folder) / FEATURES
    try:
        matrix = mapped_array(path)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    if matrix.ndim != 2 or matrix.dtype.kind not in "fiu" or 0 in matrix.shape:
        raise InputError(f"{path}: expected numbers [pictures, features], found {matrix.dtype} {list(matrix.shape)}")
    rows = _rows_by_name(Path(folder) / ROWS, encoding)
    if len(rows) != len(matrix):
        raise InputError(f"{path}: expected a row for each of {len(rows)} names in {ROWS}, found {len(matrix)} rows")
    missing = [name for name in names if name not in rows]
    if missing:
        raise InputError(
            f"{path}: expected features of each picture of {CAPTIONS}, found none of {shown(missing[0])} "
            f"({len(missing)} "
            "have none)"
        )
    features = np.empty((len(names), matrix.shape[1]), np.float32)
    for start in range(0, len(names), BLOCK):
        block = features[start : start + BLOCK]
        block[:] = matrix[[rows[name] for name in names[start : start + BLOCK]]]
        broken = np.flatnonzero(~np.isfinite(block).all(1))
        if len(broken):
            name = names[start + int(broken[0])]
            raise InputError(f"{path}, row {rows[name] + 1} ({shown(name)}): expected numbers, found NaN or infinity")
    return features


def _rows_by_name(path: Path, encoding: str) -> dict[str, int]:
    """The row of each picture in the matrix of features, by its name as the captions have it."""
    rows: dict[str, int] = {}
    for number, line in visible_lines(path, encoding, LeftOut("stop")):
        name = line.strip()
        if name in rows:
            raise InputError(f"{path}, line {number}: the picture {shown(name)} is there twice")
        rows[name] = number - 1
    return rows


def _by_picture(numbered: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Captions by picture, of those by numbered names; the numbers count no further than the order of the lines."""
    captions: dict[str, list[str]] = {}
    for name, texts in numbered.items():
        captions.setdefault(NUMBERED.sub(r"\1", name), []).extend(texts)
    return captions


def _listed(folder: Path, captions: dict[str, list[str]], left_out: LeftOut, encoding: str) -> dict[str, Part]:
    parts: dict[str, Part] = {}
    for part in PARTS:
        path = folder / f"{part}.txt"
        for number, line in visible_lines(path, encoding, left_out):
            name, where = line.strip(), f"line {number}"
            if not name:
                continue
            with left_out:
                if name not in captions:
                    problem = f"the picture {shown(name)} has no captions in {CAPTIONS}"
                    raise WrongRecord(path, where, problem, "a picture without captions")
                if name in parts:
                    problem = f"the picture {name} is in {parts[name]}.txt already"
                    raise WrongRecord(path, where, problem, "a picture twice")
                parts[name] = part
    return parts


def _drawn(names: list[str], shares: Sequence[float], seed: int) -> dict[str, Part]:
    order = np.random.default_rng(seed).permutation(len(names))
    dev, test = (round(share * len(names)) for share in shares)
    return {
        names[row]: "dev" if rank < dev else "test" if rank < dev + test else "train"
        for rank, row in enumerate(order.tolist())
    }
