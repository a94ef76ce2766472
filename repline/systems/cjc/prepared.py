"""What is learned from and tested on, as files: made once, read by every training.

first.parquet, second.parquet   `tokens`: the training pairs, words of the vocabulary alone
vocabulary.parquet              `word`, `language`, `count`: those of the first language, then those of the second
links.parquet                   `simplified`, `kanji`: the characters that correspond
matches.npz                     which words share a character [n, t]
own.npz, windows.npz, ...       the counts (`context_counts.py`); shuffled-*.npz: with matches drawn at random
tests.json                      words and sentences that are held out
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy import sparse

from repline.corpora.parallel.bitext import Bitext
from repline.errors import InputError
from repline.files import write_json
from repline.systems.cjc.character_matching import Link, word_matches
from repline.systems.cjc.context_counts import ContextCounts, count_contexts
from repline.systems.cjc.corpus import Side, Split, Vocabulary, lists, numbered, side, split

SHUFFLED = "shuffled-"


@dataclass(frozen=True)
class Tests:
    """Held-out words and sentences as word numbers.

    Attributes:
        lexicon: [m, 2] words that are translations.
        sharing: [m] whether they share a character.
        first, second: the words of the held-out sentences that are in the vocabulary.
    """

    lexicon: NDArray[np.int64]
    sharing: NDArray[np.bool_]
    first: list[NDArray[np.int64]]
    second: list[NDArray[np.int64]]


def write_training(
    folder: Path,
    bitext: Bitext,
    vocabulary: Vocabulary,
    links: set[Link],
    *,
    window: int,
    distance_weight: bool,
    seed: int,
) -> dict[str, int]:
    """Write all but the tests; returns counts for the card.

    Args:
        bitext: the training pairs.
        seed: of the matches that are drawn at random.
    """
    words = (vocabulary.first, vocabulary.second)
    sides = numbered(bitext, vocabulary)
    if not len(sides[0].ids):
        raise InputError("cjc.minimum_count: no training pair has a frequent word on both sides")
    names = [*vocabulary.first, *vocabulary.second]
    for name, one in zip(("first", "second"), sides, strict=True):
        table = pa.table({"tokens": [[names[word] for word in ids] for ids in lists(one)]})
        pq.write_table(table, folder / f"{name}.parquet", compression="zstd")
    languages = [language for language, own in zip(bitext.languages, words, strict=True) for _ in own]
    table = pa.table({"word": names, "language": languages, "count": vocabulary.counts})
    pq.write_table(table, folder / "vocabulary.parquet", compression="zstd")
    pairs = sorted(links)
    table = pa.table({"simplified": [one for one, _ in pairs], "kanji": [other for _, other in pairs]})
    pq.write_table(table, folder / "links.parquet", compression="zstd")
    matches = word_matches(*words, links)
    sparse.save_npz(folder / "matches.npz", matches)
    for start, shuffle in ((SHUFFLED, seed), ("", None)):
        counts = count_contexts(*sides, matches, window=window, distance_weight=distance_weight, shuffle=shuffle)
        for name, part in counts._asdict().items():
            if not start or name in ("windows", "matched"):  # the others do not hang on the characters
                sparse.save_npz(folder / f"{start}{name}.npz", part)
    return {
        "training_pairs": len(sides[0].offsets) - 1,
        "word_matches": matches.nnz,
        "token_matches": int(counts.matched.sum()),
        "cells": counts.combined(matching=1, parallel=1).nnz,
    }


def write_tests(folder: Path, split_pairs: Split, elsewhere: dict[str, Bitext], test: Any) -> None:
    """Write tests.json: the held-out words and sentences, and those of other origins.

    Args:
        test: the knobs of `repline.systems.cjc.corpus.split`; of another origin as many sentences as it has, at most.
    """
    others = {name: split(bitext, fewer=True, **test) for name, bitext in elsewhere.items()}
    tests = {
        name: {"lexicon": one.lexicon, "first": one.held_out.first, "second": one.held_out.second}
        for name, one in ({"": split_pairs} | others).items()
    }
    write_json(folder / "tests.json", {"tests": tests, "dictionary": split_pairs.dictionary})


class Prepared:
    """A folder that was written by the functions above."""

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        table = pq.read_table(self.folder / "vocabulary.parquet")
        languages, words = table["language"].to_pylist(), table["word"].to_pylist()
        self.languages = tuple(dict.fromkeys(languages))
        n = languages.index(self.languages[1])
        self.vocabulary = Vocabulary(words[:n], words[n:], table["count"].to_numpy())
        self.words = [f"{language}:{word}" for language, word in zip(languages, words, strict=True)]
        self._tests = json.loads((self.folder / "tests.json").read_text(encoding="utf-8"))

    @property
    def n(self) -> int:
        """How many words the first language has."""
        return len(self.vocabulary.first)

    @property
    def elsewhere(self) -> list[str]:
        """The other origins that there are tests of."""
        return [name for name in self._tests["tests"] if name]

    @property
    def dictionary(self) -> list[tuple[str, str]]:
        """Pairs of words that are not in the lexicon of the test."""
        return [tuple(pair) for pair in self._tests["dictionary"]]

    @property
    def lexicon(self) -> list[tuple[str, str]]:
        """The pairs of words of the test, in words."""
        return [tuple(pair) for pair in self._tests["tests"][""]["lexicon"]]

    def links(self) -> list[Link]:
        """The characters that correspond."""
        table = pq.read_table(self.folder / "links.parquet")
        return list(zip(table["simplified"].to_pylist(), table["kanji"].to_pylist(), strict=True))

    def sides(self) -> tuple[Side, Side]:
        """The training pairs as word numbers."""
        found = []
        for name, index in zip(("first", "second"), self.vocabulary.numbers(), strict=True):
            sentences = pq.read_table(self.folder / f"{name}.parquet")["tokens"].to_pylist()
            found.append(side([[index[word] for word in sentence] for sentence in sentences]))
        return tuple(found)

    def matches(self) -> sparse.csr_array:
        """Which words share a character, bool [n, t]."""
        return sparse.csr_array(sparse.load_npz(self.folder / "matches.npz"))

    def counts(self, shuffled: bool = False) -> ContextCounts:
        """The counts; `shuffled`: with matches drawn at random."""
        start = SHUFFLED if shuffled else ""
        names = {"windows": f"{start}windows", "matched": f"{start}matched"}
        return ContextCounts(
            *(
                sparse.csr_array(sparse.load_npz(self.folder / f"{names.get(name, name)}.npz"))
                for name in ContextCounts._fields
            )
        )

    def tests(self, origin: str = "") -> Tests:
        """The tests of the training's own origins, or of another one."""
        found, index, matches = self._tests["tests"][origin], self.vocabulary.numbers(), self.matches()
        known = [
            (index[0][one], index[1][other]) for one, other in found["lexicon"] if one in index[0] and other in index[1]
        ]
        lexicon = np.array(known, dtype=np.int64).reshape(-1, 2)
        sharing = [bool(matches[one, other - self.n]) for one, other in known]
        sentences = (
            [_numbers(sentence, own) for sentence in found[name]]
            for name, own in zip(("first", "second"), index, strict=True)
        )
        return Tests(lexicon, np.array(sharing, dtype=bool), *sentences)


def mutual_information(bitext: Bitext, characters: Sequence[str], links: set[Link]) -> dict[str, float]:
    """How much a character on one side tells of its counterparts on the other, in bits, at most 1.

        I = sum over a, b in {0, 1} of P(a, b) log2 P(a, b) / (P(a) P(b)),   a: a sentence has it, b: its partner does

    Source: Wang et al. 2018, table 2, whose numbers are of another definition (Wang et al. 2016).
    """
    found = {}
    for character in characters:
        counterparts = {other for one, other in links if one == character}
        a = np.array([any(character in word for word in sentence) for sentence in bitext.first])
        b = np.array([any(one in counterparts for word in sentence for one in word) for sentence in bitext.second])
        joint = np.array([[np.mean((a == x) & (b == y)) for y in (False, True)] for x in (False, True)])
        apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
        there = joint > 0
        found[character] = float((joint[there] * np.log2(joint[there] / apart[there])).sum())
    return found


def _numbers(sentence: Sequence[str], index: dict[str, int]) -> NDArray[np.int64]:
    return np.array([index[word] for word in sentence if word in index], dtype=np.int64)
