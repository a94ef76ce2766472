"""Lines of wikitext whose links, templates and tables are gone: headings, lists, emphasis, entities, spaces."""

import re

from repline.corpora.wikipedia.wikitext.brackets import without_emptied
from repline.corpora.wikipedia.wikitext.elements import BREAK, LOST, apart, protected, restored
from repline.corpora.wikipedia.wikitext.emphasis import without_emphasis
from repline.corpora.wikipedia.wikitext.link_marks import END, unmarked
from repline.corpora.wikipedia.wikitext.names import SWITCHES
from repline.reading.character_references import without_entities

_MAGIC_WORD = re.compile(r"__[^\W\d_]+(?:_[^\W\d_]+)*__")
_EXTERNAL_LINK = re.compile(
    r"\[(?:(?:https?|ftps?|ircs?|gopher|telnet|nntp|svn|git|news|mms|worldwind|sftp|ssh)://|//|mailto:|news:|tel:|urn:|sip:|geo:)"
    r"(?:[^\s\[\]<>\"']|'(?!'))*+[ \t]*+([^\[\]\n]*+(?:\[[^\[\]\n]*+\][^\[\]\n]*+)?+)\]",
    re.I,
)
_HOLLOW_WIDE = re.compile(r"（[\s，；：、,;）]|[，；：、]）")
_HOLLOW = re.compile(rf"(?<![\w{END}])\((?:[\s,;:/–-]|\bor\b)*\)|（[\s，；：、,;]*）|(?<!\[)\[\s*\](?!\])")
_HOLLOW_START = re.compile(r"\([\s,;:]+|（[\s，；：、]+")
_HOLLOW_END = re.compile(r"(?<![\s,;:])[\s,;:]++\)|(?<![，；：、])[，；：、]++）")
_SPACED = re.compile(r" +(?=[,.](?:\s|$))")
_WORD = re.compile(r"\w")
_LEFT = LOST + " \t\r\xa0"
_RULE = re.compile(r"-{4,}")
_ROW = re.compile(r"\|[-+}|]|.*(?:\|\||=)")
_SPAN = re.compile(r"('{2,5})([^']+)\1")
_COLON = re.compile(r"(?<!\bnews)(?<!\bmailto)(?<!\btel)(?<!\burn):(?!//)")  # not the one of an address
_ATTRIBUTES = re.compile(r"!\s*+(?:[\w-]++\s*+=\s*+(?:\"[^\"]*+\"|[^\s|\"]++)\s*+)++\|")


def sections(text: str, joiner: str) -> list[tuple[str, list[str]]]:
    """Split resolved wikitext into sections of paragraphs.

    Args:
        text: wikitext without elements, templates, tables and `[[links]]`.
        joiner: what stands between two lines of one paragraph (a space, or nothing in Chinese and Japanese).

    Returns:
        `(path, paragraphs)` for every section that has text; the path joins the headings above it with " / " and is
        "" for the lead. A heading that would make its path longer than 1,024 characters is a line of text.
    """
    if "__" in text:
        text = _MAGIC_WORD.sub(_magic_word, text)
    if "[" in text:
        text = _EXTERNAL_LINK.sub(_external_label, text)
    if "&nbsp;" in text:
        text = text.replace("&nbsp;", "\xa0")
    section_texts: list[tuple[str, list[str]]] = []
    headings: list[tuple[int, str]] = []
    paragraphs: list[str] = []
    open_lines: list[str] = []

    def close() -> None:
        paragraph = _text(open_lines[0] if len(open_lines) == 1 else joiner.join(open_lines)) if open_lines else ""
        open_lines.clear()
        if paragraph:
            paragraphs.append(paragraph)

    lines = text.split("\n")
    has_debris = True
    for index, line in enumerate(lines):
        if not line:
            if open_lines:
                close()
            continue
        first = line[0]
        if first in _ROW_STARTS and has_debris:
            lines[:] = without_debris(lines)  # the first row of each broken table comes before its other lines
            has_debris = False
            line = lines[index]
            if not line:
                close()
                continue
        if first == LOST and not line.strip(_LEFT):  # a template that stood alone parts paragraphs
            close()
            continue
        if "''" in line:
            if first == ";":
                line = _SPAN.sub(lambda match: protected(match[0], ":"), line)
            line = without_emphasis(line)
        if first == "|" and _is_text(lines, index):
            line = protected(line, "|")
            first = line[0]
        if first not in _LINE_STARTS:
            if BREAK not in line:
                open_lines.append(line)
                continue
            before, *after = line.split(BREAK)
            open_lines.append(before)
            for piece in after:
                close()
                if piece:
                    open_lines.append(piece)
            continue
        heading = _heading(line) if first == "=" else None
        above = [entry for entry in headings if heading and entry[0] < heading[0]]
        if heading and (not heading[1] or len(_path([*above, heading])) <= _LONGEST_PATH):
            close()
            if not heading[1]:
                continue
            if paragraphs:
                section_texts.append((_path(headings), paragraphs))
                paragraphs = []
            headings = [*above, heading]
            continue
        close()
        for item in _items(line):
            open_lines.append(item)
            close()
    close()
    if paragraphs:
        section_texts.append((_path(headings), paragraphs))
    return section_texts


_ROW_STARTS = ("|", "!")
_LONGEST_PATH = 1_024  # characters; every section has a copy of the headings above it
_LINE_STARTS = frozenset([*"=*#:;|{- \t\xa0" + BREAK])


