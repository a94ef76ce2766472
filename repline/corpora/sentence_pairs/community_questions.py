"""Community question answering, SemEval-2016/2017 task 3, subtask B: a new question and ten older ones next to it.

Two forms: the XML of the task (`OrgQuestion` records, each with a related question), and a CSV of pairs with the head
id, question1_id, question2_id, question1, question2, relevance (1 or 0). Comments are passed over. The text of a
question is its subject, ". " and its body. It is from a web page: character references (`&#39;`) are read in both
forms.

Source: Nakov et al. 2016, "SemEval-2016 Task 3: Community Question Answering".
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Unpack

from repline.corpora.sentence_pairs.pair_tables import SentencePair, one_of
from repline.errors import InputError, in_one_line, shown
from repline.reading.character_references import without_entities
from repline.reading.file_names import unpacked_name
from repline.reading.settings import TableReading
from repline.reading.text_files import numbered_lines
from repline.reading.wrong_records import LeftOut, WrongRecord
from repline.reading.xml_text import parse, parser_of

RELEVANCE = ("PerfectMatch", "Relevant", "Irrelevant")
TWO_WAYS = ("Irrelevant", "Relevant")  # of the CSV, which has lost the difference between the first two
_COLUMNS = ["id", "question1_id", "question2_id", "question1", "question2", "relevance"]
_TEXTS = ("OrgQSubject", "OrgQBody", "RelQSubject", "RelQBody")


def read_questions(path: str | Path, **reading: Unpack[TableReading]) -> Iterator[SentencePair]:
    """The pairs of a file, each with its label; `group` is the new question's identifier.

    Args:
        path: `.csv`, else XML.

    Raises:
        InputError: no such file, XML that is not well-formed or defines entities, another label, or another head.
    """
    left_out = LeftOut.of(reading.get("on_error", "stop"))
    if unpacked_name(path).endswith(".csv"):
        return _table(path, left_out, reading.get("encoding", "utf-8"))
    return iter(_Reader(path, left_out).pairs)


def _table(path: str | Path, left_out: LeftOut, encoding: str) -> Iterator[SentencePair]:
    rows = _rows(path, encoding)
    _, head = next(rows, (1, []))
    if head != _COLUMNS:
        raise InputError(f"{path}, line 1: expected the head {','.join(_COLUMNS)}, found {shown(','.join(head))}")
    for number, row in rows:
        with left_out:
            if len(row) != len(_COLUMNS):
                problem = f"expected {len(_COLUMNS)} fields, found {len(row)}"
                raise WrongRecord(path, f"line {number}", problem, f"{len(row)} fields instead of {len(_COLUMNS)}")
            label = TWO_WAYS[int(one_of(path, number, row[5].strip(), ("0", "1")))]
            first, second = (without_entities(text).strip() for text in row[3:5])
            pair = SentencePair(row[2], first, second, label, group=row[1])
            if not pair.first or not pair.second:
                raise WrongRecord(path, f"line {number}", "a question without text")
            yield pair


def _rows(path: str | Path, encoding: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV with the number of their last line; a field in quotation marks may hold line ends."""
    rows = csv.reader((f"{line}\n" for _, line in numbered_lines(path, encoding)), strict=True)
    try:
        for row in rows:
            if row:
                yield rows.line_num, row
    except csv.Error as error:
        raise InputError(
            f"{path}, line {rows.line_num}: a field in quotation marks does not end ({in_one_line(error)})"
        ) from None


class _Reader:
    """Reads the XML form into `pairs`."""

    def __init__(self, path: str | Path, left_out: LeftOut):
        self.path, self.left_out = path, left_out
        self.pairs: list[SentencePair] = []
        self.texts: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.open: list[str] | None = None  # the text of the element that is being read
        self.parser = parser_of(Path(path))
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        for _ in parse(Path(path), self.parser, "this is not well-formed XML"):
            pass

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in _TEXTS:
            self.open = []
        elif name in ("OrgQuestion", "RelQuestion"):
            missing = {"OrgQuestion": ["ORGQ_ID"], "RelQuestion": ["RELQ_ID", "RELQ_RELEVANCE2ORGQ"]}[name]
            if missing := [attribute for attribute in missing if attribute not in attributes]:
                raise InputError(f"{self.path}, line {self.parser.CurrentLineNumber}: {name} has no {missing[0]}")
            if name == "OrgQuestion":
                self.names, self.texts = {}, {}
            self.names |= attributes

    def characters(self, text: str) -> None:
        if self.open is not None:
            self.open.append(text)

    def end(self, name: str) -> None:
        if name in _TEXTS:
            self.texts[name], self.open = " ".join("".join(self.open or ()).split()), None
        elif name == "RelQuestion":
            line = self.parser.CurrentLineNumber
            if "ORGQ_ID" not in self.names:
                return self.left_out.add(WrongRecord(self.path, f"line {line}", "a RelQuestion outside OrgQuestion"))
            try:
                label = one_of(self.path, line, self.names["RELQ_RELEVANCE2ORGQ"], RELEVANCE)
            except WrongRecord as problem:
                return self.left_out.add(problem)
            first, second = (
                ". ".join(filter(None, (self.texts.get(f"{kind}QSubject"), self.texts.get(f"{kind}QBody"))))
                for kind in ("Org", "Rel")
            )
            if not first or not second:
                return self.left_out.add(WrongRecord(self.path, f"line {line}", "a question without text"))
            group = self.names["ORGQ_ID"]
            self.pairs.append(SentencePair(self.names["RELQ_ID"], first, second, label, group=group))
