"""The dictionary task: from a Chinese word to the words of its English definitions.

Characters that are held out stand in no training word, so that a reader of pixels meets them first in the test.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from repline.errors import InputError
from repline.lexicons.hanzi.cc_cedict import Entry
from repline.systems.visual_characters.settings import Words

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
    words: dict[str, None] = {}
    for definition in definitions:
        if definition.startswith("CL:"):
            continue  # classifiers that go with the word
        plain = definition
        while plain != (plain := BRACKETS.sub(" ", plain)):
            pass
        words |= dict.fromkeys(word for word in WORD.findall(plain.lower()) if word not in STOP)
    return list(words)


def gloss_task(entries: Iterable[Entry], choice: Words) -> GlossTask:
    """Split the words of a dictionary.

    Args:
        entries: of CC-CEDICT, or of a dictionary like it; entries of the same word are taken together.
        choice: which words and glosses there are, and which characters are held out.

    Raises:
        InputError: nothing is left to train on.
    """
    rng = np.random.default_rng(choice.seed)
    definitions: dict[str, list[str]] = {}
    for entry in entries:
        word = getattr(entry, choice.side)
        if len(word) <= choice.longest and HAN.fullmatch(word):
            definitions.setdefault(word, []).extend(entry.meanings)
    counts = Counter(character for word in definitions for character in word)
    frequent_characters = {character for character, _ in _commonest(counts)[: choice.characters]}
    words = [word for word in definitions if frequent_characters.issuperset(word)]
    if choice.words is not None and choice.words < len(words):
        words = [words[row] for row in np.sort(rng.permutation(len(words))[: choice.words])]
    glossed = {word: gloss_words(definitions[word]) for word in words}
    frequent = _commonest(Counter(gloss for glosses in glossed.values() for gloss in glosses))
    names = [gloss for gloss, count in frequent[: choice.glosses] if count >= choice.minimum_count]
    number = {gloss: row for row, gloss in enumerate(names)}
    rows = {
        word: [number[gloss] for gloss in glosses if gloss in number][: choice.most]
        for word, glosses in glossed.items()
    }
    rows = {word: numbers for word, numbers in rows.items() if numbers}
    counts = Counter(character for word in rows for character in word)
    low, high = choice.held_out_counts
    candidates = sorted(character for character, count in counts.items() if low <= count <= high)
    drawn = rng.permutation(len(candidates))[: round(choice.held_out * len(candidates))]
    held_out = {candidates[row] for row in drawn}
    splits: dict[str, list[str]] = {"unseen": [word for word in rows if not held_out.isdisjoint(word)]}
    rest = [word for word in rows if held_out.isdisjoint(word)]
    dev, test = choice.dev, choice.test
    if len(rest) < dev + test + 2:
        usable = f"{len(rows)} have a gloss that {choice.minimum_count} words have, the minimum count"
        usable += f", {len(rest)} of them without held-out characters" if held_out else ""
        raise InputError(
            f"of {len(words)} words of the dictionary in Chinese characters {usable}: too few for {dev} to choose by, "
            f"{test} to test and some to train on; lower the count, or take a larger dictionary"
        )
    order = rng.permutation(len(rest))
    for name, part in (("dev", order[:dev]), ("test", order[dev : dev + test]), ("train", order[dev + test :])):
        splits[name] = [rest[row] for row in part]
    return GlossTask(
        names,
        {name: GlossedWords(splits[name], [rows[word] for word in splits[name]]) for name in SPLITS},
        sorted(held_out),
    )


def _commonest(counts: Counter[str]) -> Sequence[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
