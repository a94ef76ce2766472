"""A column of brackets for each predicate, as the CoNLL shared tasks have them: `(A0*`, `*`, `*)`, `(V*)`.

Source: Carreras & Marquez 2005, "Introduction to the CoNLL-2005 shared task", section 2 (start-end format).
"""

import re
from collections.abc import Sequence

from repline.corpora.srl.propositions import Argument
from repline.errors import shown

CELL = re.compile(r"(?:\(([^()*\s]+))?\*(\)?)")


def arguments_of(cells: Sequence[str]) -> list[Argument]:
    """The spans of a column.

    Raises:
        ValueError: (place, sentence): the place of the cell that is broken, and what is wrong with it.
    """
    arguments, label, first = [], None, 0
    for position, cell in enumerate(cells):
        parts = CELL.fullmatch(cell)
        if parts is None:
            raise ValueError(position, f"expected a cell like (A0*, *, *) or (A0*), found {shown(cell)}")
        if parts[1]:
            if label is not None:
                raise ValueError(position, f"({parts[1]} opens inside ({label}, which word {first} opened")
            label, first = parts[1], position
        if parts[2]:
            if label is None:
                raise ValueError(position, "a bracket closes that none has opened")
            arguments.append(Argument(label, first, position))
            label = None
    if label is not None:
        raise ValueError(first, f"({label} is never closed")
    return arguments


def column_of(arguments: Sequence[Argument], words: int) -> list[str]:
    """The cells of a column, the inverse of `arguments_of` for spans that share no word."""
    cells = ["*"] * words
    for label, first, last in arguments:
        cells[last] += ")"
        cells[first] = f"({label}{cells[first]}"
    return cells
