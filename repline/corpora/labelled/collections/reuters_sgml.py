"""Reuters-21578, Distribution 1.0: 22 files of SGML (`reut2-*.sgm`, plain or `.gz`) in latin-1, 21,578 articles.

An article is

    <REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" ... NEWID="1">
    <TOPICS><D>cocoa</D></TOPICS> <PLACES><D>usa</D><D>uruguay</D></PLACES> <PEOPLE>... <ORGS>... <EXCHANGES>...
    <TEXT>&#2; <TITLE>...</TITLE> <DATELINE>...</DATELINE><BODY>... Reuter &#3;</BODY></TEXT>
    </REUTERS>

Only the body becomes text: the dateline names a place, and the title gives the topic away. Bodies end in the word
`Reuter` on a line of its own, or in `REUTER`, which is cut off, as control characters are; `&lt;` and `&amp;` are
unescaped; a line that is indented begins a paragraph. COMPANIES is empty in all articles. Articles without a body
(briefs, unprocessed ones) have an empty text.

Source: https://www.daviddlewis.com/resources/testcollections/reuters21578/, README.txt
"""

import html
import re
from collections.abc import Iterator
from pathlib import Path

from repline.corpora.labelled.document import Document
from repline.errors import InputError, shown
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import numbered_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

KINDS = {"topics": "TOPICS", "places": "PLACES", "people": "PEOPLE", "orgs": "ORGS", "exchanges": "EXCHANGES"}
_BEGIN, _END = "<REUTERS", "</REUTERS>"
_NUMBER = re.compile(r'NEWID="(\d+)"')
_TAG = re.compile(r"<(/?)(TOPICS|PLACES|PEOPLE|ORGS|EXCHANGES|TEXT|BODY|D)\b[^>]*>")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SIGNATURE = re.compile(r"(?:(?:\n\s*(?i:reuter)|(?<!\s)\s++REUTER)[.\s]*)+$")
_INDENTED = re.compile(r"\n[ \t]+(?=\S)")


def read_reuters(folder: str | Path, on_error: OnError | LeftOut = "stop") -> Iterator[Document]:
    """The articles of a folder, a file at a time, in the order of the files.

    Args:
        folder: with `*.sgm` or `*.sgm.gz`.
        on_error: at a broken article; or an account of them, which the caller reads later.

    Yields:
        documents with the labels of `KINDS`; the id is the article's NEWID.

    Raises:
        InputError: there is no such file; a damaged compression; or an article that lacks its
            NEWID, an end tag, or its end: with the file, the line where it begins and its number.
    """
    paths = sorted(path for path in Path(folder).glob("*") if unpacked_name(path).endswith(".sgm"))
    if not paths:
        raise InputError(f"{folder}: expected files of Reuters-21578, reut2-*.sgm, found none")
    left_out = LeftOut.of(on_error)
    for path in paths:
        for where, record in _records(path):
            try:
                yield _article(record, where)
            except InputError as error:
                location, _, problem = str(error).removeprefix(f"{path}, ").partition(": ")
                left_out.add(WrongRecord(path, location, problem))


def _records(path: Path) -> Iterator[tuple[str, str]]:
    """Where each article begins, and its text from its begin tag on, up to its end or the next one's beginning."""
    number, where, lines = 0, "", list[str]()
    for line_number, line in numbered_lines(path, "latin-1"):
        if line.startswith(_BEGIN):
            if lines:
                yield where, "\n".join(lines)
            number += 1
            where, lines = f"{path}, line {line_number}, article {number}", [line]
        elif lines:
            lines.append(line)
            if line.startswith(_END):
                yield where, "\n".join(lines)
                lines = []
    if lines:
        yield where, "\n".join(lines)


def _article(record: str, where: str) -> Document:
    begin, _, rest = record.partition(">")
    number = _NUMBER.search(begin)
    if not number:
        raise InputError(f"{where}: expected a NEWID in {shown(begin)}")
    where = f"{where} (NEWID {number[1]})"
    if not rest.rstrip().endswith(_END):
        raise InputError(f"{where}: the end tag {_END} is missing")
    fields: dict[str, str] = {}
    labels: dict[str, list[str]] = {}
    opened: list[tuple[str, int]] = []
    for tag in _TAG.finditer(rest):
        name = tag[2]
        if not tag[1]:
            opened.append((name, tag.end()))
            continue
        last, start = opened.pop() if opened else ("", 0)
        if last != name:
            missing = f"</{last}>" if last else f"<{name}>"
            raise InputError(f"{where}: expected {missing} before </{name}>, the tag is missing")
        if name == "D" and opened:
            labels.setdefault(opened[-1][0], []).append(_clean(rest[start : tag.start()]).strip())
        fields[name] = rest[start : tag.start()]
    if opened:
        raise InputError(f"{where}: the end tag </{opened[-1][0]}> is missing")
    return Document(number[1], _body(fields.get("BODY", "")), {kind: labels.get(KINDS[kind], []) for kind in KINDS})


def _body(text: str) -> str:
    text = _SIGNATURE.sub("", _clean(text).rstrip())
    return _INDENTED.sub("\n\n", "\n" + text).strip()


def _clean(text: str) -> str:
    return _CONTROL.sub("", html.unescape(text))
