"""Letters with their combining marks, as regular expressions take them: for `re` a mark is no part of a word.

Vowel signs of Hindi, Tamil and Burmese, points of Arabic and Hebrew, tones of Vietnamese and the dots of a decomposed ü
(u and U+0308) are such marks. `\\w+` cuts हिन्दी into three consonants and loses the rest.
"""

import re
import unicodedata

_BLOCKS = (
    (0x300, 0x3100),
    (0xA600, 0xAC00),
    (0xFB1D, 0xFB50),
    (0xFE20, 0xFE30),
    (0x10000, 0x12000),
    (0x1E000, 0x1E950),
)
_JOINERS = "\u200c\u200d"  # inside words of Persian, Hindi, Malayalam, ...


def _marks() -> str:
    """The marks of the blocks that have scripts, as the inside of a character class: a range for each run of them."""
    ranges: list[list[int]] = []
    for block in _BLOCKS:
        for code in range(*block):
            if unicodedata.category(chr(code)) not in ("Mn", "Mc"):
                continue
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


MARKS = _marks() + _JOINERS  # the inside of a character class
LETTERS = rf"(?:[^\W\d_][{MARKS}]*)+"  # one letter or more, each with its marks
_WORD_OF_LETTERS = re.compile(LETTERS)


def is_letters(word: str) -> bool:
    """Whether a word has letters alone, with or without marks; `str.isalpha` refuses marks.

    >>> is_letters("हिन्दी"), "हिन्दी".isalpha()
    (True, False)
    """
    return word.isalpha() or _WORD_OF_LETTERS.fullmatch(word) is not None


def composed(text: str) -> str:
    """The text in Unicode's composed form (NFC), in which equivalent texts have the same characters.

    >>> composed("U\\u0308bung") == "Übung"
    True
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)
