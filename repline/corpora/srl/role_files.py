"""Files of sentences with semantic roles, in two forms, plain or `.gz`.

    *.jsonl    a sentence a line: {"id": "doc-0001", "split": "train", "words": [...], "tags": [...],
               "props": [{"frame": "be.01", "args": [["ARG2", 0, 3], ["V", 4, 4], ["ARG1", 5, 5]]}]};
               tags and frame may be left out, and the split where the file's name is train, dev or test; an argument
               has the places of its first and its last word; blank lines are passed over
    *.props    a word a line, an empty line behind each sentence: the word, the predicate's base form or roleset there
               (else -), and a column of brackets for each predicate; the file is named train, dev or test

Tags may come from CoNLL-U files there (`read_words`), whose words must then be those of the role file. A sentence is
found there by its id: the name of the document, and the number of the sentence in it.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from repline.corpora.line_groups import paragraphs
from repline.corpora.srl.bracket_columns import arguments_of
from repline.corpora.srl.propositions import SPLITS, Argument, Proposition, RoleSentence, proposition
from repline.errors import InputError, shown
from repline.parameters import Section
from repline.reading import conllu
from repline.reading.file_names import files_with, unpacked_name
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import filled_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

FORMS = (".jsonl", ".props")
Words = Mapping[tuple[str, int], tuple[list[str], list[str]]]  # by document and sentence: words, tags
Span = Annotated[list[str | int], Field(min_length=3, max_length=3)]


class Frame(Section, extra="ignore"):
    """A predicate of a line of a .jsonl file."""

    frame: str = ""
    args: list[Span]


class Line(Section, extra="ignore"):
    """A line of a .jsonl file."""

    id: Annotated[str, Field(min_length=1)]
    split: str | None = None
    words: Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
    tags: list[str] | None = None
    props: list[Frame]


def read_role_files(
    folder: str | Path, words: Words | None = None, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[RoleSentence]:
    """The sentences of all role files of a folder, or of one file.

    Args:
        words: of `read_words`, where tags come from there.
        on_error: at a wrong sentence; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: no role file; a line that is not as described above; a proposition that `proposition` refuses; a
            sentence that is not among `words`, or has other words there; it names file and line.
    """
    folder, left_out = Path(folder), LeftOut.of(on_error)
    paths = [path for path in files_with(folder, *FORMS) if unpacked_name(path).endswith(FORMS)]
    if not paths:
        raise InputError(f"{folder}: expected files of roles (*.jsonl or *.props, also .gz), found none")
    for path in paths:
        read = _json_lines if unpacked_name(path).endswith(".jsonl") else _columns
        for number, sentence in read(path, left_out, encoding):
            with left_out:
                yield sentence if words is None else _joined(sentence, words, path, number)


def read_words(folder: str | Path, encoding: str = "utf-8") -> Words | None:
    """Words and tags (XPOS) of the CoNLL-U files of a folder, by document and place of the sentence in it, from 0.

    None where there are no such files. A wrong sentence is an error, as the places of those behind it depend on it.
    """
    paths = files_with(folder, ".conllu") if Path(folder).is_dir() else []
    if not paths:
        return None
    sentences = conllu.read(paths, encoding=encoding)
    return {
        (row["doc_id"], row["sentence_id"]): (row["tokens"], [tag or "" for tag in row["tag"]]) for row in sentences
    }


def _joined(sentence: RoleSentence, words: Words, path: Path, number: int) -> RoleSentence:
    name, where = f"sentence {sentence.sentence_id + 1} of document {shown(sentence.doc_id)}", f"line {number}"
    words_and_tags = words.get((sentence.doc_id, sentence.sentence_id))
    if words_and_tags is None:
        raise WrongRecord(path, where, f"{name} is not in the files with the words", "a sentence without its words")
    tokens, tags = words_and_tags
    if tokens != sentence.tokens:
        position = next((n for n, (a, b) in enumerate(zip(tokens, sentence.tokens, strict=False)) if a != b), None)
        there = f"{len(tokens)} words" if position is None else f"{shown(tokens[position])} as word {position}"
        here = f"{len(sentence.tokens)}" if position is None else f"{shown(sentence.tokens[position])}"
        problem = f"{name} has {there} in the files with the words, and {here} here"
        raise WrongRecord(path, where, problem, "other words than in the files with the words")
    return sentence._replace(tags=tags)


def _json_lines(path: Path, left_out: LeftOut, encoding: str) -> Iterator[tuple[int, RoleSentence]]:
    named = _split_of(path)
    for number, text in filled_lines(path, encoding, left_out):
        with left_out:
            sentence = _json_sentence(path, number, text, named)
            tokens = [clean_text(token, left_out.invisible) for token in sentence.tokens]
            yield number, sentence._replace(tokens=tokens)


def _json_sentence(path: Path, number: int, text: str, named: str | None) -> RoleSentence:
    where = f"line {number}"
    try:
        line = Line.model_validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "the line"
        problem = f"{key}: {first['msg']}; expected a sentence with roles as JSON"
        raise WrongRecord(path, where, problem, "no sentence with roles as JSON") from None
    split = line.split or named
    if split not in SPLITS:
        raise WrongRecord(path, where, f"expected the split {', '.join(SPLITS)}, found {shown(split)}", "another split")
    if line.tags is not None and len(line.tags) != len(line.words):
        problem = f"expected a tag for each of {len(line.words)} words, found {len(line.tags)}"
        raise WrongRecord(path, where, problem, "another number of tags than of words")
    propositions = [
        proposition(len(line.words), stored.frame, [_span(span, path, where) for span in stored.args], path, where)
        for stored in line.props
    ]
    document, _, position = line.id.rpartition("-")
    numbered = document and position.isdecimal() and int(position) > 0
    name = (document, int(position) - 1) if numbered else (line.id, 0)
    return RoleSentence(*name, split, line.words, line.tags, propositions)


def _span(span: list[Any], path: Path, where: str) -> Argument:
    label, first, last = span
    if not (isinstance(label, str) and isinstance(first, int) and isinstance(last, int)):
        problem = f"expected a label and two places of words, found {json.dumps(span)}"
        raise WrongRecord(path, where, problem, "no label with two places")
    return Argument(label, first, last)


def _columns(path: Path, left_out: LeftOut, encoding: str) -> Iterator[tuple[int, RoleSentence]]:
    split = _split_of(path)
    if split is None:
        raise InputError(f"{path}: expected the name train.props, dev.props or test.props, which tells the split")
    for sentence, (_, lines) in enumerate(paragraphs(path, encoding, left_out)):
        rows = [(number, line.split()) for number, line in lines]
        with left_out:
            yield rows[0][0], _sentence(path, rows, split, sentence)


def _sentence(path: Path, rows: list[tuple[int, list[str]]], split: str, sentence: int) -> RoleSentence:
    predicates = [position for position, (_, row) in enumerate(rows) if len(row) > 1 and row[1] != "-"]
    for number, row in rows:
        if len(row) != 2 + len(predicates):
            problem = (
                f"expected {2 + len(predicates)} columns: a word, a predicate or -, and one of brackets for each of "
                f"the {len(predicates)} predicates; found {len(row)}"
            )
            raise WrongRecord(path, f"line {number}", problem, "another number of columns")
    propositions: list[Proposition] = []
    for column, position in enumerate(predicates):
        try:
            arguments = arguments_of([row[2 + column] for _, row in rows])
        except ValueError as error:
            offset, why = error.args
            problem = f"column {3 + column}: {why}"
            raise WrongRecord(path, f"line {rows[offset][0]}", problem, "wrong brackets") from None
        number, row = rows[position]
        propositions.append(proposition(len(rows), row[1], arguments, path, f"line {number}"))
    name = path.name.split(".")[0]
    return RoleSentence(name, sentence, split, [row[0] for _, row in rows], None, propositions)


def _split_of(path: Path) -> str | None:
    name = path.name.split(".")[0]
    return name if name in SPLITS else None
