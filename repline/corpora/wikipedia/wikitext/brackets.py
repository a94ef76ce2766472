"""Brackets that a template without words has emptied, with the words and marks that only led to it."""

import re

from repline.corpora.wikipedia.wikitext.elements import LOST
from repline.corpora.wikipedia.wikitext.link_marks import unmarked
from repline.corpora.wikipedia.wikitext.names import words_of

_BLANKS = r"(?<!\s)\s++"  # only from their first one: a search from every other one would take quadratic time
_BRACKET = re.compile(rf"[(（\[]([^()（）\[\]{LOST}]*+{LOST}[^()（）\[\]]*+)[)）\]]")
_SEPARATOR = re.compile(rf"((?:{_BLANKS})?+(?:[,;/、，；·‧]\s*+|[:：]\s++)|{_BLANKS}[–—-]\s++)")
_BEFORE_MARK = re.compile(rf"(?<! ) ++{LOST}++(?=[,;:.!?)])")
# "German:" of "German: {{x}}" is a word, its colon is not
_LABEL = re.compile(rf"(?:{_BLANKS})?+[:：]\s*+{LOST}++\s*+$")
# words that say what the template would have shown: nothing without it
_LEADING = words_of(
    "pronounced pronunciation pron pron. pronounce from born died and or in on at of the c c. ca ca. also known as "
    "listen ipa b. d. circa is locally officially literally lit lit. see "
    "ausgesprochen aussprache von und oder aus geboren gestorben auch bzw. * † "
    "prononcé prononcée prononciation né née le la et ou en de du vers écouter "
    "pronunciado pronunciada pronunciación nacido nacida y o del el "
    "произношение от и или родился родилась род. в из "
    "pronuncia e da nato nata il pronúncia nascido 発音 読み 读音 讀音 発音は"
)


def without_emptied(text: str) -> str:
    """Text without the marks of lost templates, and without what they leave empty in brackets.

    A part of a bracket that is separated by marks goes when it lost a template and has no words left but those that
    led to it ("pronounced", "from ... and"). A bracket without parts goes as a whole.
    """
    if "(" in text or "（" in text or "[" in text:
        text = _BRACKET.sub(_bracket, text)
    if " " + LOST in text:
        text = _BEFORE_MARK.sub("", text)
    return text.replace(LOST, "")


def _bracket(match: re.Match[str]) -> str:
    pieces = _SEPARATOR.split(match[1])
    parts: list[str] = []
    for index in range(0, len(pieces), 2):
        part, separator = _LABEL.sub(LOST, pieces[index]), pieces[index - 1] if index else ""
        if LOST in part and all(word.lower() in _LEADING for word in unmarked(part)[0].replace(LOST, " ").split()):
            continue
        if not part.replace(LOST, "").strip():
            continue
        words = part.replace(LOST, "").strip() if LOST in part else part
        parts.append((separator if parts else "") + words)
    if not parts:
        return LOST
    inner = "".join(parts).strip()
    start = match[0].index(match[1])
    return match[0][:start] + inner + match[0][start + len(match[1]) :]
