"""The files in which tests of word vectors are published, as lists of pairs, questions and categories.

Every reader raises InputError naming the file and the line that is not what it should be, or that there is none.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from repline.errors import InputError
from repline.evaluation.word_vectors.semeval_relations import Relation
from repline.text_files import read_text, unpacked_name

PART_OF_SPEECH = re.compile(r"-[a-z]$")  # of MEN's lemmas: sun-n, sunlight-n


def read_pairs(path: str | Path, *, columns: Sequence[str] = ("word1", "word2", "similarity")) -> tuple[list, list]:
    """Pairs of words and their scores: a CSV with a header, or three columns between white space.

    Without commas: `word1 word2 score` a line, fields between tabs where there are any; lines that start with # and a
    first line without a number are no pairs. A further column is not read.

    Args:
        columns: names in the header of the CSV.

    Returns:
        ([n] of (word, word), [n] of float). A part of speech at the end of a word of a CSV (`sun-n`) is cut off where
        every word has one.
    """
    path = Path(path)
    rows = _table(path, columns) if unpacked_name(path).endswith(".csv") else _fields(path)
    pairs: list[tuple[str, str]] = []
    scores: list[float] = []
    for line, (first, second, score) in rows:
        try:
            scores.append(float(score))
        except ValueError:
            if line == 1 and not pairs:
                continue
            raise InputError(f"{path}, line {line}: expected a number as the score, found {score!r}") from None
        pairs.append((first, second))
    _check_some(pairs, path, "pair of words")
    if unpacked_name(path).endswith(".csv") and all(PART_OF_SPEECH.search(word) for pair in pairs for word in pair):
        pairs = [(first[:-2], second[:-2]) for first, second in pairs]
    return pairs, scores


def read_analogies(path: str | Path, *, sectioned: bool = True) -> tuple[list[tuple[str, str, str, str]], list[str]]:
    """Analogy questions and the section of each: a CSV with type, word1, word2, word3, target, or word2vec's format.

    word2vec's: lines `: section`, and under each lines of four words.

    Args:
        sectioned: false for a text that is only lines of four words; they are in the section "all".

    Returns:
        ([n] of (a, b, c, expected), [n] of section).
    """
    path = Path(path)
    questions: list[tuple[str, str, str, str]] = []
    sections: list[str] = []
    if unpacked_name(path).endswith(".csv"):
        for _, (name, a, b, c, expected) in _table(path, ("type", "word1", "word2", "word3", "target")):
            questions.append((a, b, c, expected))
            sections.append(name)
    else:
        section = None if sectioned else "all"
        for line, text in _lines(path):
            if text.startswith(":"):
                section = text[1:].strip()
                continue
            words = text.split()
            if section is None or len(words) != 4:
                expectation = "four words" if section is not None else "a section (`: name`) before the first question"
                raise InputError(f"{path}, line {line}: expected {expectation}, found {text!r}")
            questions.append((words[0], words[1], words[2], words[3]))
            sections.append(section)
    _check_some(questions, path, "question")
    return questions, sections


def read_categories(path: str | Path) -> tuple[list[str], list[str]]:
    """Words and their categories: a CSV with the columns category and word; returns ([n] words, [n] categories)."""
    rows = [fields for _, fields in _table(Path(path), ("word", "category"), ends=True)]
    _check_some(rows, path, "word")
    return [word for word, _ in rows], [category for _, category in rows]


def read_relations(path: str | Path) -> dict[str, Relation]:
    """The relations of SemEval-2012 task 2 from a CSV of analogies prototype : prototype :: pair : pair.

    The columns are those of `read_analogies`; the pairs of a type stand in the order of their typicality, the most
    typical first. The typicality itself is not in the file, so that of n pairs has n for the first and 1 for the last.
    """
    prototypes: dict[str, dict[tuple[str, str], None]] = {}
    pairs: dict[str, dict[tuple[str, str], None]] = {}
    for _, (name, *words) in _table(Path(path), ("type", "word1", "word2", "word3", "target")):
        prototypes.setdefault(name, {})[words[0], words[1]] = None
        pairs.setdefault(name, {})[words[2], words[3]] = None
    _check_some(pairs, path, "question")
    return {
        name: Relation(list(prototypes[name]), list(ranked), list(range(len(ranked), 0, -1)))
        for name, ranked in pairs.items()
    }


def read_synonyms(path: str | Path) -> list[tuple[str, ...]]:
    """Synonym questions, one a line between tabs: the word, its synonym, the wrong options."""
    questions = []
    for line, text in _lines(Path(path)):
        question = tuple(field.strip() for field in text.split("\t"))
        if len(question) < 3 or not all(question):
            raise InputError(f"{path}, line {line}: expected a word, its synonym and other options, found {text!r}")
        questions.append(question)
    _check_some(questions, path, "question")
    return questions


def read_outliers(*paths: str | Path) -> list[tuple[list[str], list[str]]]:
    """Groups and their outliers, as in 8-8-8: words that belong together, an empty line, the outliers; a word a line.

    8-8-8 has a file a group; in a file with several, an empty line stands between them.
    """
    groups: list[tuple[list[str], list[str]]] = []
    for path in paths:
        blocks: list[list[str]] = [[]]
        for word in (line.strip() for line in _text(Path(path)).splitlines()):
            if word:
                blocks[-1].append(word)
            elif blocks[-1]:
                blocks.append([])
        blocks = [block for block in blocks if block]
        if not blocks or len(blocks) % 2 or any(len(members) < 2 for members in blocks[::2]):
            raise InputError(f"{path}: expected words that belong together, an empty line, and outliers")
        groups += zip(blocks[::2], blocks[1::2], strict=True)
    return groups


def _table(path: Path, columns: Sequence[str], ends: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Line number and the fields of `columns`; `ends`: rows without the first are no rows but ends of sections."""
    reader = csv.reader(_text(path).splitlines())
    header = [name.strip() for name in next(reader, [])]
    for column in columns:
        if column not in header:
            raise InputError(f"{path}: expected a column {column!r}, found {', '.join(header) or 'an empty file'}")
    column_numbers = [header.index(column) for column in columns]
    for row in reader:
        if not row:
            continue
        if len(row) != len(header):
            raise InputError(f"{path}, line {reader.line_num}: expected {len(header)} fields, found {len(row)}")
        fields = [row[number].strip() for number in column_numbers]
        if not any(fields) or (ends and not fields[0]):
            continue  # an index and no pair, as at the end of vecto's WordSim-353
        if not all(fields):
            raise InputError(f"{path}, line {reader.line_num}: {columns[fields.index('')]} is empty")
        yield reader.line_num, fields


def _fields(path: Path) -> Iterator[tuple[int, list[str]]]:
    for line, text in _lines(path):
        if text.startswith("#"):
            continue
        fields = [field.strip() for field in text.split("\t")] if "\t" in text else text.split()
        if len(fields) < 3 or not all(fields[:3]):
            raise InputError(f"{path}, line {line}: expected two words and a score, found {text!r}")
        yield line, fields[:3]


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(_text(path).splitlines(), 1):
        if line.strip():
            yield number, line.strip()


def _text(path: Path) -> str:
    return read_text(path)


def _check_some(items: object, path: str | Path, what: str) -> None:
    if not items:
        raise InputError(f"{path}: expected at least one {what}, found none")
