"""Read documents of running text: a corpus in Parquet, NLTK's archives, or a file with a text per line."""

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from repline.errors import InputError, in_one_line, shown
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import numbered_lines
from repline.vectors.tokens import Tokens

WORD = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*|[^\w\s]|_+")
TAGGED = re.compile(r"(\S+)/\S+")
NO_TEXT = ("README", "CONTENTS", "cats.txt")  # members of NLTK's archives
STOP_WORDS = "stopwords.zip"


def read_documents(folder: str | Path) -> Iterator[tuple[str, list[str]]]:
    """The documents of a corpus, one after another: their name, and their words and marks as they stand.

    Args:
        folder: it has `part-*.parquet`, where the rows of a document (`doc_id`) follow each other; or
            archives of texts (`.zip`, a member a document, plain or in the Brown corpus's `word/tag`) and files
            of texts (`.txt` and `.cor`, a line a document).

    Raises:
        InputError: there is no text at `folder`, or a file is damaged; names the file, and the member or line.
    """
    folder = Path(folder)
    if any(folder.glob("part-*.parquet")):
        yield from _rows(folder)
        return
    files = [path for path in sorted(folder.glob("*")) if unpacked_name(path).endswith((".zip", ".txt", ".cor"))]
    files = [path for path in files if path.name != STOP_WORDS]
    if not files:
        raise InputError(f"{folder}: expected part-*.parquet, or texts in .zip, .txt or .cor files, found none")
    for path in files:
        yield from _members(path) if path.suffix == ".zip" else _lines(path)


def read_stop_words(folder: str | Path, language: str = "english") -> frozenset[str]:
    """The stop words of a language in NLTK's `stopwords.zip`, which lies in a folder."""
    path = Path(folder) / STOP_WORDS
    lists = [text for name, text in _texts(path) if name == language]
    if not lists or not lists[0].split():
        raise InputError(f"{path}: expected stop words for the language {shown(language)}, found none")
    return frozenset(lists[0].split())


def _rows(folder: Path) -> Iterator[tuple[str, list[str]]]:
    name, words = None, list[str]()
    for batch in Tokens(folder).batches("doc_id"):
        for document, tokens in zip(batch["doc_id"].to_pylist(), batch["tokens"].to_pylist(), strict=True):
            if document != name:
                if name is not None:
                    yield name, words
                name, words = document, []
            words += tokens
    if name is not None:
        yield name, words


def _members(path: Path) -> Iterator[tuple[str, list[str]]]:
    for name, text in _texts(path):
        if name in NO_TEXT:
            continue
        tokens = text.split()
        if tokens and all(map(TAGGED.fullmatch, tokens[:20])):
            tokens = [token.rpartition("/")[0] for token in tokens]
        else:
            tokens = WORD.findall(text)
        yield f"{path.stem}/{name}", tokens


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with zipfile.ZipFile(path) as archive:
            for member in sorted(archive.infolist(), key=lambda member: member.filename):
                if not member.is_dir():
                    content = archive.read(member)
                    try:
                        text = content.decode("utf-8")
                    except UnicodeDecodeError:
                        text = content.decode("cp1252", "replace")  # some of NLTK's texts are older than UTF-8
                    yield Path(member.filename).name, text
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise InputError(f"{path}: the archive is damaged ({in_one_line(error)}); get it again") from None


def _lines(path: Path) -> Iterator[tuple[str, list[str]]]:
    for number, line in numbered_lines(path, "cp1252" if unpacked_name(path).endswith(".cor") else "utf-8"):
        if line.strip():
            yield f"{path.stem}/{number}", WORD.findall(line)
