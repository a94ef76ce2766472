"""Sentences with a class: the Stanford Sentiment Treebank (two classes), movie reviews in fastText's form, own tables.

One row a sentence (LABELLED): `task`, `split` (train, dev, test), `tokens`, `label`.

    stsa.binary.train, .dev, .test      a line: 0 or 1, a blank, the sentence
    sst2-phrases-train.tsv              phrase, tab, 0 or 1: takes the place of stsa.binary.train
    pang_lee_polarity.cor               __label__neg or __label__pos, a blank, the sentence; every tenth line of each
                                        class is for dev, and two of ten for test
    NAME.SPLIT.tsv                      your own: label, tab, sentence; SPLIT is train, dev (or valid) or test
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Unpack

import pyarrow as pa

from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.corpora.split_files import ALL, files_by_set
from repline.errors import InputError, shown
from repline.reading.file_names import unpacked_name
from repline.reading.settings import TableReading
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, WrongRecord

SPLITS = ("train", "dev", "test")
LABELLED = pa.schema(
    [("task", pa.string()), ("split", pa.string()), ("tokens", pa.list_(pa.string())), ("label", pa.string())]
)
Example = tuple[str, str, str]  # split, label, sentence


def read_labelled(paths: list[Path], words: Callable[[str], list[str]], **reading: Unpack[TableReading]) -> pa.Table:
    """Every labelled sentence in some files; files of other kinds are passed over.

    Args:
        paths: the files of a raw folder, named as above.
        words: splits a sentence.
        reading: what a wrong line does, and the encoding of files without a byte order mark.

    Returns:
        a table with the schema LABELLED, tasks in alphabetical order.

    Raises:
        InputError: a line that is not as described, or a task without one of its three splits.
    """
    names = {unpacked_name(path): path for path in paths}
    columns: dict[str, list] = {name: [] for name in LABELLED.names}
    for task, examples in sorted(_tasks(names, reading).items()):
        splits_present = set()
        for split, label, sentence in examples:
            splits_present.add(split)
            for column, value in zip(columns.values(), (task, split, words(sentence), label), strict=True):
                column.append(value)
        if missing := [split for split in SPLITS if split not in splits_present]:
            raise InputError(f"{task}: expected sentences in {', '.join(SPLITS)}, found none in {missing[0]}")
    return pa.table(columns, schema=LABELLED)


def _tasks(names: dict[str, Path], reading: TableReading) -> dict[str, list[Example]]:
    tasks: dict[str, list[Example]] = {}
    phrases = names.get("sst2-phrases-train.tsv")
    for name, path in names.items():
        if match := re.fullmatch(r"stsa\.binary\.(train|dev|test)", name):
            if match[1] != "train" or phrases is None:
                tasks.setdefault("sst", []).extend(_split_lines(path, " ", match[1], reading))
        elif path == phrases:
            tasks.setdefault("sst", []).extend(_split_lines(path, "\t", "train", reading, label_first=False))
        elif name == "pang_lee_polarity.cor":
            tasks.setdefault("polarity", []).extend(_fasttext(path, reading))
    tables = {name: path for name, path in names.items() if path != phrases and not name.endswith(".pairs.tsv")}
    for task, parts in files_by_set(tables).items():
        if ALL in parts:
            LeftOut.of(reading.get("on_error", "stop")).pass_over("tables without parts")
            continue
        rows = [(part, row.label, row.text) for part, path in parts.items() for row in read_table(path, **reading)]
        tasks.setdefault(task, []).extend(rows)
    return tasks


def _split_lines(
    path: Path, separator: str, split: str, reading: TableReading, label_first: bool = True
) -> Iterator[Example]:
    left_out = LeftOut.of(reading.get("on_error", "stop"))
    for number, line in visible_lines(path, reading.get("encoding", "utf-8"), left_out):
        first, separated, second = line.partition(separator) if label_first else line.rpartition(separator)
        if not separated or not first.strip() or not second.strip():
            problem = f"expected a label and a sentence, found {shown(line)}"
            left_out.add(WrongRecord(path, f"line {number}", problem, "no label and sentence"))
            continue
        label, sentence = (first, second) if label_first else (second, first)
        yield split, label.strip(), sentence


def _fasttext(path: Path, reading: TableReading) -> Iterator[Example]:
    left_out, seen = LeftOut.of(reading.get("on_error", "stop")), dict[str, int]()
    for number, line in visible_lines(path, "cp1252", left_out):
        mark, _, sentence = line.partition(" ")
        if not mark.startswith("__label__"):
            problem = f"expected __label__ and a class, found {shown(line)}"
            left_out.add(WrongRecord(path, f"line {number}", problem, "no label and sentence"))
            continue
        label = mark.removeprefix("__label__")
        position = seen[label] = seen.get(label, -1) + 1
        yield ("dev" if position % 10 == 9 else "test" if position % 5 == 3 else "train"), label, sentence
