"""A picture as captions know it."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from repline.segmentation.combining_marks import LETTERS, composed

Part = Literal["train", "dev", "test"]
PARTS: tuple[Part, ...] = ("train", "dev", "test")
_WORD = re.compile(rf"{LETTERS}|\.")


class Picture(NamedTuple):
    """A picture and its captions.

    Attributes:
        name: unique in a corpus.
        part: that it belongs to.
        captions: in a fixed order, as they were written or as their tokens.
        tags: what is known to be on it, for corpora that say so.
    """

    name: str
    part: Part
    captions: Sequence[Any]
    tags: Sequence[str] = ()


def caption_words(caption: str, periods: bool = False) -> list[str]:
    """Lower-case tokens of letters alone, from a caption whose tokens are parted by blanks.

    A comma or another mark of any script that is glued to a word is cut off; a token with a digit, a hyphen or an
    apostrophe inside is left out as a whole.

    Args:
        periods: keep a period that ends the caption, as a token.
    """
    words = []
    for token in composed(caption.lower()).split():
        token = _without_marks(token.strip(",;:!?\"'()"))
        ended = token.endswith(".")
        token = _without_marks(token.rstrip("."))
        if token and _WORD.fullmatch(token):
            words.append(token)
        if ended and periods:
            words.append(".")
    return [word for position, word in enumerate(words) if word != "." or position == len(words) - 1]


def words_left_out(caption: str, words: Sequence[str]) -> int:
    """How many tokens of a caption with a letter or a digit in them are none of its `caption_words`."""
    tokens = sum(any(character.isalnum() for character in token) for token in composed(caption).split())
    return tokens - sum(word != "." for word in words)


def _without_marks(token: str) -> str:
    """The token without the marks at its ends that are no ASCII: “ ” ’ … । ؟ and so on."""
    start, end = 0, len(token)
    while start < end and _is_mark(token[start]):
        start += 1
    while start < end and _is_mark(token[end - 1]):
        end -= 1
    return token[start:end]


def _is_mark(character: str) -> bool:
    return not character.isascii() and unicodedata.category(character).startswith("P")
