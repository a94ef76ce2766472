"""Extract articles of clean text from Wikipedia dumps: Parquet with a card, equal bytes for any number of processes."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.cards import Card, Source, source_of_file, write_card
from repline.corpora.ordered_map import pool
from repline.corpora.parquet import PartWriter
from repline.corpora.wikipedia.dump_files import Damage
from repline.corpora.wikipedia.pages import ARTICLES, REDIRECTS, Pages, pages_of
from repline.corpora.wikipedia.recipes import Extraction
from repline.corpora.wikipedia.wikitext.dialect import dialect
from repline.corpora.wikipedia.wikitext.templates import TemplateCounts
from repline.errors import InputError, shown
from repline.files import new_folder

BY_DEFAULT = Extraction()
NAMED = 5  # pages that a note names
TRUSTED = 0.001  # share of pages with another SHA-1 than recorded up to which a dump counts as whole


def extract(
    paths: str | Path | Sequence[str | Path],
    folder: str | Path,
    extraction: Extraction = BY_DEFAULT,
    *,
    marked: bool = False,
    processes: int = 1,
    executor: Any = None,
    source_card: Card | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Turn a dump into a folder of clean articles.

    `folder` gets `part-*.parquet` with a row per article (`doc_id, title, revision, sections: list<{path,
    paragraphs}>`), `redirects.parquet` (`doc_id, title, target`) and `card.json`. It appears whole or not at all.
    Memory does not grow with the dump, except for one bit per page id.

    Args:
        paths: one `pages-articles[-multistream].xml[.bz2|.gz]`, or the files of a split dump in order.
        folder: replaced if it exists.
        extraction: the dump's language, and what to do about damage.
        marked: whether links keep their targets in the paragraphs, see `wikitext.link_marks`.
        processes: how many share the work, this one included, and how many threads of this one decompress a dump of one
            bzip2 stream; it does not change the result.
        executor: a `concurrent.futures.Executor` or a Dask client to compute on instead of new processes.
        source_card: the card of the raw folder, for the card of this one.
        progress: called with the articles and the bytes of XML so far.

    Returns:
        The card.

    Raises:
        InputError: not a dump, another language, a broken or incomplete file, a repeated page, no article in it.
    """
    files = [Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]
    if not files:
        raise InputError("expected a dump file, found none")
    tally = _Tally()
    dialect_of = partial(dialect, unknown=extraction.templates.unknown, rules=extraction.templates.rules)
    notes: list[str] = []
    with (
        new_folder(folder) as new,
        PartWriter(new, ARTICLES, repetitive=False) as articles,
        pq.ParquetWriter(new / "redirects.parquet", REDIRECTS, compression="zstd") as redirects,
        pool(processes, executor) as (computing, pending, share),
    ):
        redirect_rows = _RedirectWriter(redirects)
        for path in files:
            try:
                for pages in pages_of(
                    path, extraction.language, dialect_of, computing, pending, share, processes, marked
                ):
                    repeated = tally.add(pages)
                    articles.write(pages.articles)
                    redirect_rows.write(pages.redirects)
                    if progress:
                        progress(tally.articles, tally.size)
                    if repeated is not None:
                        raise Damage(f"the page id {repeated} occurs twice")
            except Damage as damage:
                notes.append(_broken(path, damage, tally, extraction.on_error))
                break
            except InputError as error:
                raise InputError(f"{path}: {error}" if str(path) not in str(error) else str(error)) from None
        redirect_rows.close()
        if not tally.articles:
            raise InputError(f"{files[0]}: none of the {tally.pages} pages is an article (namespace 0, no redirect)")
        notes += _left_out(tally)
        notes += _verified(files[0], tally, extraction.verify and extraction.on_error == "stop")
        articles.close()
        redirects.close()
        return write_card(
            new,
            name=f"{(source_card or {}).get('name', files[0].name)}: articles",
            description="Articles of a Wikipedia dump as clean text in sections and paragraphs, and its redirects",
            licence=(source_card or {}).get("licence", "CC BY-SA 4.0 and GFDL, as Wikipedia's text"),
            sources=_sources(source_card, files),
            parameters=extraction.model_dump(include=set(Extraction.model_fields)),
            counts=tally.counts(),
            templates=tally.templates.summary(),
            notes=notes,
        )


def _sources(card: Card | None, files: Sequence[Path]) -> list[Source]:
    """Name, SHA-256 and size of each dump file, for the card; not where it came from, which changes no byte."""
    if card is None:
        return [{"name": path.name, "sha256": _sha256(path), "bytes": path.stat().st_size} for path in files]
    return [source_of_file(file) for file in card["files"]]


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _RedirectWriter:
    """Writes redirects in row groups whose size does not depend on the batches."""

    ROWS = 1 << 17

    def __init__(self, writer: pq.ParquetWriter) -> None:
        self.writer, self.rows = writer, 0
        self.tables: list[pa.Table] = []

    def write(self, batch: pa.RecordBatch) -> None:
        self.tables.append(pa.Table.from_batches([batch]))
        self.rows += len(batch)
        if self.rows >= self.ROWS:
            table = pa.concat_tables(self.tables)
            while len(table) >= self.ROWS:
                self.writer.write_table(table.slice(0, self.ROWS).combine_chunks())
                table = table.slice(self.ROWS)
            self.tables, self.rows = [table], len(table)

    def close(self) -> None:
        if self.rows:
            self.writer.write_table(pa.concat_tables(self.tables).combine_chunks())
            self.tables, self.rows = [], 0


