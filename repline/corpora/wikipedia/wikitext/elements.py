"""Comments and HTML-like elements of wikitext: what they hide, protect, or break."""

import re

from repline.corpora.wikipedia.wikitext.names import BLOCK_ELEMENTS, HIDDEN_ELEMENTS, INLINE_ELEMENTS
from repline.reading.character_references import without_entities

BREAK = "\x01"  # a line break that no wikitext rule may see; XML forbids these characters, so no page has them
TABLE, END_TABLE = "\x02", "\x03"  # an HTML table
_SPECIAL = "[]{}|'=*#:;<>&-_!"
_CODES = [*range(0x04, 0x09), *range(0x0E, 0x1A)]
_PROTECT = dict(zip(map(ord, _SPECIAL), map(chr, _CODES), strict=True))
NOTHING = "\x1b"  # at the beginning of a line: text follows, no mark of a list or heading; also parts apostrophes
LOST = "\x1a"  # where a template left no words
_RESTORE: dict[int, str | None] = dict(zip(_CODES, _SPECIAL, strict=True)) | dict.fromkeys(
    map(ord, f"{NOTHING}{TABLE}{END_TABLE}\0")
)
_PROTECTED = re.compile("[\x00\x02-\x08\x0e-\x19\x1b]")

_OPENING = re.compile(
    r"<!--|<(nowiki|pre|" + "|".join(sorted(HIDDEN_ELEMENTS, reverse=True)) + r")(?=[\s/>])([^<>]*)>", re.I
)
_CODE = frozenset({"syntaxhighlight", "source"})
_CLOSING: dict[str, re.Pattern[str]] = {}
_TRANSCLUDED = re.compile(r"</?(?:noinclude|onlyinclude|includeonly)\s*/?>", re.I)
_HEADING = re.compile(r"<h([1-6])(?:\s[^<>\n]*)?>(.{1,300}?)</h\1\s*>", re.I | re.S)
_HIDDEN = re.compile(r"\bdisplay\s*+:\s*+none", re.I)
_TERM = re.compile(r"\n;[^\n<]*<[^\n]*")
_INSIDE = re.compile(r"<(b|i|em|strong|span|small|big|sub|sup|code|tt|u|s)\b[^<>]*>", re.I)
_DATA_ELEMENTS = ("meta",)
_CELLS = ("tr", "td", "th")
_TRANSCLUDING = ("noinclude", "onlyinclude", "includeonly")
_STYLED = ("b", "i", "em", "strong", "span", "div", "p", "code", "tt", "u", "s")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LONGEST_ROW = 5_000  # characters
_BEGINS = frozenset("*#:;=!|<")
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
    names = {name.lower() for name in _TAG.findall(text)} if "<" in text else None
    if not names:
        return text
    if not names.isdisjoint(_TRANSCLUDING):
        text = _TRANSCLUDED.sub("", text)
    if not names.isdisjoint(_STYLED):
        if _HIDDEN.search(text):
            text = _without_hidden(text)
        if "\n;" in text or text.startswith(";"):
            text = _TERM.sub(_protected_colons, "\n" + text)[1:]
    if not names.isdisjoint(_HEADINGS):
        text = _HEADING.sub(_heading, text)
    has_state = not names.isdisjoint(_CELLS) or ("div" in names and text.count("</div") > text.count("<div"))
    return _TAG.sub(_Tags() if has_state else _tag, text)


def protected(text: str, characters: str = _SPECIAL) -> str:
    """Text in which these characters are no wikitext until it is `restored`."""
    if characters == _SPECIAL:
        return text.translate(_PROTECT)
    for character in characters:
        if character in text:
            text = text.replace(character, _PROTECT[ord(character)])
    return text


def restored(text: str) -> str:
    """Put protected characters back."""
    return text.translate(_RESTORE) if _PROTECTED.search(text) else text


