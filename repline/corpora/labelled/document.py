"""What every reader of this room gives: a text and its labels."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Document(NamedTuple):
    """A document.

    Attributes:
        id: distinct.
        text: paragraphs between empty lines, or sentences a line; the source's page says which.
        labels: by kind ("topics", "places"); the same kinds in all documents of a source, a kind may have no label.
        part: train, dev or test where those who made the corpus have split it; else empty, in all documents.
    """

    id: str
    text: str
    labels: Mapping[str, Sequence[str]]
    part: str = ""
