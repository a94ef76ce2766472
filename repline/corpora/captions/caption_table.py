"""A person's own captions: a table of pictures and captions, with lists of the parts and features where there are some.

captions.tsv                        NAME, a tab and a caption on each line; several lines a picture
train.txt, dev.txt, test.txt        a name on each line; without these files pictures are dealt out by shares
tags.tsv                            NAME and tags between tabs: what is known to be on the picture
features.npy, pictures.txt          float [N, n], and the name of the picture of each row
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.corpora.captions.picture import PARTS, Part, Picture
from repline.errors import InputError
from repline.text_files import numbered_lines, present

CAPTIONS, TAGS, FEATURES, ROWS = "captions.tsv", "tags.tsv", "features.npy", "pictures.txt"
BLOCK = 4096  # rows that are looked at together


def read_table(folder: str | Path, shares: Sequence[float], seed: int) -> Iterator[Picture]:
    """The pictures of the table, in the order of their first captions.

    Args:
        shares: of the pictures that are for dev and for test where there are no lists.
        seed: of the drawing.

    Raises:
        InputError: a missing file, a line without a picture or a caption, a list with a picture that has no captions,
            a picture in two lists.
    """
    folder = Path(folder)
    captions: dict[str, list[str]] = {}
    for number, line in numbered_lines(folder / CAPTIONS):
        name, tab, caption = line.partition("\t")
        if not line.strip():
            continue
        if not (tab and name.strip() and caption.strip()) or "\t" in caption:
            where = f"{folder / CAPTIONS}, line {number}"
            raise InputError(f"{where}: expected the name of a picture, a tab and a caption, found {line[:60]!r}")
        captions.setdefault(name.strip(), []).append(caption)
    lists = [folder / f"{part}.txt" for part in PARTS]
    are_listed = any(present(path).exists() for path in lists)
    parts = _listed(folder, captions) if are_listed else _drawn(list(captions), shares, seed)
    for name, texts in captions.items():
        if name in parts:
            yield Picture(name, parts[name], texts)


def read_tags(folder: str | Path, names: Sequence[str]) -> dict[str, list[str]]:
    """The tags of these pictures.

    Raises:
        InputError: no such file, a picture that is there twice, or one of `names` that is not there.
    """
    path = Path(folder) / TAGS
    tags_by_picture: dict[str, list[str]] = {}
    for number, line in numbered_lines(path):
        name, *tags = line.split("\t")
        if not line.strip():
            continue
        if name in tags_by_picture:
            raise InputError(f"{path}, line {number}: the picture {name} is there twice")
        tags_by_picture[name] = [tag for tag in tags if tag]
    missing = [name for name in names if name not in tags_by_picture]
    if missing:
        raise InputError(f"{path}: the picture {missing[0]} of {CAPTIONS} has no tags ({len(missing)} have no line)")
    return tags_by_picture


def read_features(folder: str | Path, names: Sequence[str]) -> NDArray[np.float32]:
    """The features of these pictures [N, n], copied.

    Raises:
        InputError: no such file, not a matrix of numbers, a number of rows other than that of names, a picture without
            features, or features with NaN or infinity.
    """
    path = Path(folder) / FEATURES
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (ValueError, EOFError, OSError) as error:
        raise InputError(f"{path}: this is not a NumPy array of numbers ({error})") from None
    if matrix.ndim != 2 or matrix.dtype.kind not in "fiu" or 0 in matrix.shape:
        raise InputError(f"{path}: expected numbers [pictures, features], found {matrix.dtype} {list(matrix.shape)}")
    rows = {line.strip(): number - 1 for number, line in numbered_lines(Path(folder) / ROWS)}
    if len(rows) != len(matrix):
        raise InputError(f"{path}: has {len(matrix)} rows, and {ROWS} has {len(rows)} different names")
    missing = [name for name in names if name not in rows]
    if missing:
        raise InputError(f"{path}: the picture {missing[0]} of {CAPTIONS} has no features ({len(missing)} have none)")
    features = np.empty((len(names), matrix.shape[1]), np.float32)
    for start in range(0, len(names), BLOCK):
        block = features[start : start + BLOCK]
        block[:] = matrix[[rows[name] for name in names[start : start + BLOCK]]]
        broken = np.flatnonzero(~np.isfinite(block).all(1))
        if len(broken):
            name = names[start + int(broken[0])]
            raise InputError(f"{path}, row {rows[name] + 1} ({name}): expected numbers, found NaN or infinity")
    return features


def _listed(folder: Path, captions: dict[str, list[str]]) -> dict[str, Part]:
    parts: dict[str, Part] = {}
    for part in PARTS:
        path = folder / f"{part}.txt"
        for number, line in numbered_lines(path):
            name, where = line.strip(), f"{path}, line {number}"
            if not name:
                continue
            if name not in captions:
                raise InputError(f"{where}: the picture {name} has no captions in {CAPTIONS}")
            if name in parts:
                raise InputError(f"{where}: the picture {name} is in {parts[name]}.txt already")
            parts[name] = part
    return parts


def _drawn(names: list[str], shares: Sequence[float], seed: int) -> dict[str, Part]:
    order = np.random.default_rng(seed).permutation(len(names))
    dev, test = (round(share * len(names)) for share in shares)
    return {
        names[row]: "dev" if rank < dev else "test" if rank < dev + test else "train"
        for rank, row in enumerate(order.tolist())
    }
