"""Sentences with gold entities in the IOB2 files of Universal NER.

Source: Mayhew et al. 2024, "Universal NER: A Gold-Standard Multilingual Named Entity Recognition Benchmark".
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from repline.errors import InputError
from repline.text_files import files_with, numbered_lines

GOLD_TYPES = {"PER": "person", "ORG": "company", "LOC": "location"}
_TAG = re.compile(rf"O|[BI]-(?:{'|'.join(GOLD_TYPES)})")


@dataclass
class GoldEntities:
    """Sentences as parallel lists of lists: words, and IOB2 tags of types (B-person, I-company, O)."""

    tokens: list[list[str]] = field(default_factory=list)
    tags: list[list[str]] = field(default_factory=list)


def read_gold(source: str | Path) -> GoldEntities:
    """The sentences of a file, or of the `*.iob2` and `*.iob2.gz` of a folder.

    A line has a word's number, the word and its tag (PER, ORG, LOC) between tabs; further columns do not count. Lines
    that begin with # are comments, and an empty line ends a sentence.

    Raises:
        InputError: no such file, a damaged one, a line that is not of the format (naming it), or no entity.
    """
    source = Path(source)
    paths = files_with(source, ".iob2")
    gold = GoldEntities()
    for path in paths:
        number, fresh = 0, True
        for number, line in numbered_lines(path):
            if not line or (line.startswith("#") and fresh):
                fresh = True
                continue
            fields = line.split("\t")
            expected = "1" if fresh else str(len(gold.tokens[-1]) + 1)
            if len(fields) < 3 or fields[0] != expected or not fields[1] or not _TAG.fullmatch(fields[2]):
                raise InputError(
                    f"{path}, line {number}: expected word number {expected}, a word and a tag O, or B- or I- and one "
                    f"of {', '.join(GOLD_TYPES)}, between tabs, found {line[:60]!r}"
                )
            if fresh:
                gold.tokens.append([])
                gold.tags.append([])
            fresh = False
            part, _, kind = fields[2].partition("-")
            gold.tokens[-1].append(fields[1])
            gold.tags[-1].append(f"{part}-{GOLD_TYPES[kind]}" if kind else "O")
    if not any(tag != "O" for tags in gold.tags for tag in tags):
        raise InputError(f"{source}: expected *.iob2 files with gold entities, found none")
    return gold
