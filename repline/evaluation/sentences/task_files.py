"""The tasks that are in some folders: the published ones by the names of their files, and your own.

    NAME.tsv; NAME.train.tsv, (.dev,) .test        label, tab, sentence: classification
    NAME.pairs.tsv; NAME.train.pairs.tsv, (.dev,)  with a head that names sentence1, sentence2, and label or score:
      .test                                        classes of pairs, relatedness where there is a split, similarity;
                                                   without a head: sentence, sentence, score

dev may be called valid, validation or val.
The published files are those of `repline.corpora.labelled.collections.benchmarks` and
`repline.corpora.sentence_pairs.scored_pairs`, and mrpc.train.txt, mrpc.test.txt. Of a table of pairs with both a label
and a score come two tasks or three.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import ceil, floor
from pathlib import Path
from typing import Unpack

from repline.corpora.labelled.collections.benchmarks import Benchmark, read_benchmarks
from repline.corpora.sentence_pairs.pair_tables import (
    SentencePair,
    read_mrpc,
    read_sick,
    read_sts_benchmark,
)
from repline.corpora.sentence_pairs.scored_pairs import read_pairs, read_table
from repline.corpora.split_files import ALL, files_by_set
from repline.errors import InputError, readable, shown
from repline.evaluation.sentences.sentence_tasks import Part, Task
from repline.reading.file_names import unpacked_name
from repline.reading.settings import TableReading
from repline.sources.card import CARD, raw_files

ORDER = (
    *("MR", "CR", "SUBJ", "MPQA", "SST-2", "SST-5", "TREC", "MRPC", "SICK-E", "SICK-R"),
    *("STS12", "STS13", "STS14", "STS15", "STS16", "STS-B", "STS-B-dev", "STS-B-learnt"),
)
NOT_SENTEVAL = ("TREC-50",)  # read where it is asked for
PARAPHRASE = "paraphrase"
WIDEST_SCALE = 200  # a score is learnt as a distribution over the whole scores, a classifier's column each
SIMILARITY_FILE = re.compile(r"sts\d\d\.|(?i:sts(?:20)?\d*\.(?:input|gs)\.)|lee\.cor$|similarities0-1\.txt$")
Reader = Callable[..., Iterator[SentencePair]]


def read_tasks(
    folders: Iterable[str | Path], names: Iterable[str] | None = None, **reading: Unpack[TableReading]
) -> list[Task]:
    """The tasks in some folders, the published ones first in the order of SentEval, then others by name.

    Args:
        folders: raw folders, or folders or single files of your own.
        names: only these; None for all.
        reading: what a wrong line does, and the encoding of files without a byte order mark.

    Raises:
        InputError: no such folder or task, two tasks of one name, a broken line or an empty sentence (with file and
            line), pairs without scores or labels, a label that is not in train.
    """
    names_asked = None if names is None else list(names)
    tasks_by_name: dict[str, Task] = {}
    for folder in folders:
        for task in _tasks(_files(Path(folder)), names_asked, reading):
            if task.name in tasks_by_name:
                raise InputError(f"{folder}: there is another task named {task.name}; rename its files")
            tasks_by_name[task.name] = task
    if names_asked is not None and (missing := [name for name in names_asked if name not in tasks_by_name]):
        raise InputError(f"there is no task {missing[0]}; there are {', '.join(_ordered(tasks_by_name)) or 'none'}")
    if not tasks_by_name:
        raise InputError(f"expected files of a task, found none in {', '.join(map(str, folders)) or 'no folder'}")
    return [tasks_by_name[name] for name in _ordered(tasks_by_name) if names_asked is None or name in names_asked]


def _ordered(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def _files(folder: Path) -> list[Path]:
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such file or folder of tasks")
    if (folder / CARD).exists():
        return raw_files(folder)
    return sorted(path for path in folder.iterdir() if path.is_file())


def _tasks(paths: Sequence[Path], names: Sequence[str] | None, reading: TableReading) -> Iterator[Task]:
    files = {unpacked_name(path): path for path in paths}
    for benchmark in read_benchmarks(paths, **reading).values():
        if benchmark.name not in NOT_SENTEVAL or benchmark.name in (names or ()):
            yield _classification(benchmark)
    splits = {"train": "sick.train.txt", "dev": "sick.trial.txt", "test": "sick.test.txt"}
    if sick := _parts(files, splits, read_sick, reading):
        yield Task("SICK-E", "pair_classification", sick)
        yield Task("SICK-R", "relatedness", sick, scale=(1, 5))
    if mrpc := _parts(files, {"train": "mrpc.train.txt", "test": "mrpc.test.txt"}, read_mrpc, reading):
        yield Task("MRPC", "pair_classification", mrpc, positive=PARAPHRASE)
    splits = {split: f"stsb.{split}.csv" for split in ("train", "dev", "test")}
    if stsb := _parts(files, splits, read_sts_benchmark, reading):
        yield Task("STS-B", "similarity", {"test": stsb["test"]})
        yield Task("STS-B-dev", "similarity", {"dev": stsb["dev"]})
        yield Task("STS-B-learnt", "relatedness", stsb, scale=(0, 5))
    yield from _similarity(paths, reading)
    yield from _own_pairs(files, reading)


def _classification(benchmark: Benchmark) -> Task:
    parts = {}
    for name, examples in benchmark.parts.items():
        texts, labels, origins = zip(*examples, strict=True)
        parts[name] = Part(texts, labels=labels, origins=origins)
    return Task(benchmark.name, "classification", parts)


def _similarity(paths: Sequence[Path], reading: TableReading) -> Iterator[Task]:
    """Scored pairs that come in files of a year, and the stories of Lee."""
    scored_files = [path for path in paths if SIMILARITY_FILE.match(unpacked_name(path))]
    rows = read_pairs(scored_files, lambda sentence: [sentence.strip()], **reading).to_pylist()
    tests: dict[str, dict[str, list[SentencePair]]] = {}
    for row in rows:
        first, second = row["tokens_a"][0], row["tokens_b"][0]
        number = str(row["pair_id"] + 1)
        if not (first and second):
            raise InputError(f"{row['test']}.{row['file']}, pair {number}: a sentence is empty")
        pair = SentencePair(number, first, second, None, row["score"])
        tests.setdefault(row["test"], {}).setdefault(row["file"], []).append(pair)
    for test, files in tests.items():
        name = test.upper() if test.startswith("sts") else test.capitalize()
        yield Task(name, "similarity", {file: _part(f"{test}.{file}", pairs) for file, pairs in files.items()})


def _own_pairs(names: Mapping[str, Path], reading: TableReading) -> Iterator[Task]:
    for name, paths in files_by_set(names, ".pairs.tsv").items():
        parts = {part: _part(str(path), list(read_table(path, **reading)), "line") for part, path in paths.items()}
        yield from _tasks_of_pairs(name, parts)


def _tasks_of_pairs(name: str, parts: Mapping[str, Part]) -> Iterator[Task]:
    labelled = all(part.labels for part in parts.values())
    scored = all(part.scores for part in parts.values())
    if not (labelled or scored):
        raise InputError(f"{name}: expected labels in all of its parts, or scores in all of them, found neither")
    if labelled:
        trained = set(parts.get("train", parts.get(ALL, Part(()))).labels)
        for part in parts.values():
            for label, where in zip(part.labels, part.origins, strict=True):
                if label not in trained:
                    raise InputError(f"{where}: the label {shown(label)} does not occur in train")
        if len(trained) < 2:
            raise InputError(f"{name}: expected at least two labels, found only {readable(', '.join(trained))}")
        yield Task(name, "pair_classification", parts)
    if scored:
        learnt = f"{name}-scores" if labelled else name
        if "train" in parts:
            yield Task(learnt, "relatedness", parts, scale=_scale(name, parts))
        tested = parts["test"] if "train" in parts else parts[ALL]
        yield Task(f"{name}-cosine" if labelled or "train" in parts else name, "similarity", {"test": tested})


def _scale(name: str, parts: Mapping[str, Part]) -> tuple[int, int]:
    """The whole scores that the scores of all parts lie between; InputError where they are one, or too many."""
    scores = [score for part in parts.values() for score in part.scores]
    low, high = floor(min(scores)), ceil(max(scores))
    if low == high:
        raise InputError(f"{name}: expected scores that differ, found {low} alone")
    if high - low > WIDEST_SCALE:
        raise InputError(
            f"{name}: expected scores on a scale of at most {WIDEST_SCALE} steps, found {min(scores):g} to "
            f"{max(scores):g}; divide them by a number"
        )
    return low, high


def _parts(
    names: Mapping[str, Path], files: Mapping[str, str], read: Reader, reading: TableReading
) -> dict[str, Part] | None:
    """The parts of a published task, None where none is there; InputError where one is missing."""
    there = {part: names[file] for part, file in files.items() if file in names}
    if there and len(there) < len(files):
        missing = next(file for part, file in files.items() if part not in there)
        raise InputError(f"{missing} is not next to {next(iter(there.values()))}")
    return {part: _part(str(path), list(read(path, **reading))) for part, path in there.items()} or None


def _part(where: str, pairs: Sequence[SentencePair], what: str = "pair") -> Part:
    if not pairs:
        raise InputError(f"{where}: expected pairs of sentences, found none")
    labels = [pair.label for pair in pairs if pair.label is not None]
    scores = [pair.score for pair in pairs if pair.score is not None]
    if len(labels) not in (0, len(pairs)) or len(scores) not in (0, len(pairs)):
        raise InputError(f"{where}: expected a label, or a score, with every pair, found pairs without")
    origins = [f"{where}, {what} {pair.id}" for pair in pairs]
    firsts, seconds = [pair.first for pair in pairs], [pair.second for pair in pairs]
    return Part(firsts, seconds, labels, scores, origins)
