"""A table of labels and texts of a user's own as texts in three parts."""

from dataclasses import replace
from pathlib import Path

from repline.corpora.labelled.classified_texts import Text, Texts, as_texts, split_texts
from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.corpora.labelled.recipes import PartSizes
from repline.errors import InputError
from repline.segmentation.document_sentences import sentences_of
from repline.segmentation.recipes import Splitting
from repline.wrong_records import LeftOut, OnError


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
        whole, left_out = split_texts(rows, PartSizes(dev=dev, test=test))
        texts = as_texts(whole)
    except InputError as error:
        raise InputError(f"{table}: {error}") from None
    sizes = ", ".join(f"{len(ids):,} {part}" for part, ids in texts.ids.items())
    print(f"{table}: {sizes}, {len(texts.labels)} labels")
    for why, count in left_out.items():
        if count:
            print(f"left out, {why.replace('_', ' ')}: {count:,}")
    print("".join(f"{note}\n" for note in wrong.notes()), end="")
    return replace(texts, splitting=splitting)
