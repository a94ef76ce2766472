"""Labels and raw texts of a user's own, in a table or in memory, as texts in three parts."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from repline.corpora.labelled.classified_texts import Text, Texts, as_texts, split_texts
from repline.corpora.labelled.collections.labelled_tsv import PARTS, read_table
from repline.corpora.labelled.recipes import PartSizes
from repline.errors import InputError, shown
from repline.reading.wrong_records import LeftOut, OnError
from repline.segmentation.document_sentences import sentences_of
from repline.segmentation.recipes import Splitting


def texts_from_rows(
    rows: Iterable[tuple[str, str] | tuple[str, str, str]],
    splitting: Splitting = "marks",
    dev: int | float = 0.1,
    test: int | float = 0.2,
) -> Texts:
    """Labels with raw texts, split into sentences and words, and drawn into parts where a row names none.

    The id of a text is the number of its row, from 0 on. Of several with the same words one stays.

    Args:
        rows: (label, text) or (label, text, part); parts are train, dev and test.
        splitting: of texts into sentences and words, see `repline.segmentation.document_sentences.sentences_of`.
        dev, test: how many texts, or which share of all.

    Raises:
        InputError: a row is something else, a part has another name, or there are too few texts.
    """
    texts = []
    for number, row in enumerate(rows):
        label, text, part = _strings(row, number)
        texts.append(Text(str(number), label, sentences_of(text, splitting), part))
    return _in_parts(texts, splitting, dev, test)[0]


def read_own_texts(
    table: str | Path,
    splitting: Splitting = "marks",
    dev: int | float = 0.1,
    test: int | float = 0.2,
    *,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
) -> Texts:
    """The texts of a table, split into sentences and words, and drawn into parts where it names none.

    What was read, and what was left out for which reason, is printed.

    Args:
        table: label, tab, text; or a head that names the columns label, text and part; or JSON lines (.jsonl).
        splitting: of texts into sentences and words, see `repline.segmentation.document_sentences.sentences_of`.
        dev, test: how many texts, or which share of all.
        on_error: at a wrong row; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: a row that is not as described, or too few texts.
    """
    wrong = LeftOut.of(on_error)
    rows = [
        Text(str(row.line), row.label, sentences_of(row.text, splitting), row.part)
        for row in read_table(table, on_error=wrong, encoding=encoding)
    ]
    try:
        texts, left_out = _in_parts(rows, splitting, dev, test)
    except InputError as error:
        raise InputError(f"{table}: {error}") from None
    sizes = ", ".join(f"{len(ids):,} {part}" for part, ids in texts.ids.items())
    print(f"{table}: {sizes}, {len(texts.labels)} labels")
    for why, count in left_out.items():
        if count:
            print(f"left out, {why.replace('_', ' ')}: {count:,}")
    print("".join(f"{note}\n" for note in wrong.notes()), end="")
    return texts


def _in_parts(
    texts: list[Text], splitting: Splitting, dev: int | float, test: int | float
) -> tuple[Texts, dict[str, int]]:
    whole, left_out = split_texts(texts, PartSizes(dev=dev, test=test))
    return replace(as_texts(whole), splitting=splitting), left_out


def _strings(row: Any, number: int) -> tuple[str, str, str]:
    """The label, the text and the part of a row; "" for no part."""
    if not isinstance(row, tuple | list) or len(row) not in (2, 3) or not all(isinstance(cell, str) for cell in row):
        raise InputError(f"row {number}: expected (label, text) or (label, text, part), found {shown(row)}")
    label, text, part = (*row, "")[:3]
    if part not in ("", *PARTS):
        raise InputError(f"row {number}: expected a part of {', '.join(PARTS)}, found {shown(part)}")
    return label, text, part
