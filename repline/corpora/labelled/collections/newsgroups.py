"""20 Newsgroups by date: 11,314 posts to train on and 7,532 later ones to test, of 20 groups, as JSON lines.

    {"id": 49960, "label": "alt.atheism", "text": "From: ...\\nSubject: ...\\n\\nArchive-name: ..."}

The lines of the header, up to the first empty line, are left out: one of them names the group. Labels are `group`
("rec.autos") and `field` ("rec"), its first part. A post may quote others; that is left as it is.

Source: http://qwone.com/~jason/20Newsgroups/
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from repline.corpora.labelled.document import Document
from repline.reading.json_text import json_object
from repline.reading.text_files import filled_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

FILES = {"train": "20news-bydate-train.jsonl", "test": "20news-bydate-test.jsonl"}


def read_newsgroups(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Document]:
    """The posts of a folder with both files.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: a file is missing, or a line is not such a record.
    """
    left_out = LeftOut.of(on_error)
    for part, name in FILES.items():
        path = Path(folder) / name
        for number, (row, line) in enumerate(filled_lines(path, encoding, left_out), start=1):
            try:
                record: Any = json_object(line)
                label, text = record["label"].strip(), record["text"]
                body = text.replace("\r\n", "\n").partition("\n\n")[2]
            except (ValueError, KeyError, AttributeError):
                problem = "expected a record with id, label and text"
                left_out.add(WrongRecord(path, f"line {row}", problem))
                continue
            yield Document(
                f"{part}-{number}", body.strip(), {"group": [label], "field": [label.partition(".")[0]]}, part
            )
