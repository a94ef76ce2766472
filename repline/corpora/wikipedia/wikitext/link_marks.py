"""Links that keep their targets while wikitext is cleaned: marks of private characters around their labels.

A link becomes START target MIDDLE label END, the target in hexadecimal digits, so that nothing in it is wikitext. Where
the cleaning drops a link, as in tables and captions, it drops the marks with it.
"""

import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import unquote

from repline.corpora.wikipedia.wikitext.elements import END_TABLE, TABLE, protected
from repline.corpora.wikipedia.wikitext.emphasis import without_emphasis
from repline.reading.character_references import without_entities

START, MIDDLE, END = "\ue0f0", "\ue0f1", "\ue0f2"
_PLAIN = r"[^\[\]{}|\n" + TABLE + END_TABLE + "]+"
_LINK = re.compile(rf"\[\[({_PLAIN})(?:\|({_PLAIN}))?\]\]([^\W\d_]*)")  # [[target#section|label]]trail
_NO_TITLE = re.compile(r"[<>]|%25|&[lg]t;")
# a title with a colon may be that of a file, a category or a page of another wiki
_NO_ARTICLE = re.compile(r"[\x00-\x1f\[\]{}|<>:\ufffd]")
_MARKS = re.compile(f"{START}([0-9a-f]*){MIDDLE}|{END}")
_MARK = re.compile(f"({START}[0-9a-f]*{MIDDLE}|{END})")
_BEGINS = frozenset("*#:;=!")


class Link(NamedTuple):
    """A link in a text: its label is at `text[start:end]`, `target` the title that it names."""

    start: int
    end: int
    target: str


def is_title(target: str) -> bool:
    """Whether a link's target has none of the characters before its section that no title has."""
    return not _NO_TITLE.search(target.partition("#")[0])


def title_words(target: str) -> str:
    """The words that a link without a label shows: its target, with apostrophes that are no emphasis."""
    if "%" in target:
        target = unquote(target)
    if "'" in target:
        target = protected(target, "'")
    return target.replace("_", " ") if "_" in target and target[:1] != "#" else target


def label_words(label: str) -> str:
    """The words of a link's label, in which emphasis ends, and whose apostrophes join none outside, as in MediaWiki."""
    return protected(without_emphasis(label), "'") if "'" in label else label


def plain_words(words: str) -> str:
    """The words of a link, in which marks of lists, headings and terms are text."""
    if ":" in words or words[:1] in _BEGINS:
        return protected(words[:1], "*#:;=!") + protected(words[1:], ":")
    return words


def marked_links(text: str) -> str:
    """Wikitext whose links to articles are marks; letters behind a link are part of its label, as MediaWiki has it.

    Args:
        text: wikitext without elements, see `elements.without_elements`: what `<nowiki>` holds is no link.
    """
    if START in text or END in text:
        text = text.replace(START, "").replace(MIDDLE, "").replace(END, "")
    return _LINK.sub(_marked, text)


def unmarked(text: str) -> tuple[str, list[Link]]:
    """A cleaned text without its marks, and its links in their order; marks without a partner leave no link."""
    if START not in text and END not in text:
        return text, []
    pieces, links, length, copied_to = [], [], 0, 0
    opened: tuple[int, str] | None = None
    for mark in _MARKS.finditer(text):
        pieces.append(text[copied_to : mark.start()])
        length += mark.start() - copied_to
        copied_to = mark.end()
        if mark[1] is not None:
            try:
                opened = length, bytes.fromhex(mark[1]).decode("utf-8")
            except ValueError:  # private characters of the page
                opened = None
        elif opened is not None:
            if length > opened[0]:
                links.append(Link(opened[0], length, opened[1]))
            opened = None
    pieces.append(text[copied_to:])
    return "".join(pieces).replace(START, "").replace(MIDDLE, ""), links


def changed_words(text: str, change: Callable[[str], str]) -> str:
    """A text whose words a function has changed, between the marks."""
    pieces = _MARK.split(text)
    pieces[::2] = map(change, pieces[::2])
    return "".join(pieces)


def _marked(match: re.Match[str]) -> str:
    target, label, trail = match.groups()
    title = _title(target)
    if not title or not is_title(target) or _NO_ARTICLE.search(title):
        return match[0]
    words = title_words(target) if label is None else label_words(label)
    words = protected(plain_words(words), "=").replace("&nbsp;", "\xa0") + trail
    start, end = len(words) - len(words.lstrip()), len(words.rstrip())
    if start > end:
        return words
    mark = f"{START}{title.encode('utf-8').hex()}{MIDDLE}"
    return words[:start] + mark + words[start:end] + END + words[end:]  # blanks join those around the link


def _title(target: str) -> str:
    """The title that a link's target names: percent codes and character references are read, sections are cut off.

    Source: `Title::newFromText` and `Parser::handleInternalLinks2` of MediaWiki
    """
    title = without_entities(unquote(target))
    return " ".join(title.partition("#")[0].replace("_", " ").split())
