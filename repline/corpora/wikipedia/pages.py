"""Parse and clean the parts of a dump file, a batch of whole pages at a time, in this or other processes."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from repline.corpora.ordered_map import Ready, ordered_map
from repline.corpora.wikipedia.dump_files import LARGEST_PART, Damage, Packed, parts, unpacked
from repline.corpora.wikipedia.mediawiki_xml import Page, Site, Skeleton, read_pages
from repline.corpora.wikipedia.wikitext.cleaning import clean
from repline.corpora.wikipedia.wikitext.dialect import Dialect
from repline.corpora.wikipedia.wikitext.templates import TemplateCounts
from repline.errors import InputError, shown
from repline.reading.text_cleaning import clean_text

BATCH = 1 << 20  # bytes of XML that are parsed at once
LARGEST_PAGE = 1 << 26  # bytes; MediaWiki's own limit is 2 MB of text
LARGEST_HEADER = 1 << 24
ARTICLES = pa.schema(
    [
        ("doc_id", pa.string()),
        ("title", pa.string()),
        ("revision", pa.int64()),
        ("sections", pa.list_(pa.struct([("path", pa.string()), ("paragraphs", pa.list_(pa.string()))]))),
    ]
)
REDIRECTS = pa.schema([("doc_id", pa.string()), ("title", pa.string()), ("target", pa.string())])
Section = tuple[str, list[str]]  # its path and its paragraphs
_PAGE = re.compile(rb"<page[\s>]")
_END = b"</page>"


@dataclass
class Pages:
    """The result of a batch of pages.

    Args:
        ids: page ids in order, of every namespace.
        titles: of the same pages.
        articles: rows of `ARTICLES`.
        redirects: rows of `REDIRECTS`.
        intact: how many pages have the SHA-1 or length that the dump records for them.
        changed: titles of the pages that have another one.
        empty: titles of the articles whose text is empty or was deleted.
        foreign: titles of the pages whose content model is not known; they are left out.
        templates: what became of the templates of the articles.
        invisible: how many characters one cannot see were taken out of the articles.
        size: bytes of XML.
        lines: line ends in them.
        damage: what ended the batch early, with its byte and line from the batch's beginning.
    """

    articles: pa.RecordBatch
    redirects: pa.RecordBatch
    ids: list[int] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    intact: int = 0
    changed: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    templates: TemplateCounts = field(default_factory=TemplateCounts)
    invisible: Counter[str] = field(default_factory=Counter)
    size: int = 0
    lines: int = 0
    damage: tuple[str, int, int] | None = None


@dataclass(frozen=True)
class _Broken:
    """A break in the compression, in the order of what it interrupts."""

    message: str


@dataclass(frozen=True)
class _Xml:
    """Whole pages as XML, not parsed yet."""

    data: bytes


@dataclass(frozen=True)
class Extraction:
    """What every process needs to know: the function that is mapped over the parts of a dump."""

    site: Site
    dialect: Dialect
    marked: bool = False

    def __call__(self, part: Packed | _Xml) -> Any:
        """`Pages` of whole pages; for streams that do not hold whole pages, their XML and where they break."""
        if isinstance(part, _Xml):
            return extract_pages(part.data, self.site, self.dialect, self.marked)
        chunks, broken = _unpack(part)
        xml = b"".join(chunks)
        if broken is None and xml.lstrip().startswith(b"<page>") and xml.rstrip().endswith(_END):
            return extract_pages(xml, self.site, self.dialect, self.marked)
        return [xml] if broken is None else [xml, broken]


def extract_pages(xml: bytes, site: Site, dialect: Dialect, marked: bool = False) -> Pages:
    """Parse whole `<page>` elements and clean the articles among them.

    Args:
        xml: pages one after another in UTF-8, with white space between them.
        site: of the dump's header.
        dialect: of its wikitext.
        marked: whether links keep their targets in the text, see `wikitext.link_marks`.
    """
    redirects: list[tuple[str, str, str]] = []
    articles: list[tuple[str, str, int, list[Section]]] = []
    pages = Pages(None, None, size=len(xml), lines=xml.count(b"\n"))

    def use(page: Page) -> None:
        pages.ids.append(page.id)
        pages.titles.append(page.title)
        if page.intact:
            pages.intact += 1
        elif page.intact is False:
            pages.changed.append(page.title)
        if page.is_foreign:
            pages.foreign.append(page.title)
        if page.is_article:
            cleaned = clean(page.text, dialect, page.title, pages.templates, marked=marked)
            sections = _visible(cleaned, pages.invisible)
            articles.append((str(page.id), page.title, page.revision, sections))
            if not page.text:
                pages.empty.append(page.title)
        elif page.namespace == 0 and page.redirect is not None:
            redirects.append((str(page.id), page.title, page.redirect))

    pages.damage = read_pages(xml, site, use)
    pages.articles = _article_rows(articles)
    pages.redirects = pa.RecordBatch.from_arrays(
        [pa.array([row[column] for row in redirects], pa.string()) for column in range(3)], schema=REDIRECTS
    )
    return pages


def _visible(sections: Sequence[Section], counts: Counter[str]) -> list[Section]:
    """Sections without characters that one cannot see, which are counted, and without paragraphs of nothing else."""
    return [
        (
            clean_text(path, counts),
            [visible for paragraph in paragraphs if (visible := clean_text(paragraph, counts).strip())],
        )
        for path, paragraphs in sections
    ]


def pages_of(
    path: str | Path,
    language: str,
    dialect_of: Any,
    executor: Any = None,
    pending: int = 0,
    share: bool = False,
    threads: int = 1,
    marked: bool = False,
) -> Iterator[Pages]:
    """The pages of one dump file in order, `Damage` where it breaks.

    Args:
        path, threads: see `dump_files.parts`.
        language: what the dump's `xml:lang` must be.
        dialect_of: from `(language, namespaces)` to a `Dialect`.
        executor, pending, share: as for `ordered_map`.
        marked: as in `extract_pages`.

    Raises:
        InputError: not a MediaWiki dump, or not in this language.
        Damage: with the byte and line of the XML where that is known; all pages before it have been yielded.
    """
    source = _stoppable(parts(path, threads))
    skeleton = Skeleton()
    header, rest = _header(source)
    site = skeleton.header(header)
    _check_language(site, language)
    extraction = Extraction(site, dialect_of(language, site.namespaces if site.listed else None), marked)
    opened = ordered_map(extraction, _chained(Ready(rest), source), executor, pending, share)
    regrouped = _Regrouped(opened)
    byte, line = len(header), header.count(b"\n")
    for pages in ordered_map(extraction, regrouped, executor, pending, share):
        if isinstance(pages, _Broken):
            raise Damage(pages.message)
        if pages.damage:
            message, at_byte, at_line = pages.damage
            pages.damage = None
            yield pages
            raise Damage(f"{message}, byte {byte + at_byte} of the XML (line {line + at_line + 1})")
        byte, line = byte + pages.size, line + pages.lines
        yield pages
    try:
        skeleton.footer(regrouped.rest)
    except Damage as damage:
        raise Damage(f"{damage}, byte {byte + len(regrouped.rest)} of the XML") from None


def _article_rows(articles: list[tuple[str, str, int, list[Section]]]) -> pa.RecordBatch:
    paths: list[str] = []
    paragraphs: list[str] = []
    section_ends, paragraph_ends = [0], [0]
    for _, _, _, sections in articles:
        for path, texts in sections:
            paths.append(path)
            paragraphs += texts
            paragraph_ends.append(len(paragraphs))
        section_ends.append(len(paths))
    texts = pa.ListArray.from_arrays(pa.array(paragraph_ends, pa.int32()), pa.array(paragraphs, pa.string()))
    struct = pa.StructArray.from_arrays(
        [pa.array(paths, pa.string()), texts], fields=list(ARTICLES.field(3).type.value_type)
    )
    return pa.RecordBatch.from_arrays(
        [
            pa.array([article[0] for article in articles], pa.string()),
            pa.array([article[1] for article in articles], pa.string()),
            pa.array([article[2] for article in articles], pa.int64()),
            pa.ListArray.from_arrays(pa.array(section_ends, pa.int32()), struct),
        ],
        schema=ARTICLES,
    )


def _unpack(part: Packed) -> tuple[list[bytes], _Broken | None]:
    chunks: list[bytes] = []
    total = 0
    try:
        for chunk in unpacked(io.BytesIO(part.data), part.offset):
            chunks.append(chunk)
            total += len(chunk)
            if total > LARGEST_PART:
                raise Damage(f"the bzip2 streams at byte {part.offset} expand to more than {LARGEST_PART >> 20} MB")
    except Damage as damage:
        return chunks, _Broken(str(damage))
    return chunks, None


def _stoppable(items: Iterable[Any]) -> Iterator[Any]:
    """Damage as the last item instead of an exception, so that it keeps its place in the order."""
    try:
        yield from items
    except Damage as damage:
        yield _Broken(str(damage))


def _header(source: Iterator[Any]) -> tuple[bytes, list[Any]]:
    """The XML before the first page, and what was read after it."""
    xml = b""
    for part in source:
        broken = part if isinstance(part, _Broken) else None
        if isinstance(part, bytes):
            xml += part
        elif isinstance(part, Packed):
            chunks, broken = _unpack(part)
            xml += b"".join(chunks)
        if match := _PAGE.search(xml):
            rest = xml[match.start() :]
            return xml[: match.start()], [rest, broken] if broken else [rest]
        if broken:
            raise Damage(broken.message)
        if len(xml) > LARGEST_HEADER:
            Skeleton().header(xml)
            raise InputError(f"expected a MediaWiki dump, found no page in the first {len(xml)} bytes of XML")
    skeleton = Skeleton()
    skeleton.header(xml)
    skeleton.footer(b"")
    raise InputError("the dump is empty: it has no pages")


def _check_language(site: Site, language: str) -> None:
    expected_language, dump_language = language.lower().partition("-")[0], site.language.lower().partition("-")[0]
    if dump_language and dump_language != expected_language:
        raise InputError(
            f"the language asked for is {shown(language)}, but the dump says xml:lang={shown(site.language)}; ask for "
            f"{shown(site.language)} (`language` of wikipedia in params.yaml, --language) or take another dump"
        )


def _chained(first: Ready, source: Iterator[Any]) -> Iterator[Any]:
    yield first
    for part in source:
        if isinstance(part, Packed):
            yield part
        else:
            yield Ready([part])


class _Regrouped:
    """Loose XML cut into batches of whole pages; batches that are extracted already pass through.

    Args:
        opened: `Pages`, or lists of XML chunks that may end in a `_Broken`.
    """

    def __init__(self, opened: Iterable[Any]) -> None:
        self.opened = opened
        self.rest = b""  # what follows the last whole page

    def __iter__(self) -> Iterator[Any]:
        loose: list[bytes] = []
        size = 0
        for item in self.opened:
            if isinstance(item, Pages):
                yield from self._batch(loose)
                if self.rest.strip():  # an unfinished page before a stream of whole ones
                    yield _Xml(self.rest)
                elif self.rest:
                    item.size, item.lines = item.size + len(self.rest), item.lines + self.rest.count(b"\n")
                loose, size, self.rest = [], 0, b""
                yield Ready(item)
                continue
            for chunk in item:
                if isinstance(chunk, _Broken):
                    yield from self._batch(loose)
                    yield Ready(chunk)
                    return
                loose.append(chunk)
                size += len(chunk)
                if size >= BATCH:
                    yield from self._batch(loose)
                    loose, size = [self.rest], 0
                    if len(self.rest) > LARGEST_PAGE:
                        yield Ready(_Broken(f"no page ends within {LARGEST_PAGE >> 20} MB"))
                        return
        yield from self._batch(loose)

    def _batch(self, loose: list[bytes]) -> Iterator[_Xml]:
        xml = b"".join(loose)
        end = xml.rfind(_END) + len(_END)
        if end < len(_END):
            self.rest = xml
            return
        self.rest = xml[end:]
        yield _Xml(xml[:end])
