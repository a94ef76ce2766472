"""Pairs of sentences with a score of how much they mean the same: STS 2012-2016, STS Benchmark, SICK, Lee, own tables.

One row a pair (PAIRS): `test` and `file` say where it is from, as the tests are scored by file.

    STS.input.MSRpar.txt, STS.gs.MSRpar.txt         two sentences a line, separated by a tab; a score a line, empty
                                                    where the pair has no rating; the year is that of the folder's name
    STS2016.input.plagiarism.txt, STS2016.gs...     the files of 2016
    sts12.MSRpar.input.txt, sts12.MSRpar.gs.txt     the same with any year
    stsb.train.csv, stsb.dev.csv, stsb.test.csv     tab-separated: genre, file, year, id, score, sentence, sentence
    sick.train.txt, sick.trial.txt, sick.test.txt   tab-separated with a head: pair_ID, A, B, relatedness, entailment
    lee.cor, similarities0-1.txt                    50 news stories, a line each; their similarities as a matrix
    NAME.pairs.tsv                                  your own: sentence, sentence, score; or with a head that names
                                                    sentence1, sentence2 and score, in any order; or in parts, as
                                                    NAME.train.pairs.tsv
"""

import re
from collections.abc import Callable, Iterator
from itertools import combinations, zip_longest
from pathlib import Path
from typing import Unpack

import pyarrow as pa

from repline.corpora.line_groups import END, lines_in_place
from repline.corpora.sentence_pairs.pair_tables import (
    SentencePair,
    fields,
    read_own,
    read_sick,
    read_sts_benchmark,
    score_of,
)
from repline.corpora.split_files import ALL, files_by_set
from repline.errors import InputError
from repline.reading.file_names import unpacked_name
from repline.reading.settings import TableReading
from repline.reading.table_fields import unquoted_text
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import numbered_lines, visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

PAIRS = pa.schema(
    [
        ("test", pa.string()),
        ("file", pa.string()),
        ("pair_id", pa.int32()),
        ("tokens_a", pa.list_(pa.string())),
        ("tokens_b", pa.list_(pa.string())),
        ("score", pa.float64()),
        ("label", pa.string()),  # of SICK: ENTAILMENT, NEUTRAL, CONTRADICTION
    ]
)
SEMEVAL_FIELDS = 4  # in 2016 with the sources of both sentences
FORMS = (
    "STS.input.NAME.txt with STS.gs.NAME.txt, stsb.train.csv, sick.train.txt, lee.cor with similarities0-1.txt, or "
    "a table of your own as NAME.pairs.tsv (sentence, sentence, score)"
)
WINDOWS = "cp1252"  # the code page of the stories
Pair = tuple[str, str, float, str | None]  # sentence, sentence, score, label


def read_pairs(paths: list[Path], words: Callable[[str], list[str]], **reading: Unpack[TableReading]) -> pa.Table:
    """Every pair of sentences in some files; files of other kinds are passed over.

    Args:
        paths: the files of a raw folder, named as above.
        words: splits a sentence.
        reading: what a wrong line does, and the encoding of files without a byte order mark, except for Lee's.

    Returns:
        a table with the schema PAIRS, tests and files in alphabetical order.

    Raises:
        InputError: a line that is not as described, an input without its scores, two files that differ in length.
    """
    columns: dict[str, list] = {name: [] for name in PAIRS.names}
    tests = _tests({unpacked_name(path): path for path in paths}, reading)
    for test, file, pairs in sorted(tests, key=lambda test: test[:2]):
        for number, (first, second, score, label) in enumerate(pairs):
            row = (test, file, number, words(first), words(second), score, label)
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    return pa.table(columns, schema=PAIRS)


