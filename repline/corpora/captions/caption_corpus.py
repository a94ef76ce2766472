"""A corpus of captions on disk: a row a caption, and the features of the pictures as one array.

    part-*.parquet      doc_id (the picture), sentence_id (the caption's number), part, target, tokens
    pictures.parquet    doc_id, part: a row for each row of features.npy
    features.npy        float32 [pictures, n]
    tags.txt            what the features count, one on a line, where they are counts

Captions with `target` are learned in training, and are the references elsewhere; the others are what tags are counted
in and are never shown to a model.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, read_card, write_card
from repline.corpora.captions.caption_table import read_features, read_table, read_tags
from repline.corpora.captions.flickr8k import read_flickr8k
from repline.corpora.captions.multi30k import read_multi30k
from repline.corpora.captions.picture import PARTS, Part, Picture, caption_words, words_left_out
from repline.corpora.captions.recipes import CaptionCorpus, Features
from repline.corpora.captions.tag_counts import count_tags, frequent_tags
from repline.corpora.parquet import PartWriter
from repline.errors import InputError, in_one_line, readable, shown
from repline.files import new_folder
from repline.parameters import Json
from repline.reading.settings import TableReading, recipe_values
from repline.reading.wrong_records import LeftOut

SCHEMA = pa.schema(
    [
        ("doc_id", pa.string()),
        ("sentence_id", pa.int32()),
        ("part", pa.string()),
        ("target", pa.bool_()),
        ("tokens", pa.list_(pa.string())),
    ]
)
TAGS = "tags.txt"
ROWS = 1024  # pictures whose captions are written at once


def write_captions(source: str | Path, folder: str | Path, corpus: CaptionCorpus) -> Card:
    """Write `folder`, a corpus of captions, and its card.

    Args:
        source: a folder with the files of Flickr8k, of Multi30k's task 2, or a table (see `caption_table`).
        folder: replaces what was there; it appears whole or not at all.
        corpus: what the source is, and what features are made of it.

    Returns:
        the card.

    Raises:
        InputError: the source cannot be read, features that the form does not have, a part without pictures, a picture
            without a target or without a word, features with NaN.
    """
    left_out = LeftOut(corpus.on_error)
    pictures, dropped = [], 0
    for picture in _pictures(source, corpus, left_out):
        captions = [caption_words(caption, corpus.periods) for caption in picture.captions]
        dropped += sum(map(words_left_out, picture.captions, captions)) if corpus.form == "table" else 0
        pictures.append(picture._replace(captions=captions))
    context = set(corpus.tag_captions) if corpus.features == "co_captions" else set[int]()
    _check(source, pictures, context)
    matrix, names = _features(source, pictures, corpus, context, left_out)
    with new_folder(folder) as partial:
        with PartWriter(partial, SCHEMA) as writer:
            for start in range(0, len(pictures), ROWS):
                rows = list(chain.from_iterable(_rows(picture, context) for picture in pictures[start : start + ROWS]))
                writer.write(pa.RecordBatch.from_pylist(rows, SCHEMA))
        listed = {"doc_id": [picture.name for picture in pictures], "part": [picture.part for picture in pictures]}
        pq.write_table(pa.table(listed), partial / "pictures.parquet", compression="zstd")
        np.save(partial / "features.npy", matrix)
        if names:
            (partial / TAGS).write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
        origin = card_or_files(source)
        return write_card(
            partial,
            name=f"{origin['name']}: captions",
            description=f"{origin.get('description', origin['name'])}; as captions with features of their pictures",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters=recipe_values(corpus, exclude={"source"}) | {"tag_captions": sorted(context), "language": "en"},
            counts={"pictures": len(pictures), "captions": writer.rows, "features": matrix.shape[1]}
            | {f"pictures_{part}": sum(picture.part == part for picture in pictures) for part in PARTS}
            | ({"words_left_out": dropped} if dropped else {})
            | left_out.counts(),
            notes=left_out.notes(),
            tools=["numpy", "pyarrow", *(["spacy"] if corpus.stop_words and corpus.features == "co_captions" else [])],
        )


@dataclass(frozen=True)
class Captions:
    """The pictures and captions of one part of a corpus.

    Attributes:
        names: of the pictures.
        rows: of the pictures in `features`, [N].
        captions: all of each picture: whether it is a target, and its tokens.
        features: of the whole corpus, memory-mapped, [pictures, n].
        counted: what the features are, see `CaptionCorpus.features`.
        tags: what they count [n]; empty where they are given.
    """

    names: list[str]
    rows: NDArray[np.int64]
    captions: list[list[tuple[bool, list[str]]]]
    features: NDArray[np.float32]
    counted: Features = "given"
    tags: Sequence[str] = ()

    def targets(self) -> list[list[list[str]]]:
        """Tokens of the target captions, by picture."""
        return [[tokens for target, tokens in every if target] for every in self.captions]


def read_captions(folder: str | Path) -> dict[Part, Captions]:
    """The three parts of a corpus.

    Raises:
        InputError: there is no such corpus, or it is damaged.
    """
    folder = Path(folder)
    paths = sorted(folder.glob("part-*.parquet"))
    if not paths or not (folder / "pictures.parquet").exists():
        raise InputError(f"{folder}: expected a corpus of captions; make it by stages/captions")
    try:
        features = np.load(folder / "features.npy", mmap_mode="r", allow_pickle=False)
        listed = pq.read_table(folder / "pictures.parquet").to_pydict()
        rows = [row for path in paths for row in pq.read_table(path, schema=SCHEMA).to_pylist()]
    except (pa.ArrowInvalid, EOFError, OSError, ValueError) as error:
        raise InputError(
            f"{folder}: a file of this corpus cannot be read ({in_one_line(error)}); make it again"
        ) from None
    captions: dict[str, list[tuple[bool, list[str]]]] = {name: [] for name in listed["doc_id"]}
    for row in rows:
        captions[row["doc_id"]].append((row["target"], row["tokens"]))
    path = folder / TAGS
    tags = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    counted = read_card(folder)["parameters"]["features"]
    captions_by_part: dict[Part, Captions] = {}
    for part in PARTS:
        rows_of_part = [
            row_of_picture for row_of_picture, part_listed in enumerate(listed["part"]) if part_listed == part
        ]
        names = [listed["doc_id"][row_of_picture] for row_of_picture in rows_of_part]
        captions_by_part[part] = Captions(
            names, np.array(rows_of_part, np.int64), [captions[name] for name in names], features, counted, tags
        )
    return captions_by_part


def _pictures(source: str | Path, corpus: CaptionCorpus, left_out: LeftOut) -> Iterator[Picture]:
    reading = TableReading(on_error=left_out, encoding=corpus.encoding)
    if corpus.form == "table":
        return read_table(source, (corpus.dev, corpus.test), corpus.seed, head=corpus.head, **reading)
    return read_flickr8k(source, **reading) if corpus.form == "flickr8k" else read_multi30k(source, **reading)


def _check(source: str | Path, pictures: Sequence[Picture], context: set[int]) -> None:
    for part in PARTS:
        if not any(picture.part == part for picture in pictures):
            raise InputError(f"{source}: expected pictures in {', '.join(PARTS)}, found none in {part}")
    for picture in pictures:
        targets = [caption for number, caption in enumerate(picture.captions) if number not in context]
        if not targets:
            raise InputError(
                f"{source}: tag_captions leaves none of the {len(picture.captions)} captions of the picture "
                f"{shown(picture.name)} to learn from; lower it"
            )
        if context and len(targets) == len(picture.captions):
            numbers = readable(", ".join(map(str, sorted(context))))
            raise InputError(
                f"{source}: features co_captions are counted in captions {numbers} of each "
                f"picture, numbered from 0, and {shown(picture.name)} has {len(targets)} alone; take features "
                "given or tags, or other tag_captions"
            )
        if not any(targets):
            raise InputError(f"{source}: no caption of the picture {shown(picture.name)} to learn from has a word")


def _features(
    source: str | Path, pictures: Sequence[Picture], corpus: CaptionCorpus, context: set[int], left_out: LeftOut
) -> tuple[NDArray[np.float32], list[str]]:
    """The features [pictures, n], and what each counts."""
    if corpus.features == "given":
        return read_features(source, [picture.name for picture in pictures], corpus.encoding), []
    if corpus.features == "tags":
        names_of_pictures = [picture.name for picture in pictures]
        tags_by_picture = read_tags(source, names_of_pictures, on_error=left_out, encoding=corpus.encoding)
        names = frequent_tags(
            (tags_by_picture[picture.name] for picture in pictures if picture.part == "train"),
            corpus.tags,
            (),
            corpus.least,
        )
        return count_tags([tags_by_picture[picture.name] for picture in pictures], names), names
    training = (chain.from_iterable(picture.captions) for picture in pictures if picture.part == "train")
    ignored = [".", *_stop_words(corpus.stop_words)]
    names = frequent_tags((list(words) for words in training), corpus.tags, ignored, corpus.least)
    seen = [
        [word for number, words in enumerate(picture.captions) if number in context for word in words]
        for picture in pictures
    ]
    return count_tags(seen, names), names


def _rows(picture: Picture, context: set[int]) -> Iterator[dict[str, Json]]:
    for number, tokens in enumerate(picture.captions):
        if tokens:
            yield {
                "doc_id": picture.name,
                "sentence_id": number,
                "part": picture.part,
                "target": number not in context,
                "tokens": tokens,
            }


def _stop_words(language: str | None) -> list[str]:
    if language is None:
        return []
    import spacy  # two seconds of imports

    try:
        return sorted(spacy.blank(language).Defaults.stop_words)
    except ImportError:
        raise InputError(f"stop_words: spaCy has no language {shown(language)}; give a code such as en") from None
