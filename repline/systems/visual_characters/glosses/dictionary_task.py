"""The dictionary task: from a Chinese word to the words of its English definitions.

Characters that are held out stand in no training word, so that a reader of pixels meets them first in the test.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from repline.errors import InputError
from repline.lexicons.hanzi.cc_cedict import Entry
from repline.parameters import Count, NotNegative

SPLITS = ("train", "dev", "test", "unseen")
# words of grammar and of the dictionary's own language, which tell nothing of the meaning
GRAMMAR = """
a an and as at be by etc for from in into it its of on one or sb sth that the this to up used with variant old see also
esp fig lit abbr pr surname classifier idiom cf not no
"""
STOP = frozenset(GRAMMAR.split())
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
WORD = re.compile(r"[a-z]{2,}")
HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]+")
Side = Literal["simplified", "traditional"]


@dataclass(frozen=True)
class GlossedWords:
    """The words of one split: their characters, and numbers of their glosses."""

    words: list[str]
    glosses: list[list[int]]


@dataclass(frozen=True)
class GlossTask:
    """The glosses by their numbers, the words of every split, and the characters that no training word has.

    unseen: words that have a held-out character.
    """

    glosses: list[str]
    splits: dict[str, GlossedWords]
    held_out: list[str]


def gloss_words(definitions: Iterable[str]) -> list[str]:
    """The distinct words of definitions, without brackets, Chinese and words of grammar."""
    found: dict[str, None] = {}
    for definition in definitions:
        if definition.startswith("CL:"):
            continue  # classifiers that go with the word
        plain = definition
        while plain != (plain := BRACKETS.sub(" ", plain)):
            pass
        found |= dict.fromkeys(word for word in WORD.findall(plain.lower()) if word not in STOP)
    return list(found)


def gloss_task(
    entries: Iterable[Entry],
    *,
    side: Side = "simplified",
    longest: Count = 5,
    characters: Count | None = None,
    words: Count | None = None,
    glosses: Count = 4000,
    minimum_count: Count = 5,
    most: Count = 8,
    dev: Count = 3000,
    test: Count = 3000,
    held_out: NotNegative = 0.08,
    held_out_counts: Annotated[list[Count], Field(min_length=2, max_length=2)] = (3, 60),
    seed: int = 0,
) -> GlossTask:
    """Split the words of a dictionary.

    Args:
        entries: of CC-CEDICT, or of a dictionary like it; entries of the same word are taken together.
        side: which script the words are read in.
        longest: characters that a word may have; words with anything but Chinese characters are left out.
        characters: only words of so many most frequent characters; None for all.
        words: so many of them, drawn at random; None for all.
        glosses: so many most frequent words of the definitions are predicted, if at least `minimum_count` words have
            them.
        most: glosses of a word, the first ones.
        dev, test: words that are kept out of training, and of choosing the learning rate.
        held_out: share of the characters that occur `held_out_counts` times (from, to), to keep out of training.
        seed: of all draws.

    Raises:
        InputError: nothing is left to train on.
    """
    rng = np.random.default_rng(seed)
    definitions: dict[str, list[str]] = {}
    for entry in entries:
        word = getattr(entry, side)
        if len(word) <= longest and HAN.fullmatch(word):
            definitions.setdefault(word, []).extend(entry.meanings)
    counts = Counter(character for word in definitions for character in word)
    kept = {character for character, _ in _commonest(counts)[:characters]}
    chosen = [word for word in definitions if kept.issuperset(word)]
    if words is not None and words < len(chosen):
        chosen = [chosen[row] for row in np.sort(rng.permutation(len(chosen))[:words])]
    glossed = {word: gloss_words(definitions[word]) for word in chosen}
    frequent = _commonest(Counter(gloss for found in glossed.values() for gloss in found))
    names = [gloss for gloss, count in frequent[:glosses] if count >= minimum_count]
    number = {gloss: row for row, gloss in enumerate(names)}
    rows = {word: [number[gloss] for gloss in found if gloss in number][:most] for word, found in glossed.items()}
    rows = {word: found for word, found in rows.items() if found}
    counts = Counter(character for word in rows for character in word)
    low, high = held_out_counts
    candidates = sorted(character for character, count in counts.items() if low <= count <= high)
    away = {candidates[row] for row in rng.permutation(len(candidates))[: round(held_out * len(candidates))]}
    splits: dict[str, list[str]] = {"unseen": [word for word in rows if not away.isdisjoint(word)]}
    rest = [word for word in rows if away.isdisjoint(word)]
    if len(rest) < dev + test + 2:
        raise InputError(
            f"the dictionary has {len(rest)} words without held-out characters, too few for {dev} to choose by, {test} "
            "to test and some to train on"
        )
    order = rng.permutation(len(rest))
    for name, part in (("dev", order[:dev]), ("test", order[dev : dev + test]), ("train", order[dev + test :])):
        splits[name] = [rest[row] for row in part]
    return GlossTask(
        names,
        {name: GlossedWords(splits[name], [rows[word] for word in splits[name]]) for name in SPLITS},
        sorted(away),
    )


def _commonest(counts: Counter[str]) -> Sequence[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