def _tests(paths: dict[str, Path], reading: TableReading) -> Iterator[tuple[str, str, Iterator[Pair]]]:
    for name, path in paths.items():
        if match := re.fullmatch(r"(STS(?:20)?(\d\d)?)\.input\.(.+)\.txt", name, re.IGNORECASE):
            gold_name = f"{match[1]}.gs.{match[3]}.txt"
            if (gold := paths.get(gold_name)) is None:
                raise InputError(f"{path}: expected its scores {gold_name} in the same folder, found no such file")
            year = match[2] or next(iter(re.findall(r"20(1\d)", path.parent.name)), "")
            yield f"sts{year}", match[3], _semeval(path, gold, **reading)
        elif match := re.fullmatch(r"(sts\d\d)\.(.+)\.input\.txt", name):
            gold = paths.get(f"{match[1]}.{match[2]}.gs.txt")
            if gold is None:
                scores = f"{match[1]}.{match[2]}.gs.txt"
                raise InputError(f"{path}: expected its scores {scores} in the same folder, found no such file")
            yield match[1], match[2], _semeval(path, gold, **reading)
        elif match := re.fullmatch(r"stsb\.(train|dev|test)\.csv", name):
            yield "stsb", match[1], _scored(read_sts_benchmark(path, **reading))
        elif match := re.fullmatch(r"sick\.(train|trial|test)\.txt", name):
            yield "sick", match[1], _scored(read_sick(path, **reading))
        elif name == "similarities0-1.txt" and "lee.cor" in paths:
            yield "lee", "stories", _lee(paths["lee.cor"], path)
    for name, parts in files_by_set(paths, ".pairs.tsv").items():
        for part, path in parts.items():
            yield name, "pairs" if part == ALL else part, _table(path, **reading)


def _semeval(
    sentences: Path, gold: Path, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Pair]:
    left_out = LeftOut.of(on_error)
    sides = [lines_in_place(path, encoding, left_out) for path in (sentences, gold)]
    for number, (sentence_line, gold_line) in enumerate(zip_longest(*sides, fillvalue=END), start=1):
        if END in (sentence_line, gold_line):
            shorter, longer = (sentences, gold) if sentence_line is END else (gold, sentences)
            raise InputError(f"{shorter}: expected as many lines as {longer} has, found fewer")
        if sentence_line is None or gold_line is None or not gold_line.strip():
            continue  # a line that was left out, or a pair without ratings
        with left_out:
            sentence_line, gold_line = (clean_text(line, left_out.invisible) for line in (sentence_line, gold_line))
            first, second = fields(sentences, number, sentence_line, 2, SEMEVAL_FIELDS)[:2]
            yield first, second, score_of(gold, number, gold_line), None


def _scored(pairs: Iterator[SentencePair]) -> Iterator[Pair]:
    for pair in pairs:
        yield pair.first, pair.second, float(pair.score or 0), pair.label and pair.label.upper()


def _lee(stories: Path, similarities: Path) -> Iterator[Pair]:
    texts = read_stories(stories)
    matrix = [[score_of(similarities, number, cell) for cell in line.split()] for number, line in _filled(similarities)]
    if len(matrix) != len(texts) or any(len(row) != len(texts) for row in matrix):
        raise InputError(f"{similarities}: expected {len(texts)} x {len(texts)} numbers, one a pair of {stories}")
    for first, second in combinations(range(len(texts)), 2):  # the numbers stand above the diagonal
        yield texts[first], texts[second], matrix[first][second], None


def read_stories(path: str | Path) -> list[str]:
    """The filled lines of a file of Lee's stories."""
    return [line for _, line in numbered_lines(path, WINDOWS) if line.strip()]


def _table(path: Path, **reading: Unpack[TableReading]) -> Iterator[Pair]:
    for pair in read_table(path, **reading):
        if pair.score is None:
            raise InputError(f"{path}, line 1: expected a head with sentence1, sentence2 and score")
        yield pair.first, pair.second, pair.score, None


def read_table(path: str | Path, **reading: Unpack[TableReading]) -> Iterator[SentencePair]:
    """The pairs of a table of your own, with a head as `pair_tables.read_own` has it or without one."""
    _, head = next(numbered_lines(path, reading.get("encoding", "utf-8")), (1, ""))
    named = {"sentence1", "sentence2"} & {name.strip() for name in clean_text(head).split("\t")}
    return read_own(path, **reading) if named else _without_head(path, **reading)


def _without_head(
    path: str | Path, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[SentencePair]:
    left_out = LeftOut.of(on_error)
    for number, line in visible_lines(path, encoding, left_out):
        if not line.strip():
            continue
        with left_out:
            *sentences, score = (field.strip() for field in fields(path, number, line, 3))
            first, second = map(unquoted_text, sentences)
            if not (first and second):
                raise WrongRecord(path, f"line {number}", "a sentence is empty")
            yield SentencePair(str(number), first, second, None, score_of(path, number, score))


def _filled(path: Path) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in numbered_lines(path) if line.strip())
