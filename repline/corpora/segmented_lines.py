"""Text whose words are separated already, with a tag behind each word or without, as a corpus of sentences.

迈向/v  充满/v  希望/n  的/u  新/a  世纪/n
[中央/n  电台/n]nt  记者/n            a compound with its tag: the words in it count
words between blanks , one sentence a line
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa

from repline.cards import Card, card_or_files, write_card
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.corpora.recipes import SegmentedLines
from repline.errors import InputError, shown
from repline.files import new_folder
from repline.reading.file_names import files_with, unpacked_name
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, WrongRecord

ENDING = ".txt"
BATCH = 2048  # sentences written at a time
Sentence = tuple[list[str], list[str]]  # words, tags


def write_corpus(
    source: str | Path,
    folder: str | Path,
    lines: SegmentedLines,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Write the lines of text files as `part-*.parquet`, a row each, with a card; empty lines do not count.

    Args:
        source: a text file, or a folder of `*.txt`, plain or compressed: a sentence a line. A file is a document.
        folder: replaced if it exists; it appears whole or not at all.
        lines: what they look like.
        progress: called with the sentences and the words so far.

    Returns:
        The card.

    Raises:
        InputError: no such file, bytes that are no UTF-8, a word without its tag (naming file, line and word), or no
            word at all.
    """
    source = Path(source)
    files = files_with(source, ENDING)
    if not files:
        raise InputError(f"{source}: expected a text file, or a folder with *.txt")
    schema = sentence_schema(["tag"] if lines.tags else [])
    words = documents = 0
    left_out = LeftOut(lines.on_error)
    with new_folder(folder) as partial, PartWriter(partial, schema) as writer:
        for path in files:
            document = unpacked_name(path).removesuffix(ENDING)
            documents += 1
            for rows in _batches(_sentences(path, lines, left_out), document):
                writer.write(pa.RecordBatch.from_pydict({name: rows[name] for name in schema.names}, schema))
                words += sum(map(len, rows["tokens"]))
                if progress:
                    progress(writer.rows, words)
        writer.close()
        if not words:
            raise InputError(f"{source}: there is no word in it")
        origin = card_or_files(source)
        return write_card(
            partial,
            name=Path(folder).name,
            description=f"Sentences of {origin['name']}, whose words were set apart there",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters=lines.model_dump(include=set(SegmentedLines.model_fields) - {"on_error", "encoding"})
            | lines.model_dump(include={"on_error", "encoding"}, exclude_defaults=True),
            counts={"documents": documents, "sentences": writer.rows, "tokens": words} | left_out.counts(),
            notes=left_out.notes(),
        )


def _sentences(path: Path, lines: SegmentedLines, left_out: LeftOut) -> Iterator[Sentence]:
    for number, line in visible_lines(path, lines.encoding, left_out):
        words, tags = line.split(), list[str]()
        with left_out:
            if lines.tags:
                words = _without_compounds(words, lines.separator) if "[" in line else words
                parts = [token.rpartition(lines.separator) for token in words]
                if wrong := [token for token, part in zip(words, parts, strict=True) if not all(part)]:
                    problem = f"expected WORD{lines.separator}TAG, found {shown(wrong[0])}"
                    raise WrongRecord(path, f"line {number}", problem, "a word without its tag")
                words, tags = [word for word, _, _ in parts], [tag for _, _, tag in parts]
            if words:
                yield words, tags


def _without_compounds(tokens: list[str], separator: str) -> list[str]:
    """Words with their tags, without the brackets around compounds and their tags; a bracket without partner stays."""
    words = list(tokens)
    opened: list[int] = []
    for number, token in enumerate(tokens):
        inner = token.lstrip("[")
        is_bracket = inner.startswith(separator)  # the word itself
        opened += [number] * (len(token) - len(inner) - is_bracket)
        rest, *tags = token[1:].split("]")
        word = token[0] + rest  # its first character may be a bracket
        has_tags = all(word.rpartition(separator)) and all(tag.removeprefix(separator) for tag in tags)
        if has_tags and len(tags) <= len(opened):
            words[number] = word
            for _ in tags:
                opening = opened.pop()
                words[opening] = words[opening][1:]
    return words


def _batches(sentences: Iterator[Sentence], document: str) -> Iterator[dict[str, list]]:
    rows: dict[str, list] = {"doc_id": [], "sentence_id": [], "tokens": [], "tag": []}
    for number, (words, tags) in enumerate(sentences):
        for name, value in zip(rows, (document, number, words, tags), strict=True):
            rows[name].append(value)
        if len(rows["tokens"]) == BATCH:
            yield rows
            rows = {name: [] for name in rows}
    if rows["tokens"]:
        yield rows
