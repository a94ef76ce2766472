"""Records, written as the page of a format says and read again, are the same records."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy, data

from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.corpora.parallel.translations import read_translations
from repline.evaluation.word_vectors.own_tests import read_own
from repline.graphs.graph_files import read_graph
from repline.lexicons.unigrams import read_unigrams
from repline.systems.visual_characters.translation.translation_pairs import read_pairs
from repline.text_files import numbered_lines
from repline.vectors.formats.readers import read as read_vectors

LETTERS = st.characters(categories=("Lu", "Ll", "Lo", "Nd"), exclude_characters="\u3164\uffa0")
WORDS = st.text(LETTERS | st.sampled_from("-'.é詩"), min_size=1, max_size=8)
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


class Format(NamedTuple):
    """A format of files.

    Attributes:
        file: the name of a file.
        records: what it may hold.
        write: a record as a line.
        read: the records of the file.
    """

    file: str
    records: SearchStrategy[list[Any]]
    write: Callable[[Any], str]
    read: Callable[[Path], list[Any]]


def rows(*columns: SearchStrategy[Any], unique_by: Callable[[Any], Any] | None = None) -> SearchStrategy[list[Any]]:
    return st.lists(st.tuples(*columns), min_size=1, max_size=5, unique_by=unique_by)


def tabs(record: Any) -> str:
    return "\t".join(map(str, record))


def graph_names(path: Path) -> list[Any]:
    graph = read_graph(path.parent, head="no")
    names = graph.entities, graph.relations, graph.entities
    return [tuple(part[number] for part, number in zip(names, row, strict=True)) for row in graph.triples.tolist()]


def unigram_rows(path: Path) -> list[Any]:
    return [(row["word"], row["count"]) for row in read_unigrams(path).to_pylist()]


def vector_rows(path: Path) -> list[Any]:
    words, vectors = read_vectors(path)[:2]
    return [(word, *row) for word, row in zip(words, vectors.tolist(), strict=True)]


FORMATS = {
    "lines": Format("a.txt", st.lists(TEXTS), str, lambda path: [line for _, line in numbered_lines(path)]),
    "labelled texts": Format(
        "a.tsv", rows(WORDS, TEXTS), tabs, lambda path: [(row.label, row.text) for row in read_table(path, head="no")]
    ),
    "translations": Format(
        "a.tsv",
        rows(WORDS, TEXTS, TEXTS),
        tabs,
        lambda path: [pair[1:] for pair in read_translations(path, ["en", "de"], head="no")],
    ),
    "scores of pairs of words": Format(
        "a.tsv",
        rows(WORDS, WORDS, NUMBERS),
        tabs,
        lambda path: [(*words, score) for words, score in zip(*read_own(path, "similarity")[1], strict=True)],
    ),
    "triples": Format("train.tsv", rows(WORDS, WORDS, WORDS, unique_by=tuple), tabs, graph_names),
    "counts": Format(
        "a.txt",
        rows(WORDS, st.integers(1, 10**9), unique_by=lambda row: row[0]),
        lambda row: f"{row[0]} {row[1]}",
        unigram_rows,
    ),
    "pairs of English and Chinese": Format(
        "a.tsv",
        rows(st.text(st.sampled_from("abcdefgé"), min_size=1), st.text(st.sampled_from("詩人我来好国"), min_size=1)),
        tabs,
        lambda path: [(" ".join(pair.target), pair.source) for pair in read_pairs(path)],
    ),
    "vectors": Format(
        "a.txt",
        rows(WORDS, st.floats(-9, 9, width=32), st.floats(-9, 9, width=32), unique_by=lambda row: row[0]),
        lambda row: " ".join(map(str, row)),
        vector_rows,
    ),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@settings(derandomize=True, database=None, deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(data())
def test_what_is_written_is_read(name: str, end: str, data: DataObject) -> None:
    form = FORMATS[name]
    records = data.draw(form.records)
    with TemporaryDirectory() as folder:
        path = Path(folder) / form.file
        path.write_bytes("".join(f"{form.write(record)}{end}" for record in records).encode())
        assert form.read(path) == records
