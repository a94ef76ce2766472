"""Comments and HTML-like elements of wikitext: what they hide, protect, or break."""

import re

from repline.corpora.wikipedia.wikitext.names import BLOCK_ELEMENTS, HIDDEN_ELEMENTS, INLINE_ELEMENTS

BREAK = "\x01"  # a line break that no wikitext rule may see; XML forbids these characters, so no page has them
TABLE, END_TABLE = "\x02", "\x03"  # an HTML table
_SPECIAL = "[]{}|'=*#:;<>&-_!"
_CODES = [*range(0x04, 0x09), *range(0x0E, 0x1A)]
_PROTECT = dict(zip(map(ord, _SPECIAL), map(chr, _CODES), strict=True))
_RESTORE = dict(zip(_CODES, _SPECIAL, strict=True))
_PROTECTED = re.compile("[\x04-\x08\x0e-\x19]")

_OPENING = re.compile(
    r"<!--|<(nowiki|pre|" + "|".join(sorted(HIDDEN_ELEMENTS, reverse=True)) + r")(?=[\s/>])([^<>]*)>", re.I
)
_CODE = frozenset({"syntaxhighlight", "source"})
_CLOSING: dict[str, re.Pattern[str]] = {}
_LONGEST_REFERENCE = 20_000  # characters
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)(?=[\s/>\\])[^<>]*>")


def without_elements(text: str) -> str:
    """Wikitext without comments and elements: hidden ones go with their content, others leave theirs.

    The content of `<nowiki>` and `<pre>` is kept and protected from every later rule until `restored`. Line breaks
    and block elements become `BREAK`, HTML tables `TABLE ... END_TABLE`. Linear in the length of the text, also when
    nothing is closed.
    """
    if "<" not in text:
        return text
    if "<poem" in text:
        first, *poems = text.split("<poem")
        text = first + "".join("<poem" + _verses(poem) for poem in poems)
    text = _without_opaque(text)
    return _TAG.sub(_tag, text) if "<" in text else text


def restored(text: str) -> str:
    """Put protected characters back."""
    return text.translate(_RESTORE) if _PROTECTED.search(text) else text


def _without_opaque(text: str) -> str:
    pieces: list[str] = []
    copied_to = position = 0
    closings: dict[str, tuple[int, int]] = {}  # the nearest end of each element; looked for again only once passed
    while match := _OPENING.search(text, position):
        begin, position = match.span()
        name = (match[1] or "!").lower()
        replacement = ""
        if not (match[2] or "").endswith("/"):
            close, end = closings.get(name, (-1, -1))
            if close < position:
                close, end = closings[name] = _closing(text, name, position)
            if close < len(text) and not (name == "ref" and _runs_away(text, position, close)):
                replacement = _content_kept(name, match[2], text[position:close]) if name != "!" else ""
                position = end
                if name == "!" and text.startswith("\n", end) and (begin == 0 or text[begin - 1] == "\n"):
                    position += 1  # a comment alone on its line takes the line with it
        pieces.append(text[copied_to:begin])
        if replacement:
            pieces.append(replacement)
        copied_to = position  # of an element that nothing closes, only the tag goes
    if not copied_to:
        return text
    pieces.append(text[copied_to:])
    return "".join(pieces)


def _content_kept(name: str, attributes: str, content: str) -> str:
    if name == "nowiki":
        return content.translate(_PROTECT)
    if name == "pre":
        content = re.sub(r"</?nowiki\s*/?>", "", content, flags=re.I)
        return BREAK + content.translate(_PROTECT).replace("\n", BREAK) + BREAK
    if name in _CODE and ("inline" in attributes or "enclose=none" in attributes.replace('"', "")):
        return content.translate(_PROTECT)
    return ""


def _runs_away(text: str, start: int, end: int) -> bool:
    """Whether a reference that lacks its end has swallowed another reference, a heading, or half the article."""
    return end - start > _LONGEST_REFERENCE or text.find("<ref", start, end) >= 0 or text.find("\n=", start, end) >= 0


def _closing(text: str, name: str, start: int) -> tuple[int, int]:
    """Where the end tag begins and ends; the length of the text when there is none."""
    if name == "!":
        begin = text.find("-->", start)
        return (begin, begin + 3) if begin >= 0 else (len(text), len(text))
    pattern = _CLOSING.get(name)
    if pattern is None:
        pattern = _CLOSING[name] = re.compile(rf"</{name}\s*>", re.I)
    match = pattern.search(text, start)
    return match.span() if match else (len(text), len(text))


def _verses(poem: str) -> str:
    inside, end, after = poem.partition("</poem>")
    return inside.replace("\n", BREAK) + end + after if end else poem


def _tag(match: re.Match[str]) -> str:
    name = match[1].lower()
    if name in INLINE_ELEMENTS:
        return ""
    if name in BLOCK_ELEMENTS:
        return BREAK
    if name == "table":
        return END_TABLE if match[0][1] == "/" else TABLE
    return match[0]
