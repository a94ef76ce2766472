"""Links that keep their targets while wikitext is cleaned: marks of private characters around their labels.

A link becomes START target MIDDLE label END, the target in hexadecimal digits, so that nothing in it is wikitext. Where
the cleaning drops a link, as in tables and captions, it drops the marks with it.
"""

import re
from typing import NamedTuple
from urllib.parse import unquote

from repline.corpora.wikipedia.wikitext.elements import protected
from repline.corpora.wikipedia.wikitext.lines import without_emphasis

START, MIDDLE, END = "\ue0f0", "\ue0f1", "\ue0f2"
# [[target#section|label]]trail; a target with a colon may be a file, a category or another wiki, and stays as it is
_LINK = re.compile(r"\[\[([^\[\]{}|#<>:\n]+)(#[^\[\]{}|\n]*)?(?:\|([^\[\]{}|\n]+))?\]\]([^\W\d_]*)")
_MARKS = re.compile(f"{START}([0-9a-f]*){MIDDLE}|{END}")


class Link(NamedTuple):
    """A link in a text: its label is at `text[start:end]`, `target` the title that it names."""

    start: int
    end: int
    target: str


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


def marked_links(text: str) -> str:
    """Wikitext whose links to articles are marks; letters behind a link are part of its label, as MediaWiki has it."""
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


def _marked(match: re.Match) -> str:
    target = match[1].replace("_", " ").strip()
    label = label_words(match[3]) if match[3] is not None else title_words(match[1] + (match[2] or ""))
    if not target:
        return match[0]
    return f"{START}{target.encode('utf-8').hex()}{MIDDLE}{label}{match[4]}{END}"
