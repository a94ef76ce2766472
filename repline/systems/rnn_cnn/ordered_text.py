"""Text in its order: documents, each a list of sentences, each a list of words in lower case.

a folder with `part-*.parquet`   a corpus of sentences: doc_id, tokens
a folder with `t_web.csv`        the verses of the World English Bible; a book is a document, a verse a sentence
`*.txt`, `*.txt.gz`              plain text, one file or a folder of them; a file is a document
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from repline.corpora.labelled.collections.bible_chapters import VERSES, read_chapters
from repline.errors import InputError, in_one_line
from repline.reading.file_names import files_with, unpacked_name
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError
from repline.segmentation.sentence_starts import ENDS, begins_sentence
from repline.segmentation.treebank import words

Sentences = list[list[str]]
ENDING = ".txt"  # also compressed
_CLOSING = "\"'”’“‘»«)\\]"  # in German „ “ and » « enclose speech
_END = re.compile(rf"(?<![{ENDS}])[{ENDS}]+[{_CLOSING}]*(?=\s)")
LONGEST_ABBREVIATION = 16  # letters that are looked at before a stop, more than any title has
_ABBREVIATED = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Messrs|Dr|St|Rev|Hon|Capt|Col|Gen|Lieut|Lt|Sergt|Prof|Esq|No|vol|viz|i\.e|e\.g|cf)|\b[A-Z])\.$"
)


def read_documents(
    source: str | Path,
    names: Collection[str] | None = None,
    first: int | None = None,
    *,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
) -> Iterator[tuple[str, Sentences]]:
    """The documents of a source in their order, each with its name.

    Args:
        source: a place of one of the forms at the head of this file.
        names: only these documents; None for all.
        first: only the first N sentences of each; None for all.
        on_error: at a line outside the encoding; or an account of them, which the caller reads later.
        encoding: of text without a byte order mark.

    Raises:
        InputError: the place is none of these, a file is damaged, or there is no document of a name.
    """
    source = Path(source)
    missing = set(names or ())
    for name, sentences in _documents(source, LeftOut.of(on_error), encoding):
        if names is None or name in names:
            missing.discard(name)
            yield name, list(islice(sentences, first))
    if missing:
        raise InputError(f"{source}: there is no document named {min(missing)}")


def sentences_of_text(text: str) -> list[str]:
    """Cut running text into sentences, with its line ends as blanks.

    A sentence ends at . ! or ? (or those of Arabic, Urdu and Hindi) before a blank and a digit or a letter that is not
    small, but not after an initial or an English title.

    >>> sentences_of_text("Mr. A. Bell came. 'Who?' I said. No answer")
    ['Mr. A. Bell came.', "'Who?'", 'I said.', 'No answer']
    """
    text = " ".join(text.split())
    sentences, start = [], 0
    for match in _END.finditer(text):
        if begins_sentence(text, match.end()) and not _abbreviated(text, start, match.end()):
            sentences.append(text[start : match.end()].strip())
            start = match.end()
    return [sentence for sentence in (*sentences, text[start:].strip()) if sentence]


def _abbreviated(text: str, start: int, end: int) -> bool:
    """Whether the sentence from `start` ends in an initial or a title; a few letters before `end` tell it."""
    return _ABBREVIATED.search(text, max(start, end - LONGEST_ABBREVIATION), end) is not None


def _documents(source: Path, left_out: LeftOut, encoding: str) -> Iterator[tuple[str, Iterable[list[str]]]]:
    if source.is_file() and unpacked_name(source).endswith(ENDING):
        return _texts([source], left_out, encoding)
    if parts := sorted(source.glob("part-*.parquet")):
        return _corpus(parts)
    if (source / VERSES).exists():
        return _verses(source, left_out, encoding)
    if texts := files_with(source, ENDING) if source.is_dir() else []:
        return _texts(texts, left_out, encoding)
    raise InputError(
        f"{source}: expected a corpus of sentences (part-*.parquet), {VERSES}, or text (*.txt, *.txt.gz), found none"
    )


def _corpus(parts: Sequence[Path]) -> Iterator[tuple[str, Iterable[list[str]]]]:
    for name, rows in groupby(_rows(parts), key=lambda row: row[0]):
        yield name, ([token.lower() for token in tokens] for _, tokens in rows)


def _rows(parts: Sequence[Path]) -> Iterator[tuple[str, list[str]]]:
    for path in parts:
        try:
            file = pq.ParquetFile(path)
            missing = [name for name in ("doc_id", "tokens") if name not in file.schema_arrow.names]
            if missing:
                raise InputError(f"{path}: a corpus of sentences needs the column {missing[0]}, which is not there")
            for batch in file.iter_batches(columns=["doc_id", "tokens"]):
                yield from zip(batch["doc_id"].to_pylist(), batch["tokens"].to_pylist(), strict=True)
        except (OSError, pa.ArrowInvalid, UnicodeDecodeError) as error:
            raise InputError(
                f"{path}: this is not a readable Parquet file ({in_one_line(error)}); make the corpus again"
            ) from None


def _verses(folder: Path, left_out: LeftOut, encoding: str) -> Iterator[tuple[str, Iterable[list[str]]]]:
    all_chapters = read_chapters(folder, on_error=left_out, encoding=encoding)
    for book, chapters in groupby(all_chapters, key=lambda chapter: chapter.labels["book"][0]):
        yield book, (words(verse.lower()) for chapter in chapters for verse in chapter.text.split("\n"))


def _texts(paths: Sequence[Path], left_out: LeftOut, encoding: str) -> Iterator[tuple[str, Iterable[list[str]]]]:
    for path in paths:
        yield path.name.split(".")[0], _sentences(path, left_out, encoding)


def _sentences(path: Path, left_out: LeftOut, encoding: str) -> Iterator[list[str]]:
    """Sentences of one file. Paragraphs end at empty lines, and no sentence goes beyond one."""
    lines = (line for _, line in visible_lines(path, encoding, left_out))
    for filled, paragraph in groupby(lines, key=lambda line: bool(line.strip())):
        if filled:
            yield from (words(sentence.lower()) for sentence in sentences_of_text(" ".join(paragraph)))
