"""Text without characters that one cannot see, its letters composed with their marks."""

import re
import unicodedata
from collections.abc import MutableMapping, Sequence

INVISIBLE = "invisible_characters"  # of the counts on a card
_MARKS = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"  # of breaks, directions, encodings
_CONTROLS = "\\x00-\\x08\\x0e-\\x1b\\x7f-\\x9f"  # those that are no white space
_INVISIBLE = re.compile(f"[{_MARKS}{_CONTROLS}]+")
_LATE_CONTROL = re.compile("[\\x80-\\x9f]")
_WINDOWS_1252 = {  # by code; five codes have no character
    code: character for code in range(0x80, 0xA0) if (character := bytes([code]).decode("cp1252", "ignore"))
}
_WITHOUT_JOINERS = "\\s\\x00-\\u024f\u2000-\u206f\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_LONELY_JOINER = re.compile(f"(?:^|(?<=[{_WITHOUT_JOINERS}]))[\u200c\u200d]+")


def clean_text(text: str, counts: MutableMapping[str, int] | None = None) -> str:
    """Compose letters with their marks, and leave out characters that one cannot see.

    >>> clean_text("co\\u00adoperative city.\\u200b"), clean_text("cafe\\u0301") == "caf\\u00e9"
    ('cooperative city.', True)

    A letter with a mark is one character or two (é is U+00E9, or e and U+0301, as file names of macOS have it). Texts
    that are equivalent so become the same, in Unicode's composed form (NFC).

    One cannot see marks of breaks (U+00AD, U+200B, U+2060), of directions (U+200E, ...), of encodings (U+FEFF) and
    control characters other than white space. Those from U+0080 to U+009F are read as the characters of Windows-1252
    first (dashes, quotes): they come from text in it that was taken for Latin-1. The joiners U+200C and U+200D spell
    words in some scripts (Persian, Hindi) and pictures in emoji; they are left out only behind Latin, Chinese and
    Japanese characters, white space, and at the beginning, where they spell nothing.

    Args:
        text: a text, or a part of it that begins and ends with words.
        counts: where the number of characters left out is added under `INVISIBLE`.

    Source: https://encoding.spec.whatwg.org/#names-and-labels (Latin-1 is read as Windows-1252)
    """
    if not text.isprintable():  # most texts are: none of the characters that are left out is
        if _LATE_CONTROL.search(text):
            text = text.translate(_WINDOWS_1252)
        visible = _INVISIBLE.sub("", text)
        if "\u200c" in visible or "\u200d" in visible:
            visible = _LONELY_JOINER.sub("", visible)
        if counts is not None and len(visible) < len(text):
            counts[INVISIBLE] = counts.get(INVISIBLE, 0) + len(text) - len(visible)
        text = visible
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def clean_words(words: Sequence[str], counts: MutableMapping[str, int] | None = None) -> list[str]:
    """Different words as `clean_text` gives them, so that a text finds them.

    A word stays as it is where nothing would be left of it, or another word of the list.

    Args:
        words: V different ones.
        counts: where the characters left out are counted, see `clean_text`.
    """
    changed = [word for word in words if not (word.isascii() and word.isprintable()) and clean_text(word) != word]
    if not changed:
        return list(words)
    taken, visible_of = set(words), {}
    for word in changed:
        visible = clean_text(word)
        if visible and visible not in taken:
            taken.add(visible)
            visible_of[word] = clean_text(word, counts)
    return [visible_of.get(word, word) for word in words]
