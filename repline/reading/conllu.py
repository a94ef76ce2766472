"""CoNLL-U treebanks as annotated corpora.

Source: the CoNLL-U format of Universal Dependencies, https://universaldependencies.org/format.html
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypedDict

import pyarrow as pa

from repline.errors import InputError, shown
from repline.reading.file_names import unpacked_name
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import checked_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

SCHEMA = pa.schema(
    [("doc_id", pa.string()), ("sentence_id", pa.int32())]
    + [(name, pa.list_(pa.string())) for name in ("tokens", "lemma", "pos", "tag")]
    + [("head", pa.list_(pa.int32())), ("dep", pa.list_(pa.string()))]
)


class Words(TypedDict):
    """The words of a sentence; None is what is not given, and a head counts from 0 and is -1 at the root."""

    tokens: list[str]
    lemma: list[str | None]
    pos: list[str | None]
    tag: list[str | None]
    head: list[int | None]
    dep: list[str | None]


class Sentence(Words):
    """A row with the columns of SCHEMA."""

    doc_id: str
    sentence_id: int


LONGEST_NUMBER = 9  # digits of a head
_FIELDS = 10  # ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC
_RANGE_OR_EMPTY = re.compile(r"\d+-\d+|\d+\.\d+")  # of a multiword token, or of an empty node


def read(
    paths: Sequence[str | Path], *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Sentence]:
    """The sentences of CoNLL-U files, plain or compressed, one after the other.

    Tokens are the syntactic words: the range line of a multiword token (`1-2`) and empty nodes (`1.1`) are left out,
    and so are invisible characters (U+200B, U+FEFF, ...) inside words and lemmas; those of words are counted.
    An underscore in LEMMA, UPOS, XPOS, HEAD or DEPREL means "not given" and becomes None, except as the lemma of `_`.
    Heads form a tree, which may have several roots; a sentence whose heads form a cycle is a wrong one.
    A document is what `# newdoc id` or `# newdoc` opens; where there is none, what the sentences' `sent_id` have in
    common before their last hyphen; and where there is no `sent_id` either, the file. Documents without an id are
    called as their file up to its first dot, the second one FILE-2; files that are alike so far, by their whole names.

    Args:
        on_error: at a wrong sentence; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.

    Returns:
        mappings with the columns of SCHEMA; `head` counts from 0, is -1 at the root and None where it is not given;
        `sentence_id` counts from 0 in each document, also where several parts of a file have its id.

    Raises:
        InputError: a line that is not CoNLL-U, naming file and line; or a file that cannot be read.
    """
    left_out = LeftOut.of(on_error)
    sentences: Counter[str] = Counter()  # of each document
    for path, file in _document_names([Path(path) for path in paths]):
        document, is_opened, without_id = file, False, 0
        sentences.pop(file, None)  # another file of this name is another document
        rows: list[tuple[int, list[str]]] = []
        unreadable: list[InputError] = []  # lines of the sentence
        for number, line in _closed(path, encoding, unreadable if left_out.on_error == "salvage" else None):
            if line.startswith("#") and not rows:
                key, _, value = (part.strip() for part in line[1:].partition("="))
                if key in ("newdoc", "newdoc id"):
                    is_opened = True
                    if value:
                        document = value
                    else:
                        without_id += 1
                        document = file if without_id == 1 else f"{file}-{without_id}"
                elif key == "sent_id" and not is_opened and "-" in value:
                    document = value.rpartition("-")[0]
            elif line.strip():
                rows.append((number, line.split("\t")))
            elif rows or unreadable:
                try:
                    if unreadable:
                        problem = str(unreadable[0]).removeprefix(f"{path}, ")
                        start = rows[0][0] if rows else number - 1
                        raise WrongRecord(path, f"line {start}", f"in this sentence, {problem}", "not in the encoding")
                    sentence = _sentence(path, rows, left_out.invisible)
                except WrongRecord as wrong:
                    left_out.add(wrong)
                else:
                    yield {"doc_id": document, "sentence_id": sentences[document], **sentence}
                    sentences[document] += 1
                rows = []
                unreadable.clear()


def record_batches(
    paths: Sequence[str | Path], size: int = 4096, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[pa.RecordBatch]:
    """The sentences of CoNLL-U files in batches of at most `size` with the schema SCHEMA; see `read`."""
    rows = []
    for sentence in read(paths, on_error=on_error, encoding=encoding):
        rows.append(sentence)
        if len(rows) == size:
            yield pa.RecordBatch.from_pylist(rows, SCHEMA)
            rows = []
    if rows:
        yield pa.RecordBatch.from_pylist(rows, SCHEMA)


def _document_names(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """The files, each with what a document without an id is called in it."""
    stems = [path.name.split(".")[0] for path in paths]
    files = Counter(stems)
    for path, stem in zip(paths, stems, strict=True):
        yield path, stem if files[stem] == 1 else unpacked_name(path).removesuffix(".conllu")


def has_heads(sentence: Sentence) -> bool:
    """Whether every word of a sentence of `read` has a head."""
    return None not in sentence["head"]


def cycle(heads: Sequence[int]) -> list[int]:
    """The words (from 1) of a cycle of heads, the first one again at the end; empty where heads are a tree.

    A tree may have several roots, the words with head 0.
    """
    reaches_root = {0}
    for word in range(1, len(heads) + 1):
        path: dict[int, None] = {}
        while word not in reaches_root:
            if word in path:
                words = list(path)
                return [*words[words.index(word) :], word]
            path[word] = None
            word = heads[word - 1]
        reaches_root.update(path)
    return []


def _closed(path: Path, encoding: str, unreadable: list[InputError] | None) -> Iterator[tuple[int, str]]:
    """The lines, with a blank one at the end: the last sentence of a file often lacks it.

    Lines outside the encoding are left out, and added to `unreadable` if it is a list.
    """
    number = 0
    for number, line in checked_lines(path, encoding, None if unreadable is None else unreadable.append):
        yield number, line
    yield number + 1, ""


def _sentence(path: Path, rows: list[tuple[int, list[str]]], invisible: Counter[str]) -> Words:
    words: list[tuple[int, list[str]]] = []
    for number, fields in rows:
        if len(fields) != _FIELDS:
            problem = f"expected {_FIELDS} fields separated by tabs, found {len(fields)}"
            if fields[0].startswith("#"):
                problem += "; comments stand before the first word of a sentence"
            raise WrongRecord(path, f"line {number}", problem, f"{len(fields)} fields instead of {_FIELDS}")
        if _RANGE_OR_EMPTY.fullmatch(fields[0]):
            continue
        if fields[0] != str(len(words) + 1):
            problem = f"expected word number {len(words) + 1}, found {shown(fields[0])}"
            raise WrongRecord(path, f"line {number}", problem, "a wrong number of a word")
        fields[1:3] = clean_text(fields[1], invisible), clean_text(fields[2])
        if not fields[1].strip():
            raise WrongRecord(
                path, f"line {number}", "expected a form of the word, found none", "a word without a form"
            )
        if not all(field.strip() for field in fields):
            problem = "expected ten fields with something in them; an underscore says that one is not given"
            raise WrongRecord(path, f"line {number}", problem, "an empty field")
        words.append((number, fields))
    if not words:
        raise WrongRecord(path, f"line {rows[0][0]}", "this sentence has no words")
    heads: list[int | None] = []  # from 1, 0 at a root
    for number, fields in words:
        if fields[6] == "_":
            heads.append(None)
        elif (
            not fields[6].isdecimal()
            or len(fields[6]) > LONGEST_NUMBER
            or int(fields[6]) > len(words)
            or fields[6] == fields[0]
        ):
            problem = f"expected a head from 0 to {len(words)} other than the word itself, found {shown(fields[6])}"
            raise WrongRecord(path, f"line {number}", problem, "a wrong head")
        else:
            heads.append(int(fields[6]))
    if circle := cycle([head or 0 for head in heads]):
        problem = f"expected heads that form a tree, found a cycle of the words {' -> '.join(map(str, circle))}"
        raise WrongRecord(path, f"line {words[circle[0] - 1][0]}", problem, "a cycle of heads")
    return {
        "tokens": [fields[1] for _, fields in words],
        "lemma": [None if fields[2] == "_" != fields[1] else fields[2] for _, fields in words],
        "pos": [None if fields[3] == "_" else fields[3] for _, fields in words],
        "tag": [None if fields[4] == "_" else fields[4] for _, fields in words],
        "head": [None if head is None else head - 1 for head in heads],
        "dep": [None if fields[7] == "_" else fields[7] for _, fields in words],
    }
