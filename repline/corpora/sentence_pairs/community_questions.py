"""Community question answering, SemEval-2016/2017 task 3, subtask B: a new question and ten older ones next to it.

Two forms: the XML of the task (`OrgQuestion` records, each with a related question), and a CSV of pairs with the head
id, question1_id, question2_id, question1, question2, relevance (1 or 0). Comments are passed over. The text of a
question is its subject, ". " and its body.

Source: Nakov et al. 2016, "SemEval-2016 Task 3: Community Question Answering".
"""

import csv
from collections.abc import Iterator
from pathlib import Path

from repline.corpora.sentence_pairs.pair_tables import SentencePair, one_of
from repline.errors import InputError
from repline.text_files import numbered_lines, unpacked_name
from repline.xml_text import parse, parser_of

RELEVANCE = ("PerfectMatch", "Relevant", "Irrelevant")
TWO_WAYS = ("Irrelevant", "Relevant")  # of the CSV, which has lost the difference between the first two
_COLUMNS = ["id", "question1_id", "question2_id", "question1", "question2", "relevance"]
_TEXTS = ("OrgQSubject", "OrgQBody", "RelQSubject", "RelQBody")


def read_questions(path: str | Path) -> Iterator[SentencePair]:
    """The pairs of a file, each with its label; `group` is the new question's identifier.

    Args:
        path: `.csv`, else XML.

    Raises:
        InputError: no such file, XML that is not well-formed or defines entities, another label, or another head.
    """
    return _table(path) if unpacked_name(path).endswith(".csv") else iter(_Reader(path).pairs)


def _table(path: str | Path) -> Iterator[SentencePair]:
    rows = csv.reader(line for _, line in numbered_lines(path))
    if (head := next(rows, [])) != _COLUMNS:
        raise InputError(f"{path}, line 1: expected the head {','.join(_COLUMNS)}, found {','.join(head)[:80]!r}")
    for row in rows:
        if len(row) != len(_COLUMNS):
            raise InputError(f"{path}, line {rows.line_num}: expected {len(_COLUMNS)} fields, found {len(row)}")
        label = TWO_WAYS[int(one_of(path, rows.line_num, row[5].strip(), ("0", "1")))]
        yield SentencePair(row[2], row[3].strip(), row[4].strip(), label, group=row[1])


class _Reader:
    """Reads the XML form into `pairs`."""

    def __init__(self, path: str | Path):
        self.path = path
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
            self.names |= attributes

    def characters(self, text: str) -> None:
        if self.open is not None:
            self.open.append(text)

    def end(self, name: str) -> None:
        if name in _TEXTS:
            self.texts[name], self.open = " ".join("".join(self.open or ()).split()), None
        elif name == "RelQuestion":
            line = self.parser.CurrentLineNumber
            label = one_of(self.path, line, self.names["RELQ_RELEVANCE2ORGQ"], RELEVANCE)
            first, second = (
                ". ".join(filter(None, (self.texts.get(f"{kind}QSubject"), self.texts.get(f"{kind}QBody"))))
                for kind in ("Org", "Rel")
            )
            if not first or not second:
                raise InputError(f"{self.path}, line {line}: a question without text")
            group = self.names["ORGQ_ID"]
            self.pairs.append(SentencePair(self.names["RELQ_ID"], first, second, label, group=group))