class _Tally:
    """Counts over the whole dump, and the page ids seen so far, one bit per id."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.pages = self.articles = self.redirects = self.paragraphs = self.characters = self.size = self.intact = 0
        self.changed_pages = self.empty_pages = self.foreign_pages = 0
        self.empty: list[str] = []
        self.foreign: list[str] = []
        self.changed: list[str] = []
        self.last = ""
        self.templates = TemplateCounts()
        self.invisible: Counter[str] = Counter()

    def add(self, pages: Pages) -> int | None:
        """Count a batch; cut it before a page whose id occurred before, and return that id."""
        repeated = None
        for position, page_id in enumerate(pages.ids):
            word, bit = page_id >> 10, 1 << (page_id & 1023)
            bits = self.seen.get(word, 0)
            if bits & bit:
                repeated = page_id
                _cut(pages, position)
                break
            self.seen[word] = bits | bit
        self.pages += len(pages.ids)
        self.articles += len(pages.articles)
        self.redirects += len(pages.redirects)
        paragraphs = pages.articles.column("sections").flatten().field("paragraphs").flatten()
        self.paragraphs += len(paragraphs)
        self.characters += pc.sum(pc.utf8_length(paragraphs)).as_py() or 0
        self.size += pages.size
        self.intact += pages.intact
        self.templates.add(pages.templates)
        self.invisible += pages.invisible
        self.changed_pages += len(pages.changed)
        self.empty_pages += len(pages.empty)
        self.empty += pages.empty[: max(NAMED - len(self.empty), 0)]
        self.foreign_pages += len(pages.foreign)
        self.foreign += pages.foreign[: max(NAMED - len(self.foreign), 0)]
        self.changed += pages.changed[: max(NAMED - len(self.changed), 0)]
        self.last = pages.titles[-1] if pages.titles else self.last
        return repeated

    def counts(self) -> dict[str, int]:
        return {
            "pages": self.pages,
            "articles": self.articles,
            "redirects": self.redirects,
            "paragraphs": self.paragraphs,
            "characters": self.characters,
            **self.invisible,
        }


def _cut(pages: Pages, position: int) -> None:
    for name in ("articles", "redirects"):
        rows = getattr(pages, name)
        doc_ids = [*rows.column("doc_id").to_pylist(), None]
        whole = 0
        for page_id in pages.ids[:position]:
            whole += doc_ids[whole] == str(page_id)
        setattr(pages, name, rows.slice(0, whole))
    pages.ids, pages.titles = pages.ids[:position], pages.titles[:position]


def _broken(path: Path, damage: Damage, tally: _Tally, on_error: str) -> str:
    """The note for the card; InputError unless there is something to salvage and the caller wants it."""
    after = f"the last good page is {shown(tally.last)}" if tally.last else "no page before it is good"
    if on_error == "stop" or not tally.articles:
        remedy = "get the dump again, or set wikipedia.on_error to salvage to keep the pages before"
        raise InputError(f"{path}: {damage}; {after} ({tally.articles} articles so far); {remedy}")
    return f"salvaged: {path.name}: {damage}; {after}, what follows is lost"


def _named(titles: Sequence[str], count: int) -> str:
    return ", ".join(repr(title) for title in titles) + (", ..." if count > len(titles) else "")


def _left_out(tally: _Tally) -> list[str]:
    """Notes on pages that have no text for a corpus."""
    notes = []
    if tally.foreign_pages:
        notes.append(
            f"{_pages(tally.foreign_pages)} left out for a content model that is not known: "
            f"{_named(tally.foreign, tally.foreign_pages)}"
        )
    if tally.empty_pages:
        notes.append(f"{_pages(tally.empty_pages)} without text: {_named(tally.empty, tally.empty_pages)}")
    return notes


def _pages(count: int) -> str:
    return f"{count} page" if count == 1 else f"{count} pages"


def _verified(path: Path, tally: _Tally, refuse: bool) -> list[str]:
    """Notes on pages whose text is not what the dump recorded; InputError if there are too many."""
    if not tally.changed_pages:
        return []
    if not tally.intact:
        return ["no page has the SHA-1 or length that the dump records for it, so the texts could not be verified"]
    changed = _named(tally.changed, tally.changed_pages)
    summary = (
        f"{tally.changed_pages} of {tally.pages} pages do not have the SHA-1 or length recorded for them: {changed}"
    )
    if refuse and tally.changed_pages > TRUSTED * (tally.intact + tally.changed_pages):
        raise InputError(
            f"{path}: {summary}; the dump was damaged or edited: get it again, or set wikipedia.verify to false"
        )
    return [summary]