def _is_text(lines: list[str], index: int) -> bool:
    """Whether a line that begins with "|" is no row of a broken table: no other row is near, and it sets nothing."""
    line = lines[index]
    near = lines[max(index - 1, 0) : index] + lines[index + 1 : index + 2]
    return not (_ROW.match(line) or any(neighbour[:1] in ("|", "!") for neighbour in near))


def _external_label(match: re.Match[str]) -> str:
    label = protected(match[1], ":") if ":" in match[1] else match[1]
    return apart(label, match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1])


def _heading(line: str) -> tuple[int, str] | None:
    line = line.rstrip(_LEFT)
    inner = line.strip("=")
    level = min(len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("=")), 6)
    if not level:
        return None
    if not inner.strip():
        return (level, "") if len(line) > 2 else None
    title = _text(line[level:-level].replace(BREAK, " "))
    return (level, title) if title else None


def _path(headings: list[tuple[int, str]]) -> str:
    return " / ".join(title for _, title in headings)


def _items(line: str) -> list[str]:
    """The texts of one list item, indented or preformatted line, or nothing for what a table left behind."""
    first = line[0]
    if first == "|" or line.startswith("{|"):
        return []
    if first == "-":
        line = _RULE.sub("", line, count=1) if line.startswith("----") else line
    elif first in "*#:;":
        body = line.lstrip("*#:; ")
        marks = line[: len(line) - len(body)].rstrip()
        if body.startswith(("{|", "|")):
            return []
        if marks.endswith(";") and (colon := _COLON.search(body)):
            return [*body[: colon.start()].split(BREAK), *body[colon.end() :].split(BREAK)]
        line = body
    elif line.lstrip().startswith(("|", "{|")):
        return []
    return line.split(BREAK)


def without_debris(lines: list[str]) -> list[str]:
    """Lines without the rows of tables that a template opened: those before a lonely `|}`, and heads among rows.

    A head begins with `!`. Where nothing ends the table, rows that begin with `|` are left to `_items`, and the words
    between them stay.
    """
    lines = list(lines)
    for end, line in enumerate(lines):
        if not line.startswith("|}"):
            continue
        first, is_row = end, True
        for index in range(end - 1, -1, -1):
            line = lines[index]
            if line.startswith(("=", "|}")):
                break
            if not line:
                if not is_row:
                    break
                is_row = False
            elif line[0] in "|!" and (line[0] == "|" or not line.startswith("!!")):
                first, is_row = index, True
        lines[first : end + 1] = [""] * (end + 1 - first)
    start = 0
    while start < len(lines):
        if not lines[start].startswith("!"):
            start += 1
            continue
        end = start
        while end < len(lines) and lines[end].startswith("!"):
            end += 1
        around = (lines[start - 1] if start else "", lines[end] if end < len(lines) else "")
        if any(line.startswith("|") for line in around) or any(map(_has_cells, lines[start:end])):
            lines[start:end] = [""] * (end - start)
        start = end
    return lines


def _has_cells(line: str) -> bool:
    """Whether a line that begins with `!` has two heads, `! a !! b`, or attributes, `! id=a | b`."""
    head, _, after = line[1:].partition("!")
    return (after[:1] == "!" and bool(head.strip())) or bool(_ATTRIBUTES.match(line))


def _text(paragraph: str) -> str:
    """Decode entities, tidy what dropped templates left, and collapse white space; "" if no word is left."""
    if "&" in paragraph:
        paragraph = without_entities(paragraph)
    is_whole = True
    if LOST in paragraph:
        is_whole = False
        begins = paragraph.lstrip()[:1] == LOST
        paragraph = without_emptied(paragraph)
        if begins:
            paragraph = paragraph.lstrip(" ,;:，；：、")
    if not paragraph.isprintable():  # white space other than " ", or protected characters
        paragraph = " ".join(restored(paragraph).split())
    elif "  " in paragraph:
        paragraph = " ".join(paragraph.split())
    if _hollowed(paragraph) or ("（" in paragraph and _HOLLOW_WIDE.search(paragraph)):
        paragraph = _tidied(paragraph)
    if " ," in paragraph or " ." in paragraph:
        paragraph = _SPACED.sub("", paragraph)
    paragraph = paragraph.strip()
    return paragraph if is_whole or _WORD.search(unmarked(paragraph)[0]) else ""


def _hollowed(text: str) -> bool:
    """Whether a dropped template or formula may have left a bracket empty or next to a separator (quick)."""
    return (
        ("(" in text and ("( " in text or "()" in text or "(," in text or "(;" in text))
        or (")" in text and (" )" in text or ",)" in text or ";)" in text))
        or ("[" in text and ("[]" in text or "[ " in text))
    )


def _tidied(paragraph: str) -> str:
    """Drop empty brackets, and separators next to a bracket."""
    paragraph = _HOLLOW.sub(" ", paragraph)
    paragraph = _HOLLOW_START.sub(lambda match: match[0][0], paragraph)
    paragraph = _HOLLOW_END.sub(lambda match: match[0][-1], paragraph)
    return " ".join(paragraph.split())


def _magic_word(match: re.Match[str]) -> str:
    is_switch = match[0] == match[0].upper() or match[0].strip("_").lower() in SWITCHES
    return "" if is_switch else match[0]
