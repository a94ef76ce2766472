"""Sentences with a class: the Stanford Sentiment Treebank (two classes), movie reviews in fastText's form, own tables.

One row a sentence (LABELLED): `task`, `split` (train, dev, test), `tokens`, `label`.

    stsa.binary.train, .dev, .test      a line: 0 or 1, a blank, the sentence
    sst2-phrases-train.tsv              phrase, tab, 0 or 1: takes the place of stsa.binary.train
    pang_lee_polarity.cor               __label__neg or __label__pos, a blank, the sentence; every tenth line of each
                                        class is for dev, and two of ten for test
    NAME.SPLIT.tsv                      your own: label, tab, sentence; SPLIT is train, dev or test
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa

from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.errors import InputError
from repline.text_files import numbered_lines, unpacked_name

SPLITS = ("train", "dev", "test")
LABELLED = pa.schema(
    [("task", pa.string()), ("split", pa.string()), ("tokens", pa.list_(pa.string())), ("label", pa.string())]
)
Example = tuple[str, str, str]  # split, label, sentence


def read_labelled(paths: list[Path], words: Callable[[str], list[str]]) -> pa.Table:
    """Every labelled sentence in some files; files of other kinds are passed over.

    Args:
        paths: the files of a raw folder, named as above.
        words: splits a sentence.

    Returns:
        a table with the schema LABELLED, tasks in alphabetical order.

    Raises:
        InputError: a line that is not as described, or a task without one of its three splits.
    """
    names = {unpacked_name(path): path for path in paths}
    columns: dict[str, list] = {name: [] for name in LABELLED.names}
    for task, examples in sorted(_tasks(names).items()):
        splits_present = set()
        for split, label, sentence in examples:
            splits_present.add(split)
            for column, value in zip(columns.values(), (task, split, words(sentence), label), strict=True):
                column.append(value)
        if missing := [split for split in SPLITS if split not in splits_present]:
            raise InputError(f"{task}: labelled sentences need train, dev and test, and there is no {missing[0]}")
    return pa.table(columns, schema=LABELLED)


def _tasks(names: dict[str, Path]) -> dict[str, list[Example]]:
    tasks: dict[str, list[Example]] = {}
    phrases = names.get("sst2-phrases-train.tsv")
    for name, path in names.items():
        if match := re.fullmatch(r"stsa\.binary\.(train|dev|test)", name):
            if match[1] != "train" or phrases is None:
                tasks.setdefault("sst", []).extend(_split_lines(path, " ", match[1]))
        elif path == phrases:
            tasks.setdefault("sst", []).extend(_split_lines(path, "\t", "train", label_first=False))
        elif name == "pang_lee_polarity.cor":
            tasks.setdefault("polarity", []).extend(_fasttext(path))
        elif match := re.fullmatch(r"(\w+)\.(train|dev|test)\.tsv", name):
            rows = ((match[2], row.label, row.text) for row in read_table(path))
            tasks.setdefault(match[1], []).extend(rows)
    return tasks


def _split_lines(path: Path, separator: str, split: str, label_first: bool = True) -> Iterator[Example]:
    for number, line in numbered_lines(path):
        first, separated, second = line.partition(separator) if label_first else line.rpartition(separator)
        if not separated or not first.strip() or not second.strip():
            raise InputError(f"{path}, line {number}: expected a label and a sentence, found {line!r}")
        label, sentence = (first, second) if label_first else (second, first)
        yield split, label.strip(), sentence


def _fasttext(path: Path) -> Iterator[Example]:
    seen: dict[str, int] = {}
    for number, line in numbered_lines(path, "cp1252"):
        mark, _, sentence = line.partition(" ")
        if not mark.startswith("__label__"):
            raise InputError(f"{path}, line {number}: expected __label__ and a class, found {line!r}")
        label = mark.removeprefix("__label__")
        position = seen[label] = seen.get(label, -1) + 1
        yield ("dev" if position % 10 == 9 else "test" if position % 5 == 3 else "train"), label, sentence
