"""Sentences with gold chunks: the files of the CoNLL-2000 shared task, or any corpus with a column `chunk`."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from repline.corpora.language_modeling.text_sources import read_sentences
from repline.corpora.language_modeling.word_streams import Spelling, column_of_words, document_splits
from repline.errors import InputError, in_one_line, shown
from repline.reading.file_names import present
from repline.reading.text_files import numbered_lines

ARCHIVE = "conll2000.zip"
_CHUNK = re.compile(r"O|[BI]-[A-Z]+")


@dataclass
class Chunked:
    """Sentences as parallel lists of lists: words, part-of-speech tags, IOB2 chunk tags."""

    tokens: list[list[str]] = field(default_factory=list)
    tags: list[list[str]] = field(default_factory=list)
    chunks: list[list[str]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.tokens)

    def add(self, tokens: Sequence[str], tags: Sequence[str], chunks: Sequence[str]) -> None:
        """Append a sentence of as many words, tags and chunk tags."""
        self.tokens.append(list(tokens))
        self.tags.append(list(tags))
        self.chunks.append(list(chunks))


def read_chunked(
    source: str | Path, *, sentences: int | None = None, test_share: float = 0.1, seed: int = 0
) -> tuple[Chunked, Chunked]:
    """The sentences to train a chunk tagger on, and those to test it on.

    Args:
        source: a folder with `train.txt` and `test.txt` of CoNLL-2000 (a word, its tag and its chunk tag a line, a
            blank line after each sentence), or with NLTK's archive of them; or an annotated corpus with `tag`, `chunk`.
        sentences: the first N to train on, and at most as many to test; None for all.
        test_share: of the tokens of a corpus, in whole documents by a seeded hash of their names; not of CoNLL-2000.

    Raises:
        InputError: neither of the two, a line that is not of the format (naming it), or no sentence in one part.
    """
    source = Path(source)
    if any(source.glob("part-*.parquet")):
        train, test = _from_corpus(source, test_share, seed)
    else:
        train, test = (_from_lines(*_lines(source, name)) for name in ("train.txt", "test.txt"))
    for part, name in ((train, "train"), (test, "test")):
        if not len(part):
            raise InputError(f"{source}: there is no sentence with chunks to {name} on; take a larger corpus")
        if sentences is not None:
            del part.tokens[sentences:], part.tags[sentences:], part.chunks[sentences:]
    return train, test


def as_running_text(chunked: Chunked, vocabulary: frozenset[str] | None = None) -> Chunked:
    """Sentences in the form of Mikolov et al.: lower case, `N` for numbers, no punctuation.

    A chunk whose first token goes begins at the next one; sentences without words go.

    Args:
        vocabulary: words that are not in it become `<unk>`.
    """
    spelling, running_text = Spelling(True, True, True), Chunked()
    for tokens, tags, chunks in zip(chunked.tokens, chunked.tags, chunked.chunks, strict=True):
        words, is_kept = column_of_words(spelling, tokens)
        if vocabulary is not None:
            words = [word if word in vocabulary else "<unk>" for word in words]
        new, begun = [], False  # whether a token of the same chunk is written
        for chunk, keep in zip(chunks, is_kept, strict=True):
            begun = begun and chunk.startswith("I")
            if keep:
                new.append(chunk if chunk == "O" else f"{'I' if begun else 'B'}-{chunk[2:]}")
                begun = True
        if new:
            running_text.add(words, [tag for tag, keep in zip(tags, is_kept, strict=True) if keep], new)
    return running_text


def _from_corpus(source: Path, test_share: float, seed: int) -> tuple[Chunked, Chunked]:
    opened = read_sentences(source)
    missing = [name for name in ("tag", "chunk") if name not in opened.schema.names]
    if missing:
        raise InputError(f"{source}: a chunk tagger learns from the column {', '.join(missing)}, which is not there")
    train, test = Chunked(), Chunked()
    split_of = document_splits(opened, {"test": test_share}, seed)
    for split_of_batch, batch in opened.batches():
        splits = [split_of_batch] * len(batch) if split_of_batch else split_of(batch)
        for split, row in zip(splits, batch.select(["tokens", "tag", "chunk"]).to_pylist(), strict=True):
            part = test if split == "test" else train
            part.add(row["tokens"], [tag or "" for tag in row["tag"]], row["chunk"])
    return train, test


def _lines(source: Path, name: str) -> tuple[Path, Iterator[tuple[int, str]]]:
    if present(source / name).exists() or not (source / ARCHIVE).exists():
        return source / name, numbered_lines(source / name)
    try:
        with zipfile.ZipFile(source / ARCHIVE) as archive:
            text = archive.read(f"conll2000/{name}").decode("utf-8")
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError) as error:
        raise InputError(
            f"{source / ARCHIVE}: the archive has no readable conll2000/{name} ({in_one_line(error)})"
        ) from None
    return source / ARCHIVE / name, enumerate(text.split("\n"), start=1)


def _from_lines(path: Path, lines: Iterator[tuple[int, str]]) -> Chunked:
    chunked, rows = Chunked(), []
    for number, line in lines:
        if line.strip():
            fields = line.split()
            if len(fields) != 3 or not _CHUNK.fullmatch(fields[2]):
                raise InputError(
                    f"{path}, line {number}: expected a word, its tag and its chunk tag, found {shown(line)}"
                )
            rows.append(fields)
        elif rows:
            chunked.add(*zip(*rows, strict=True))
            rows = []
    if rows:
        chunked.add(*zip(*rows, strict=True))
    return chunked
