"""The words of a vector space with their candidate segmentations, some of them held out, as one corpus folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, Source, source_of, write_card
from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.parameters import Json, Values
from repline.reading.settings import TableReading
from repline.reading.wrong_records import LeftOut
from repline.segmentation.combining_marks import is_letters
from repline.segmentation.morphology import Segmentation, segmentation_files
from repline.segmentation.morphology.candidates import (
    Candidate,
    Prefixes,
    candidates,
    longest_suffixes,
    suffix_links,
    unseen_candidates,
)
from repline.segmentation.morphology.letters import lower_case
from repline.segmentation.morphology.segmentation_files import Segmentations
from repline.segmentation.spaced import common_suffixes
from repline.systems.morph2vec.settings import Preparation, Space
from repline.vectors.array_files import mapped_array
from repline.vectors.formats import readers

PERCENTILE = 97.5  # of the cosines of random words, where no threshold is given
LISTED = "segmentations.json"  # published segmentations by word, where the space has some
SPACE_FILES = ("words.parquet", "suffixes.parquet", "vectors.npy", LISTED)  # from which unseen words are composed
KNOBS = ("threshold", "segments", "keep", "shortest")  # of the search for candidates
_MANY = pa.list_(pa.list_(pa.string()))
WORDS = pa.schema(
    [("word", pa.string()), ("row", pa.int64()), ("held_out", pa.bool_()), ("candidates", _MANY), ("unseen", _MANY)]
)

SUFFIXES = pa.schema([("suffix", pa.string()), ("link", pa.float64())])


class Words(NamedTuple):
    """The words of a space, V of them, as `prepare` writes them."""

    words: list[str]
    vectors: NDArray[np.float32]  # [V, d], mapped into memory
    held_out: NDArray[np.bool_]  # [V]
    candidates: list[list[Segmentation]]
    unseen: list[list[Segmentation]]  # empty for words that are not held out
    folder: Path | None = None  # that they were read from


class Splitter:
    """Find candidate segmentations of words without using a vector of their own.

    Args:
        prefixes: the words that may be parts of a chain.
        suffixes: of `suffix_links`.
        listed: published segmentations; where there are some, they and their common suffixes take the place of chains.
        knobs: threshold, segments, keep, shortest.
    """

    def __init__(self, prefixes: Prefixes, suffixes: Mapping[str, float], listed: Segmentations, knobs: Values):
        self.prefixes, self.suffixes, self.listed, self.knobs = prefixes, suffixes, listed, knobs
        self.endings = common_suffixes(listed) if listed else frozenset()

    def __call__(self, word: str) -> list[Segmentation]:
        """At most `keep` segmentations, the best first."""
        if not self.listed:
            options = unseen_candidates(word, self.prefixes, self.suffixes, **self.knobs)
            return [option.morphs for option in options]
        knobs = {name: self.knobs[name] for name in ("segments", "shortest")}
        return self.listed.get(word) or [longest_suffixes(word, self.endings, **knobs)]


def usable_words(words: Sequence[str], language: str, limit: int | None = None) -> NDArray[np.int64]:
    """The rows of the first `limit` words that consist of letters in lower case; None for all such words."""
    rows = [row for row, word in enumerate(words) if is_letters(word) and word == lower_case(word, language)]
    return np.array(rows[:limit], dtype=np.int64)


def write_data(folder: str | Path, space: Space, data: str | Path = "data") -> Card:
    """Write the words of a space with their candidates into `folder`, see `prepare`, and return the card.

    Args:
        data: the folder that the paths of the space are relative to.

    Raises:
        InputError: vectors or segmentations are not there or broken, or as of `prepare`.
    """
    words, vectors = space_vectors(space, data)
    left_out = LeftOut(space.on_error)
    listed = listed_segmentations(space, data, left_out)
    sources = [source_of(path, data) for path in (space.vectors, *space.segmentations)]
    return prepare(words, vectors, folder, space, listed, sources, left_out)


def space_vectors(space: Space, data: str | Path = "data") -> tuple[list[str], NDArray[np.float32]]:
    """The words of a space, V of them, and their vectors [V, d].

    Raises:
        InputError: the vectors are not there or broken, or none of their words is of letters in lower case.
    """
    words, matrix = readers.read(Path(data) / space.vectors)
    rows = usable_words(words, space.language, space.words)
    if not len(rows):
        raise InputError(f"{Path(data) / space.vectors}: expected words of lower-case letters, found none")
    return [words[row] for row in rows], np.asarray(matrix[rows], dtype=np.float32)


def listed_segmentations(space: Space, data: str | Path = "data", left_out: LeftOut | None = None) -> Segmentations:
    """The segmentations of all files of a space, those of the first ones first; empty where it has no files."""
    files = [Path(data) / path for path in space.segmentations]
    return segmentations(files, space.language, on_error=left_out or space.on_error, encoding=space.encoding)


def segmentations(files: Sequence[Path], language: str, **reading: Unpack[TableReading]) -> Segmentations:
    """The segmentations of several files, those of the first ones first."""
    listed: Segmentations = {}
    for file in files:
        for word, options in segmentation_files.read(file, language, **reading).items():
            listed.setdefault(word, []).extend(options)
    return listed


def prepare(
    words: Sequence[str],
    vectors: NDArray,
    folder: str | Path,
    preparation: Preparation,
    listed: Segmentations | None = None,
    sources: Sequence[Source] = (),
    left_out: LeftOut | None = None,
) -> Card:
    """Write words.parquet, vectors.npy, suffixes.parquet, held_out.txt and card.json into `folder`, all or nothing;
    and segmentations.json, where there are published segmentations.

    A held-out word has two lists: `candidates`, found with its own vector at hand as those of all words are, and
    `unseen`, found without it and without the vectors of the other held-out words.

    Args:
        words, vectors: V words that `usable_words` chose, most frequent first, and [V, d].
        preparation: how candidates are found, and what is held out.
        listed: published segmentations, which then take the place of candidates found by the vectors.
        sources: of the card.
        left_out: what was left out of the segmentations, for the card.

    Returns:
        The card.

    Raises:
        InputError: too few words have a split.
    """
    everything, threshold = Prefixes(words, vectors), preparation.threshold
    if threshold is None:
        threshold = float(np.percentile(everything.random_cosines(), PERCENTILE))
    search: dict[str, Any] = {name: getattr(preparation, name) for name in ("segments", "keep", "shortest")}
    search["threshold"] = threshold
    if listed:
        splitter = Splitter(everything, {}, listed, search)
        options_of_words = [_with_whole(word, splitter(word), preparation.keep) for word in words]
    else:
        options_of_words = [candidates(word, everything, **search) for word in words]
    split = np.flatnonzero([len(options) > 1 for options in options_of_words])
    if len(split) <= preparation.held_out:
        raise InputError(
            f"{folder}: {len(split)} of {len(words)} words have a split, and {preparation.held_out} should be held "
            "out: take more words, or a lower threshold"
        )
    held_out = np.sort(np.random.default_rng(preparation.seed).choice(split, size=preparation.held_out, replace=False))
    is_training = np.ones(len(words), dtype=bool)
    is_training[held_out] = False
    links = {}
    if not listed:
        links = suffix_links([options_of_words[row] for row in np.flatnonzero(is_training)], everything)
    blind = Splitter(Prefixes(words, vectors, is_training), links, listed or {}, search)
    unseen = [[] if is_training[row] else blind(word) for row, word in enumerate(words)]
    listing = [[list(option.morphs) for option in options] for options in options_of_words]
    table = pa.table(
        [list(words), range(len(words)), ~is_training, listing, [[list(morphs) for morphs in many] for many in unseen]],
        schema=WORDS,
    )
    suffixes = pa.table([list(links), list(links.values())], schema=SUFFIXES)
    morphs = {morph for row, many in enumerate(listing) if is_training[row] for option in many for morph in option}
    with new_folder(folder) as partial:
        pq.write_table(table, partial / "words.parquet", compression="zstd")
        pq.write_table(suffixes, partial / "suffixes.parquet", compression="zstd")
        np.save(partial / "vectors.npy", np.ascontiguousarray(vectors, dtype=np.float32))
        if listed:
            write_json(partial / LISTED, listed)
        lines = "".join(f"{words[row]}\n" for row in held_out)
        (partial / "held_out.txt").write_text(lines, encoding="utf-8")
        return write_card(
            partial,
            name=Path(folder).name,
            description="Words of a vector space with their candidate segmentations",
            licence="as the vectors",
            sources=list(sources),
            parameters=_parameters(preparation) | {"threshold": threshold, "listed": bool(listed)},
            counts={"words": len(words), "split_words": len(split), "morphs": len(morphs), "suffixes": len(links)}
            | (left_out.counts() if left_out else {}),
            notes=left_out.notes() if left_out else (),
            tools=["numpy", "pyarrow"],
        )


def read_words(folder: str | Path) -> Words:
    """The words of a space with their candidates; InputError if the folder has none."""
    path = Path(folder) / "words.parquet"
    if not path.exists():
        raise InputError(f"{path}: there are no prepared words; run the stage `prepare` of morph2vec for this space")
    table = pq.read_table(path)
    lists = (
        [[tuple(morphs) for morphs in many] for many in table[name].to_pylist()] for name in ("candidates", "unseen")
    )
    vectors = mapped_array(Path(folder) / "vectors.npy")
    candidates, unseen = lists
    return Words(table["word"].to_pylist(), vectors, table["held_out"].to_numpy(), candidates, unseen, Path(folder))


def encode(
    segmented: Sequence[Sequence[Sequence[str]]], morphs: Mapping[str, int], keep: int, segments: int
) -> NDArray[np.int64]:
    """Encode candidates as morph numbers; candidates with an unknown morph are left out.

    Args:
        segmented: the candidates of N words.
        morphs: the number of each known morph.
        keep: candidates of a word at most, the first ones.
        segments: morphs of a candidate at most; longer ones are left out.

    Returns:
        [N, keep, segments], padded with -1; all -1 for a word without candidates.
    """
    ids = np.full((len(segmented), keep, segments), -1, dtype=np.int64)
    for word, many in enumerate(segmented):
        position = 0
        for candidate in many:
            numbers = [morphs.get(morph, -1) for morph in candidate]
            if position < keep and 0 < len(numbers) <= segments and min(numbers) >= 0:
                ids[word, position, : len(numbers)] = numbers
                position += 1
    return ids


def _parameters(preparation: Preparation) -> dict[str, Json]:
    return {name: getattr(preparation, name) for name in Preparation.model_fields}


def _with_whole(word: str, listed: Sequence[Segmentation], keep: int) -> list[Candidate]:
    split = [Candidate(morphs, 1.0) for morphs in listed if len(morphs) > 1]
    return [*split[: keep - 1], Candidate((word,), 1.0)]
