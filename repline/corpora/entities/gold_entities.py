"""Sentences with gold entities in the IOB2 files of Universal NER.

Source: Mayhew et al. 2024, "Universal NER: A Gold-Standard Multilingual Named Entity Recognition Benchmark".
"""

import re
from dataclasses import dataclass, field
from itertools import dropwhile
from pathlib import Path

from repline.corpora.entities.entity_types import NO_NAMES, TYPES, UNTYPED
from repline.corpora.line_groups import paragraphs
from repline.errors import InputError, shown
from repline.reading.file_names import files_with
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

GOLD_TYPES = {"PER": "person", "ORG": "company", "LOC": "location", "MISC": TYPES[UNTYPED]} | TYPES
_TAG = re.compile(rf"O|[BI]-(?:{'|'.join([*GOLD_TYPES, *NO_NAMES])})")
_SHOWN = ("PER", "ORG", "LOC", "MISC", "a label of OntoNotes")


@dataclass
class GoldEntities:
    """Sentences as parallel lists of lists: words, and IOB2 tags of types (B-person, I-company, O)."""

    tokens: list[list[str]] = field(default_factory=list)
    tags: list[list[str]] = field(default_factory=list)


def read_gold(source: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> GoldEntities:
    """The sentences of a file, or of the `*.iob2` of a folder, plain or compressed.

    A line has a word's number, the word and its tag between tabs; further columns do not count. Tags are those of
    Universal NER (PER, ORG, LOC), of CoNLL-2003 (with MISC, a name without a type) or of OntoNotes (PERSON, GPE, ...);
    its dates and amounts are no names. Lines that begin with # are comments, and an empty line ends a sentence.

    Args:
        on_error: at a sentence with a wrong line; or an account of them, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: no such file, a damaged one, a line that is not of the format (naming it), or no entity.
    """
    source, left_out, gold = Path(source), LeftOut.of(on_error), GoldEntities()
    for path in files_with(source, ".iob2"):
        for _, lines in paragraphs(path, encoding, left_out):
            rows = list(dropwhile(lambda row: row[1].startswith("#"), lines))  # without the comments above them
            with left_out:
                tokens, tags = _words(path, rows)
                if tokens:
                    gold.tokens.append(tokens)
                    gold.tags.append(tags)
    if not any(tag != "O" for tags in gold.tags for tag in tags):
        raise InputError(f"{source}: expected *.iob2 files with gold entities, found none")
    return gold


def _words(path: Path, lines: list[tuple[int, str]]) -> tuple[list[str], list[str]]:
    tokens, tags = list[str](), list[str]()
    for number, line in lines:
        fields = line.split("\t")
        expected = str(len(tokens) + 1)
        if len(fields) < 3 or fields[0] != expected or not fields[1] or not _TAG.fullmatch(fields[2]):
            problem = (
                f"expected word number {expected}, a word and a tag O, or B- or I- and one of {', '.join(_SHOWN)}, "
                f"between tabs, found {shown(line)}"
            )
            raise WrongRecord(path, f"line {number}", problem, "a line of another form")
        part, _, kind = fields[2].partition("-")
        tokens.append(fields[1])
        tags.append(f"{part}-{GOLD_TYPES[kind]}" if kind in GOLD_TYPES else "O")
    return tokens, tags
