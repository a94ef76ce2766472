"""Features of the pictures of words as one array, with the sets: the rows that belong to each word.

On disk: `features.npy` [P, d] float32, memory-mapped; `pictures.parquet`, what each row shows (`collection`, `name`);
`sets.parquet` with `language`, `word` (cleaned, case-folded) and `pictures`, the rows; `means.npy` [collections, d]
float32, what features that are centred lack, by the names of the collections in order; `network`, the weights that made
them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, read_card, write_card
from repline.corpora.pictures import emoji, hand_features, picture_files
from repline.corpora.pictures.picture_files import PictureFile
from repline.corpora.pictures.recipes import Features
from repline.croissant import CARD
from repline.errors import InputError, in_one_line, shown
from repline.files import link_or_copy, new_folder
from repline.lexicons.letter_case import without_case
from repline.reading.text_cleaning import clean_text
from repline.vectors.array_files import mapped_array

if TYPE_CHECKING:
    from PIL import Image

FEATURES, PICTURES, SETS = "features.npy", "pictures.parquet", "sets.parquet"
MEANS = "means.npy"
NETWORK = "network"  # a folder with the weights of the network that made the features
ROWS = pa.schema([("collection", pa.string()), ("name", pa.string())])
WORDS = pa.schema([("language", pa.string()), ("word", pa.string()), ("pictures", pa.list_(pa.int32()))])
BATCH = 32  # pictures decoded at once

Sets = dict[str, dict[str, list[int]]]  # language -> word -> rows


@dataclass(frozen=True)
class PictureSets:
    """Features and sets in memory.

    Attributes:
        features: [P, d], of the file, not yet read.
        sets: language -> word -> rows of its pictures.
        names: of each row, its collection and name.
        kind: of the features, the name of their extractor; None if that is not known.
        means: by collection, the mean [d] that its features lack; empty where none was subtracted, or it is not known.
        folder: of the files, if any.
    """

    features: NDArray[np.float32]
    sets: Sets
    names: list[tuple[str, str]]
    kind: str | None = None
    means: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    folder: Path | None = None


class Extractor(NamedTuple):
    """A function from pictures to their features, and how it is described.

    Attributes:
        kind: its name.
        size: edge of the pictures it takes, pixels.
        features: pixels [N, size, size, 3] -> [N, d].
        whole: features of all pictures and the number of each one's collection -> what is kept; None to keep them.
        tools: distributions whose versions matter.
        weights: the file of a network, which is kept with the features so that more pictures can be added.
    """

    kind: str
    size: int
    features: Callable[[NDArray[np.uint8]], NDArray[np.float32]]
    whole: Callable[[NDArray[np.float32], NDArray[np.int64]], NDArray[np.float32]] | None = None
    tools: Sequence[str] = ()
    weights: Path | None = None


HAND = Extractor("hand", hand_features.SIZE, hand_features.hand_blocks, hand_features.hand_features)


def write_features(
    source: str | Path,
    folder: str | Path,
    recipe: Features,
    extractor: Extractor = HAND,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Write `folder`, the features of all pictures of a source, and its card. Pictures are read a batch at a time.

    Args:
        source: a folder of the form that the recipe names.
        folder: replaces what was there; it appears whole or not at all.
        recipe: the form of the source, and what to do with pictures that cannot be decoded.
        extractor: of the features; hand ones (`repline.corpora.pictures.hand_features`) need no network.
        progress: called with the number of pictures done, and of all.

    Returns:
        the card.

    Raises:
        InputError: no pictures, one that cannot be decoded, a feature that is not finite.
    """
    if recipe.form == "emoji":
        collections, files_by_language = _emoji(source, recipe.vendors)
    elif recipe.vendors is not None:
        raise InputError("vendors are for pictures of the form emoji; folders have none")
    else:
        collections, files_by_language = _folders(source)
    files = [(name, file) for name, of in collections.items() for file in of]
    lost: list[str] = []
    rows: dict[tuple[str, str], int] = {}
    with new_folder(folder) as partial:
        blocks = []
        pictures = _decoded(files, extractor.size, lost if recipe.on_error == "salvage" else None)
        while block := list(islice(pictures, BATCH)):
            block_features = extractor.features(np.stack([pixels for _, _, pixels in block]))
            if not np.isfinite(block_features).all():
                bad = block[int(np.flatnonzero(~np.isfinite(block_features).all(1))[0])][1]
                raise InputError(f"{bad.where}: its features are not finite")
            blocks.append(block_features.astype(np.float32))
            for name, file, _ in block:
                rows[name, file.name] = len(rows)
            if progress:
                progress(len(rows) + len(lost), len(files))
        if not blocks:
            raise InputError(f"{source}: none of the {len(files)} pictures can be decoded")
        features = np.concatenate(blocks)
        if extractor.weights:
            (partial / NETWORK).mkdir()
            link_or_copy(extractor.weights, partial / NETWORK / extractor.weights.name)
        if extractor.whole:
            names, numbers = np.unique([collection for collection, _ in rows], return_inverse=True)
            members = (features[numbers == number] for number in range(len(names)))
            means = [
                collection_features.mean(0, dtype=np.float64).astype(np.float32) for collection_features in members
            ]
            np.save(partial / MEANS, np.stack(means))
            features = extractor.whole(features, numbers)
        np.save(partial / FEATURES, features)
        sets = {
            language: {
                word: rows_of_word
                for word, of in words.items()
                if (rows_of_word := [rows[file_name] for file_name in of if file_name in rows])
            }
            for language, words in files_by_language.items()
        }
        _write_sets(partial, sets, list(rows))
        origin = card_or_files(source)
        return write_card(
            partial,
            name=f"{origin['name']}: features of pictures",
            description=f"{origin.get('description', origin['name'])}; as features ({extractor.kind})",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters=recipe.model_dump(include=set(Features.model_fields)) | {"kind": extractor.kind},
            counts={"pictures": len(rows), "dimensions": int(blocks[0].shape[1]), "left_out": len(lost)}
            | {f"words_{language}": len(words) for language, words in sets.items()},
            tools=["numpy", "pillow", "pyarrow", *extractor.tools],
            notes=[f"left out: {file_name}" for file_name in lost],
        )