def apart(words: str, before: str, after: str) -> str:
    """What markup leaves in a text, with a mark where apostrophes would join others to a longer run.

    Args:
        words: what it leaves; for nothing a mark stands beside an apostrophe.
        before, after: the text around it.
    """
    if not words:
        return NOTHING if before.endswith("'") or after.startswith("'") else ""
    if words[0] == "'" and before.endswith("'"):
        words = NOTHING + words
    return words + NOTHING if words[-1] == "'" and after.startswith("'") else words


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
            if name == "!" and close >= len(text):
                position = end  # a comment that nothing ends hides the rest of the page
            elif close < len(text) and not (name == "ref" and _runs_away(text, position, close)):
                replacement = _content_kept(name, match[2], text[position:close]) if name != "!" else ""
                position = end
                if name == "!" and text.startswith("\n", end) and (begin == 0 or text[begin - 1] == "\n"):
                    position += 1  # a comment alone on its line takes the line with it
        if not replacement and name != "!":
            replacement = apart("", text[copied_to:begin], text[position : position + 1])
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
        return without_entities(content).replace("\n", " ").translate(_PROTECT)
    if name == "pre":
        content = without_entities(re.sub(r"</?nowiki\s*/?>", "", content, flags=re.I))
        return BREAK + content.translate(_PROTECT).replace("\n", BREAK) + BREAK
    if name in _CODE and ("inline" in attributes or "enclose=none" in attributes.replace('"', "")):
        return content.translate(_PROTECT)
    return ""


def _without_hidden(text: str) -> str:
    """Wikitext without elements of the style `display:none` and what they hold; one that nothing closes stays."""
    spans: list[tuple[int, int]] = []
    opened: dict[str, list[tuple[int, bool]]] = {}  # of each name, where its elements begin, and whether they hide
    for tag in _TAG.finditer(text):
        name = tag[1].lower()
        if tag[0][1] == "/":
            start, hides = opened[name].pop() if opened.get(name) else (0, False)
            if hides and not _runs_away(text, start, tag.start()):
                spans.append((start, tag.end()))
        elif not tag[0].endswith("/>"):
            opened.setdefault(name, []).append((tag.start(), bool(_HIDDEN.search(tag[0]))))
    pieces: list[str] = []
    copied_to = 0
    for start, end in sorted(spans):
        pieces.append(text[copied_to:start])
        copied_to = max(copied_to, end)
    return "".join(pieces) + text[copied_to:]


def _runs_away(text: str, start: int, end: int) -> bool:
    """Whether an element that lacks its end has swallowed another reference, a heading, or half the article."""
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


def _protected_colons(match: re.Match[str]) -> str:
    """The line of a term without the colons inside elements, which do not end it."""
    line = match[0]
    pieces: list[str] = []
    copied_to = position = 0
    closings: dict[str, int] = {}  # the nearest end of each element; looked for again only once passed
    while opening := _INSIDE.search(line, position):
        position, name = opening.end(), opening[1].lower()
        if closings.get(name, -1) < position:
            closing = re.compile(rf"</{name}>", re.I).search(line, position)
            closings[name] = closing.start() if closing else len(line)
        if closings[name] < len(line):
            position = closings[name] + len(name) + 3
            pieces += line[copied_to : opening.start()], protected(line[opening.start() : position], ":")
            copied_to = position
    return "".join(pieces) + line[copied_to:]


def _heading(match: re.Match[str]) -> str:
    marks = "=" * int(match[1])
    return f"\n{marks} {' '.join(match[2].split())} {marks}\n"


class _Tags:
    """Replaces tags. Rows and cells outside a table count as a table: a template has opened it. `</div>` alone goes."""

    def __init__(self) -> None:
        self.tables = self.divisions = 0
        self.open = ""

    def __call__(self, match: re.Match[str]) -> str:
        name, ends = match[1].lower(), match[0][1] == "/"
        if name == "table":
            self.tables = max(self.tables + (-1 if ends else 1), 0)
        elif name == "div":
            if ends and not self.divisions:
                return ""
            self.divisions += -1 if ends else 1
        elif name in _CELLS and not self.tables:
            if not ends and not self.open and _has_end(match, name):
                self.open = name
                return TABLE
            if ends and name == self.open:
                self.open = ""
                return END_TABLE
        return _tag(match)


def _has_end(match: re.Match[str], name: str) -> bool:
    return f"</{name}" in match.string[match.end() : match.end() + _LONGEST_ROW].lower()


def _tag(match: re.Match[str]) -> str:
    name = match[1].lower()
    if name in _DATA_ELEMENTS and "itemprop" not in match[0]:
        return match[0].translate(_PROTECT)  # MediaWiki shows them as text
    if name in INLINE_ELEMENTS:
        start, text = match.start(), match.string
        if (start == 0 or text[start - 1] == "\n") and text[match.end() : match.end() + 1] in _BEGINS:
            return NOTHING
        return apart("", text[start - 1 : start], text[match.end() : match.end() + 1])
    if name in BLOCK_ELEMENTS:
        return BREAK
    if name == "table":
        return END_TABLE if match[0][1] == "/" else TABLE
    return match[0]
