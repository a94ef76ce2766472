"""What every reader of this room gives: a text and its labels."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Document(NamedTuple):
    """A document.

    Attributes:
        id: distinct.
        text: paragraphs between empty lines.
        labels: by kind ("topics", "places"); the same kinds in all documents of a source, a kind may have no label.
    """

    id: str
    text: str
    labels: Mapping[str, Sequence[str]]