def read_features(folder: str | Path) -> PictureSets:
    """Read features that `write_features` wrote, or any folder of the same form.

    Raises:
        InputError: a file is missing or broken, a feature is not finite, or a set speaks of a row that is not there.
    """
    folder = Path(folder)
    try:
        features = mapped_array(folder / FEATURES)
        words = pq.read_table(folder / SETS, schema=WORDS)
        names = pq.read_table(folder / PICTURES, schema=ROWS)
    except FileNotFoundError as error:
        raise InputError(
            f"{error.filename}: there is no such file; compute the features of the pictures first"
        ) from None
    except (ValueError, OSError, pa.ArrowException) as error:
        raise InputError(f"{folder}: the features cannot be read ({in_one_line(error)})") from None
    if features.ndim != 2 or len(features) != len(names):
        raise InputError(f"{folder}: {FEATURES} should have a row for each of the {len(names)} pictures")
    for start in range(0, len(features), 4096):
        bad = np.flatnonzero(~np.isfinite(features[start : start + 4096]).all(1))
        if len(bad):
            raise InputError(f"{folder}: row {start + bad[0]} of {FEATURES} holds a number that is not finite (NaN)")
    sets: Sets = {}
    columns = (words[name].to_pylist() for name in WORDS.names)
    for language, word, rows in zip(*columns, strict=True):
        if not rows or min(rows) < 0 or max(rows) >= len(features):
            raise InputError(
                f"{folder}: {SETS} gives {shown(word)} pictures that {FEATURES} does not have; compute the features "
                "again"
            )
        sets.setdefault(language, {})[word] = rows
    names_of_rows = zip(names["collection"].to_pylist(), names["name"].to_pylist(), strict=True)
    kind = read_card(folder)["parameters"].get("kind") if (folder / CARD).exists() else None
    return PictureSets(
        features, sets, list(names_of_rows), kind, _means(folder, names["collection"].to_pylist()), folder
    )


