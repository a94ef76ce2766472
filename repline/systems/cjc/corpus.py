"""The training pairs, counts and tests as files: written once, read by every training.

first.parquet, second.parquet   `tokens`: the training pairs, words of the vocabulary alone
vocabulary.parquet              `word`, `language`, `count`: those of the first language, then those of the second
links.parquet                   `simplified`, `kanji`: the characters that correspond
matches.npz                     which words share a character [n, t]
own.npz, windows.npz, ...       the counts (`context_counts.py`); shuffled-*.npz: with matches drawn at random
tests.json                      words and sentences that are held out
characters.json                 what the table of characters covers, and how much its characters tell
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy import sparse

from repline.cards import Card, card_or_files, write_card
from repline.corpora.parallel.bitext import Bitext, read_bitext
from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.lexicons.character_table import coverage, identity_shares, links, read_table
from repline.parameters import JsonObject
from repline.reading.wrong_records import LeftOut
from repline.systems.cjc.character_matching import Link, word_matches
from repline.systems.cjc.context_counts import ContextCounts, count_contexts
from repline.systems.cjc.parallel_sentences import Side, Split, Vocabulary, lists, numbered, side, split
from repline.systems.cjc.settings import Corpus, HeldOut

SHUFFLED = "shuffled-"
CHARACTERS = "天地人中学"  # of the paper's table 2


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


def write_data(folder: str | Path, corpus: Corpus, data: str | Path = "data") -> Card:
    """Write `folder`, and return its card.

    Args:
        folder: replaces what was there.
        corpus: the bitext and the tables of characters, folders and files of `data`.

    Raises:
        InputError: an origin that the bitext lacks, too few pairs or words, or a broken table.
    """
    data = Path(data)
    whole = read_bitext(data / corpus.corpus)
    bitext = whole.of(corpus.origins)
    left_out = LeftOut(corpus.on_error)
    table = read_table(data / corpus.characters, on_error=left_out)
    compared = table if corpus.compared == corpus.characters else read_table(data / corpus.compared, on_error=left_out)
    pairs = split(bitext, corpus.test)
    vocabulary = Vocabulary.of(pairs.training, corpus.minimum_count)
    with new_folder(folder) as partial:
        counts = write_training(partial, pairs.training, vocabulary, links(table), corpus)
        write_tests(partial, pairs, {origin: whole.of([origin]) for origin in corpus.elsewhere}, corpus.test)
        shares, rows = identity_shares(table)
        characters = {
            "identity": shares | {"rows": rows},
            "coverage": coverage(links(table), links(compared)),
            "mutual_information": mutual_information(pairs.training, CHARACTERS, links(table)),
        }
        write_json(partial / "characters.json", characters)
        words = zip(bitext.languages, vocabulary[:2], strict=True)
        counts |= {f"words_{language}": len(language_words) for language, language_words in words}
        counts |= {"test_words": len(pairs.lexicon), "test_sentences": len(pairs.held_out.first)}
        sources = dict.fromkeys((corpus.corpus, corpus.characters, corpus.compared))
        return write_card(
            partial,
            name="cjc",
            description="Words in the contexts of words of two languages, counted; words and sentences to test with",
            licence="that of the parallel corpus",
            sources=[{"corpus": card_or_files(data / source)} for source in sources],
            parameters=corpus.model_dump(include=set(Corpus.model_fields) - {"on_error"})
            | corpus.model_dump(include={"on_error"}, exclude_defaults=True),
            counts=counts | left_out.counts(),
            notes=left_out.notes(),
            tools=["pyarrow", "numpy", "scipy"],
        )


def write_training(
    folder: Path, bitext: Bitext, vocabulary: Vocabulary, character_links: set[Link], corpus: Corpus
) -> dict[str, int]:
    """Write all but the tests and the characters; returns counts for the card.

    Args:
        bitext: the training pairs.
    """
    words = (vocabulary.first, vocabulary.second)
    sides = numbered(bitext, vocabulary)
    if not len(sides[0].ids):
        raise InputError(
            "no training pair has words of the minimum count on both sides; lower the count, or take more text"
        )
    names = [*vocabulary.first, *vocabulary.second]
    for name, sentences in zip(("first", "second"), sides, strict=True):
        table = pa.table({"tokens": [[names[word] for word in ids] for ids in lists(sentences)]})
        pq.write_table(table, folder / f"{name}.parquet", compression="zstd")
    languages = [
        language for language, language_words in zip(bitext.languages, words, strict=True) for _ in language_words
    ]
    table = pa.table({"word": names, "language": languages, "count": vocabulary.counts})
    pq.write_table(table, folder / "vocabulary.parquet", compression="zstd")
    pairs = sorted(character_links)
    table = pa.table({"simplified": [simplified for simplified, _ in pairs], "kanji": [kanji for _, kanji in pairs]})
    pq.write_table(table, folder / "links.parquet", compression="zstd")
    matches = word_matches(*words, character_links)
    sparse.save_npz(folder / "matches.npz", matches)
    for start, shuffle in ((SHUFFLED, corpus.test.seed), ("", None)):
        counts = count_contexts(*sides, matches, corpus.window, corpus.distance_weight, shuffle)
        for name, part in counts._asdict().items():
            if not start or name in ("windows", "matched"):  # the others do not depend on the characters
                sparse.save_npz(folder / f"{start}{name}.npz", part)
    return {
        "training_pairs": len(sides[0].offsets) - 1,
        "word_matches": matches.nnz,
        "token_matches": int(counts.matched.sum()),
        "cells": counts.combined(matching=1, parallel=1).nnz,
    }


def write_tests(folder: Path, split_pairs: Split, elsewhere: dict[str, Bitext], test: HeldOut) -> None:
    """Write tests.json: the held-out words and sentences, and those of other origins.

    Args:
        test: how many; of another origin as many sentences as it has, at most.
    """
    splits = {name: split(bitext, test, fewer=True) for name, bitext in elsewhere.items()}
    tests = {
        name: {
            "lexicon": origin_pairs.lexicon,
            "first": origin_pairs.held_out.first,
            "second": origin_pairs.held_out.second,
        }
        for name, origin_pairs in ({"": split_pairs} | splits).items()
    }
    write_json(folder / "tests.json", {"tests": tests, "dictionary": split_pairs.dictionary})


class Data:
    """A folder that `write_data` wrote."""

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
        """Origins apart from the first one that there are tests of."""
        return [name for name in self._tests["tests"] if name]

    @property
    def dictionary(self) -> list[tuple[str, str]]:
        """Pairs of words that are not in the lexicon of the test."""
        return [tuple(pair) for pair in self._tests["dictionary"]]

    @property
    def lexicon(self) -> list[tuple[str, str]]:
        """The pairs of words of the test, in words."""
        return [tuple(pair) for pair in self._tests["tests"][""]["lexicon"]]

    @property
    def characters(self) -> JsonObject:
        """What the table of characters covers: `identity`, `coverage`, `mutual_information`."""
        return json.loads((self.folder / "characters.json").read_text(encoding="utf-8"))

    def links(self) -> list[Link]:
        """The characters that correspond."""
        table = pq.read_table(self.folder / "links.parquet")
        return list(zip(table["simplified"].to_pylist(), table["kanji"].to_pylist(), strict=True))

    def sides(self) -> tuple[Side, Side]:
        """The training pairs as word numbers."""
        sides = []
        for name, index in zip(("first", "second"), self.vocabulary.numbers(), strict=True):
            sentences = pq.read_table(self.folder / f"{name}.parquet")["tokens"].to_pylist()
            sides.append(side([[index[word] for word in sentence] for sentence in sentences]))
        return sides[0], sides[1]

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
        test, index, matches = self._tests["tests"][origin], self.vocabulary.numbers(), self.matches()
        pairs = [
            (index[0][word], index[1][translation])
            for word, translation in test["lexicon"]
            if word in index[0] and translation in index[1]
        ]
        lexicon = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        sharing = [bool(matches[word, translation - self.n]) for word, translation in pairs]
        sentences = (
            [_numbers(sentence, language_index) for sentence in test[name]]
            for name, language_index in zip(("first", "second"), index, strict=True)
        )
        return Tests(lexicon, np.array(sharing, dtype=bool), *sentences)


def mutual_information(bitext: Bitext, characters: Sequence[str], character_links: set[Link]) -> dict[str, float]:
    """How much a character on one side tells of its counterparts on the other, in bits, at most 1.

        I = sum over a, b in {0, 1} of P(a, b) log2 P(a, b) / (P(a) P(b)),   a: a sentence has it, b: its partner does

    Source: Wang et al. 2018, table 2, whose numbers are of another definition (Wang et al. 2016).
    """
    information = {}
    for character in characters:
        counterparts = {kanji for simplified, kanji in character_links if simplified == character}
        a = np.array([any(character in word for word in sentence) for sentence in bitext.first])
        b = np.array([any(kanji in counterparts for word in sentence for kanji in word) for sentence in bitext.second])
        joint = np.array([[np.mean((a == x) & (b == y)) for y in (False, True)] for x in (False, True)])
        apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
        there = joint > 0
        information[character] = float((joint[there] * np.log2(joint[there] / apart[there])).sum())
    return information


def _numbers(sentence: Sequence[str], index: dict[str, int]) -> NDArray[np.int64]:
    return np.array([index[word] for word in sentence if word in index], dtype=np.int64)
