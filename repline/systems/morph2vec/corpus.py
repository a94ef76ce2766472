"""The words of a vector space with their candidate segmentations, some of them held out, as one corpus folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import write_card
from repline.errors import InputError
from repline.files import new_folder
from repline.parameters import Count, Section
from repline.segmentation.morphology import Segmentation
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

PERCENTILE = 97.5  # of the cosines of random words, where no threshold is given
_MANY = pa.list_(pa.list_(pa.string()))
WORDS = pa.schema(
    [("word", pa.string()), ("row", pa.int64()), ("held_out", pa.bool_()), ("candidates", _MANY), ("unseen", _MANY)]
)

SUFFIXES = pa.schema([("suffix", pa.string()), ("link", pa.float64())])


class Preparation(Section):
    """The parameters of `prepare`.

    language: of the words. threshold: of the cosines of a chain; None for what 97.5 % of random pairs of words stay
    below. segments: K, most morphs of a candidate. keep: S, most candidates of a word. shortest: letters of a stem, at
    least. held_out: how many of the words with a split are kept for tests. seed: chooses them.
    """

    language: str
    threshold: float | None
    segments: Count
    keep: Count
    shortest: Count
    held_out: Count
    seed: int


class Splitter:
    """The candidates of words that have no vector, or whose vector is not to be looked at.

    Args:
        prefixes: the words that may be parts of a chain.
        suffixes: of `suffix_links`.
        listed: published segmentations; where there are some, they and their common suffixes take the place of chains.
        knobs: threshold, segments, keep, shortest.
    """

    def __init__(
        self, prefixes: Prefixes, suffixes: Mapping[str, float], listed: Segmentations, knobs: Mapping[str, Any]
    ):
        self.prefixes, self.suffixes, self.listed, self.knobs = prefixes, suffixes, listed, knobs
        self.endings = common_suffixes(listed) if listed else frozenset()

    def __call__(self, word: str) -> list[Segmentation]:
        """At most `keep` segmentations, the best first."""
        if not self.listed:
            found = unseen_candidates(word, self.prefixes, self.suffixes, **self.knobs)
            return [one.morphs for one in found]
        knobs = {name: self.knobs[name] for name in ("segments", "shortest")}
        return self.listed.get(word) or [longest_suffixes(word, self.endings, **knobs)]


def usable_words(words: Sequence[str], language: str, most: int | None = None) -> NDArray[np.int64]:
    """The rows of the first `most` words of letters in lower case."""
    rows = [row for row, word in enumerate(words) if word.isalpha() and word == lower_case(word, language)]
    return np.array(rows[:most], dtype=np.int64)


def prepare(
    words: Sequence[str],
    vectors: NDArray,
    folder: str | Path,
    listed: Segmentations | None = None,
    sources: Sequence[Mapping[str, Any]] = (),
    **knobs: Unpack[Preparation],
) -> dict[str, Any]:
    """Write words.parquet, vectors.npy, suffixes.parquet, held_out.txt and card.json into `folder`, all or nothing.

    A held-out word has two lists: `candidates`, found with its own vector at hand as those of all words are, and
    `unseen`, found without it and without the vectors of the other held-out words.

    Args:
        words, vectors: V words that `usable_words` chose, most frequent first, and [V, d].
        listed: published segmentations, which then take the place of candidates found by the vectors.
        sources: of the card.

    Returns:
        The card.

    Raises:
        InputError: too few words have a split.
    """
    chosen = Preparation(**knobs)
    everything, threshold = Prefixes(words, vectors), chosen.threshold
    if threshold is None:
        threshold = float(np.percentile(everything.random_cosines(), PERCENTILE))
    search: dict[str, Any] = {name: getattr(chosen, name) for name in ("segments", "keep", "shortest")}
    search["threshold"] = threshold
    if listed:
        splitter = Splitter(everything, {}, listed, search)
        found = [_with_whole(word, splitter(word), chosen.keep) for word in words]
    else:
        found = [candidates(word, everything, **search) for word in words]
    split = np.flatnonzero([len(one) > 1 for one in found])
    if len(split) <= chosen.held_out:
        raise InputError(
            f"{folder}: {len(split)} of {len(words)} words have a split, and {chosen.held_out} should be held out: "
            "take more words, or a lower threshold"
        )
    kept_apart = np.sort(np.random.default_rng(chosen.seed).choice(split, size=chosen.held_out, replace=False))
    known = np.ones(len(words), dtype=bool)
    known[kept_apart] = False
    links = {}
    if not listed:
        links = suffix_links([one for one, keep_it in zip(found, known, strict=True) if keep_it], everything)
    blind = Splitter(Prefixes(words, vectors, known), links, listed or {}, search)
    unseen = [[] if known[row] else blind(word) for row, word in enumerate(words)]
    listing = [[list(one.morphs) for one in options] for options in found]
    table = pa.table(
        [list(words), range(len(words)), ~known, listing, [[list(one) for one in many] for many in unseen]],
        schema=WORDS,
    )
    suffixes = pa.table([list(links), list(links.values())], schema=SUFFIXES)
    morphs = {morph for row, many in enumerate(listing) if known[row] for one in many for morph in one}
    with new_folder(folder) as partial:
        pq.write_table(table, partial / "words.parquet", compression="zstd")
        pq.write_table(suffixes, partial / "suffixes.parquet", compression="zstd")
        np.save(partial / "vectors.npy", np.ascontiguousarray(vectors, dtype=np.float32))
        lines = "".join(f"{words[row]}\n" for row in kept_apart)
        (partial / "held_out.txt").write_text(lines, encoding="utf-8")
        return write_card(
            partial,
            name=Path(folder).name,
            description="Words of a vector space with their candidate segmentations",
            licence="as the vectors",
            sources=list(sources),
            parameters=chosen.model_dump() | {"threshold": threshold, "listed": bool(listed)},
            counts={"words": len(words), "split_words": len(split), "morphs": len(morphs), "suffixes": len(links)},
            tools=["numpy", "pyarrow"],
        )


def encode(
    segmented: Sequence[Sequence[Sequence[str]]], morphs: Mapping[str, int], keep: int, segments: int
) -> NDArray[np.int64]:
    """Candidates as numbers, without those that have an unknown morph.

    Args:
        segmented: the candidates of N words; of more than `keep` known ones the first, longer than `segments` none.

    Returns:
        [N, keep, segments], padded with -1; all -1 for a word without candidates.
    """
    ids = np.full((len(segmented), keep, segments), -1, dtype=np.int64)
    for word, many in enumerate(segmented):
        place = 0
        for one in many:
            numbers = [morphs.get(morph, -1) for morph in one]
            if place < keep and 0 < len(numbers) <= segments and min(numbers) >= 0:
                ids[word, place, : len(numbers)] = numbers
                place += 1
    return ids


def _with_whole(word: str, listed: Sequence[Segmentation], keep: int) -> list[Candidate]:
    split = [Candidate(one, 1.0) for one in listed if len(one) > 1]
    return [*split[: keep - 1], Candidate((word,), 1.0)]
