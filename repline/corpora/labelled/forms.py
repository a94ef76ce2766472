"""The forms of labelled sources, and which reader reads each."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Unpack, get_args

from repline.corpora.labelled.collections.benchmarks import read_benchmarks
from repline.corpora.labelled.collections.bible_chapters import read_chapters
from repline.corpora.labelled.collections.dialogues import read_chat_or_task, read_clinc, read_sgd
from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.corpora.labelled.collections.newsgroups import read_newsgroups
from repline.corpora.labelled.collections.reuters_sgml import read_reuters
from repline.corpora.labelled.collections.reviews import read_cad_sentiment, read_chinese_reviews, read_movie_reviews
from repline.corpora.labelled.collections.wordnet_places import read_places
from repline.corpora.labelled.document import Document
from repline.corpora.labelled.recipes import Benchmark
from repline.corpora.split_files import ALL
from repline.errors import InputError
from repline.reading.settings import Head, TableReading
from repline.reading.wrong_records import LeftOut, OnError


def read_tsv(
    path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8", head: Head = "auto"
) -> Iterator[Document]:
    """The rows of a user's table, with the kind of labels `label`; arguments and InputError as of `read_table`."""
    for row in read_table(path, on_error=on_error, encoding=encoding, head=head):
        yield Document(f"line-{row.line}", row.text, {"label": [row.label]}, row.part)


def read_benchmark(name: str, folder: str | Path, **reading: Unpack[TableReading]) -> Iterator[Document]:
    """The sentences of one of the published benchmarks (`benchmarks`), with the kind of labels `label`.

    Raises:
        InputError: as of `read_benchmarks`, or there is no such folder.
    """
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: there is no such folder")
    benchmark = read_benchmarks(sorted(Path(folder).iterdir()), [name], **reading)[name]
    for part, examples in benchmark.parts.items():
        for number, example in enumerate(examples):
            yield Document(f"{part}-{number}", example.text, {"label": [example.label]}, "" if part == ALL else part)


LINE_READERS: dict[str, Callable[..., Iterator[Document]]] = {  # which take `on_error` and `encoding`
    "newsgroups": read_newsgroups,
    "cad_sentiment": read_cad_sentiment,
    "chinese_reviews": read_chinese_reviews,
    "sgd": read_sgd,
    "bible_chapters": read_chapters,
    "movie_reviews": read_movie_reviews,
    "clinc": read_clinc,
    "chat_or_task": read_chat_or_task,
    **{name: partial(read_benchmark, name) for name in get_args(Benchmark)},
}
READERS: dict[str, Callable[..., Iterator[Document]]] = LINE_READERS | {
    "reuters": read_reuters,
    "wordnet_places": read_places,
    "tsv": read_tsv,
}
