"""The links between the articles of a dump: paragraphs of clean text with the places and targets of their links.

The form is that of `repline.corpora.wikipedia.linked_text`.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, write_card
from repline.corpora.parquet import PartWriter
from repline.corpora.wikipedia.extraction import BY_DEFAULT, extract
from repline.corpora.wikipedia.linked_text import PARAGRAPHS, PARTS, REDIRECTS, TITLES
from repline.corpora.wikipedia.recipes import Extraction
from repline.corpora.wikipedia.wikitext.link_marks import unmarked
from repline.files import new_folder

ROWS = 64  # articles in memory at a time


class Section(TypedDict):
    """The paragraphs of a section of an article."""

    paragraphs: list[str]


class Article(TypedDict):
    """An article with the marks of its links."""

    doc_id: str
    sections: list[Section]


class LinkRow(TypedDict):
    """Where the label of a link stands in its paragraph, and the article that it leads to."""

    start: int
    end: int
    label: str
    target: str


class ParagraphRow(TypedDict):
    """A paragraph as PARAGRAPHS has it."""

    doc_id: str
    text: str
    links: list[LinkRow]


def extract_links(
    paths: str | Path | Sequence[str | Path],
    folder: str | Path,
    extraction: Extraction = BY_DEFAULT,
    **options: Any,
) -> Card:
    """Write the links of a dump, all or nothing.

    Args:
        paths, extraction, options: of `repline.corpora.wikipedia.extraction.extract`.
        folder: replaced if it exists.

    Returns:
        The card.

    Raises:
        InputError: as `extract`.
    """
    with new_folder(folder) as partial:
        marked = partial / "marked"
        card = extract(paths, marked, extraction, marked=True, **options)
        counts = {"paragraphs": 0, "links": 0}
        titles = pq.ParquetWriter(partial / TITLES, pa.schema([("doc_id", pa.string()), ("title", pa.string())]))
        with titles, PartWriter(partial, PARAGRAPHS, repetitive=False) as parts:
            for path in sorted(marked.glob(PARTS)):
                for batch in pq.ParquetFile(path).iter_batches(ROWS):
                    titles.write_table(pa.Table.from_batches([batch]).select(["doc_id", "title"]))
                    rows = [_row(article["doc_id"], text) for article in batch.to_pylist() for text in _texts(article)]
                    parts.write(pa.Table.from_pylist(rows, PARAGRAPHS))
                    counts["paragraphs"] += len(rows)
                    counts["links"] += sum(len(row["links"]) for row in rows)
        shutil.move(marked / REDIRECTS, partial / REDIRECTS)
        shutil.rmtree(marked)
        return write_card(
            partial,
            name=card["name"].replace(": articles", ": links"),
            description="Paragraphs of a Wikipedia with their links, the titles of its articles, and its redirects",
            licence=card["licence"],
            sources=card["sources"],
            parameters=card["parameters"],
            counts=card["counts"] | counts,
            templates=card["templates"],
            notes=card["notes"],
        )


def _texts(article: Article) -> list[str]:
    return [text for section in article["sections"] for text in section["paragraphs"]]


def _row(doc_id: str, text: str) -> ParagraphRow:
    plain, links = unmarked(text)
    link_rows: list[LinkRow] = [
        {"start": link.start, "end": link.end, "label": plain[link.start : link.end], "target": link.target}
        for link in links
    ]
    return {"doc_id": doc_id, "text": plain, "links": link_rows}