def _means(folder: Path, collections: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    """The means of the collections, in the order of their names; none where they were not subtracted."""
    if not (folder / MEANS).exists():
        return {}
    names, means = sorted(set(collections)), np.array(mapped_array(folder / MEANS))
    if len(means) != len(names):
        raise InputError(f"{folder / MEANS}: expected a row for each of {len(names)} collections, found {len(means)}")
    return dict(zip(names, means, strict=True))


def decoded_pixels(files: Iterable[tuple[bytes, str]], size: int) -> Iterator[NDArray[np.uint8]]:
    """Pixels [size, size, 3] of pictures, each its bytes and where they are from.

    Raises:
        InputError: a picture cannot be decoded.
    """
    for content, where in files:
        yield _squeezed(picture_files.decode(content, where), size)


def _folders(source: str | Path) -> tuple[dict[str, list[PictureFile]], dict[str, dict[str, list[tuple[str, str]]]]]:
    """The files of each language, and its sets: word -> (language, name of the file).

    A word is cleaned as the lists are (`clean_text`): macOS names folders with letters and marks apart.
    """
    collections = {
        name: list(picture_files.word_pictures(path)) for name, path in picture_files.languages(source).items()
    }
    files_by_language: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for language, files in collections.items():
        words = files_by_language.setdefault(language, {})
        for file in files:
            words.setdefault(without_case(clean_text(file.word)), []).append((language, file.name))
    return collections, files_by_language


def _emoji(source: str | Path, vendors: dict[str, str] | None):
    """Pictures of emoji; a collection is a vendor, and its files have the names of their codes."""
    if not vendors:
        raise InputError("emoji need vendors, as {en: google, de: twitter}")
    named = {language: emoji.emoji_words(source, language) for language in vendors}
    codes = list(dict.fromkeys(code for words in named.values() for of in words.values() for code in of))
    collections = {vendor: emoji.emoji_pictures(source, vendor, codes) for vendor in dict.fromkeys(vendors.values())}
    files_by_language = {
        language: {word: [(vendors[language], f"{code}.png") for code in of] for word, of in words.items()}
        for language, words in named.items()
    }
    return collections, files_by_language


def _decoded(
    files: Sequence[tuple[str, PictureFile]], size: int, lost: list[str] | None
) -> Iterator[tuple[str, PictureFile, NDArray[np.uint8]]]:
    """Collection, file and pixels [size, size, 3] of each picture; what cannot be decoded goes to `lost`, if given."""
    for name, file in files:
        try:
            picture = picture_files.decode(file.read(), file.where)
        except InputError as error:
            if lost is None:
                raise
            lost.append(str(error))
            continue
        yield name, file, _squeezed(picture, size)


def _squeezed(picture: "Image.Image", size: int) -> NDArray[np.uint8]:
    from PIL import Image

    if picture.size != (size, size):
        picture = picture.resize((size, size), Image.Resampling.BICUBIC)
    return np.asarray(picture)


def _write_sets(folder: Path, sets: Sets, names: Sequence[tuple[str, str]]) -> None:
    listed = [(language, word, rows) for language, words in sets.items() for word, rows in words.items()]
    columns = [list(column) for column in zip(*listed, strict=True)]
    pq.write_table(pa.table(columns, schema=WORDS), folder / SETS, compression="zstd")
    pq.write_table(pa.table([list(column) for column in zip(*names, strict=True)], schema=ROWS), folder / PICTURES)
