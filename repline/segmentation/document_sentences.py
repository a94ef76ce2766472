"""The sentences of a document and their words, lower-cased, in one of several ways.

marks    as Gao et al. 2018: apostrophes go (doesn't, doesnt), of several end marks in a row the first stays, all else
         that is no letter, digit, underscore or end mark is a blank; every `.`, `!` and `?` (of Arabic, Urdu and Hindi
         too) ends a sentence and is its last word
lines    the same words, but a line is a sentence
whole    one sentence; words are letters, digits and apostrophes, every other character is a word of its own
chinese  words of jieba; sentences end after 。！？!? and at the end of a line

Combining marks belong to their letters, and the text is composed first (NFC).
"""

import re
from collections.abc import Callable
from typing import get_args

from repline.segmentation.chinese import words as chinese_words
from repline.segmentation.combining_marks import MARKS, composed
from repline.segmentation.recipes import Splitting
from repline.segmentation.sentence_starts import ENDS

Sentences = list[list[str]]

_APOSTROPHES = re.compile(r"['’`´]")
_SEVERAL = re.compile(rf"([{ENDS}])(?:\s*[{ENDS}])+")
_WORD_OR_END = re.compile(rf"\w[\w{MARKS}]*|[{ENDS}]")
_TOKEN = re.compile(rf"[\w'][\w'{MARKS}]*|[^\w\s]")
_CHINESE_END = re.compile(r"(?<=[。！？!?])|\n")
_LETTER = re.compile(r"\w")


def sentences_of(text: str, splitting: Splitting) -> Sentences:
    """The sentences of a text as lists of words. Sentences without a letter or digit are left out, so may be all.

    >>> sentences_of("It doesn't work... at 2.5 stars!", "marks")
    [['it', 'doesnt', 'work', '.'], ['at', '2', '.'], ['5', 'stars', '!']]

    Source: Gao et al. 2018, section 4.1, and the preprocessing of the authors' program.
    """
    sentences = _WAYS[splitting](composed(text))
    return [words for words in sentences if any(_LETTER.search(word) for word in words)]


def _marks(text: str) -> Sentences:
    sentences: Sentences = [[]]
    for word in _cleaned(text):
        sentences[-1].append(word)
        if word in ENDS:
            sentences.append([])
    return sentences


def _lines(text: str) -> Sentences:
    return [_cleaned(line) for line in text.split("\n")]


def _whole(text: str) -> Sentences:
    return [_TOKEN.findall(text.lower())]


def _chinese(text: str) -> Sentences:
    return [chinese_words(part.lower()) for part in _CHINESE_END.split(text) if part.strip()]


def _cleaned(text: str) -> list[str]:
    return _WORD_OR_END.findall(_SEVERAL.sub(r"\1", _APOSTROPHES.sub("", text.lower())))


_WAYS: dict[str, Callable[[str], Sentences]] = dict(
    zip(get_args(Splitting), (_marks, _lines, _whole, _chinese), strict=True)
)
