"""How files that a user brings are read: settings that every reader of text has alike."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypedDict

from repline.errors import InputError
from repline.parameters import Section
from repline.wrong_records import LeftOut, OnError

Head = Literal["auto", "yes", "no"]  # whether the first line of a table names its columns


class TableReading(TypedDict, total=False):
    """Arguments of readers: what a wrong record does, or an account of wrong ones; and the encoding, see `Reading`."""

    on_error: OnError | LeftOut
    encoding: str


class Reading(Section):
    """What is done with a file that is not as expected.

    Attributes:
        on_error: stop at a wrong record; or salvage: leave it out, count it by reason on the card, name the first five.
        encoding: of files without a byte order mark.
        head: whether the first line of a table names its columns; auto recognises it by its words.
    """

    on_error: OnError = "stop"
    encoding: str = "utf-8"
    head: Head = "auto"

    def reading(self) -> dict[str, Any]:
        """What differs from the defaults, for the parameters of a card."""
        return self.model_dump(include=set(Reading.model_fields), exclude_defaults=True)


def is_head(head: Head, path: str | Path, fields: Iterable[str], heads: Iterable[tuple[str, ...]]) -> bool:
    """Whether the first line of a table names its columns.

    Args:
        head: auto recognises the words of a head, in any case.
        path: for errors.
        fields: of the line.
        heads: what the columns may be called.

    Raises:
        InputError: the line is a head but for a slip in one name.
    """
    if head != "auto":
        return head == "yes"
    words = tuple(field.strip().lower() for field in fields)
    alike = [names for names in heads if len(names) == len(words)]
    if words in alike:
        return True
    for names in alike:
        refuse_slip(path, words, names)
    return False


def refuse_slip(path: str | Path, words: Sequence[str], names: Sequence[str]) -> None:
    """Refuse a first line with all names of columns but one, and a word that is nearly that one.

    It would be read as a record, and the columns as if nobody had named them.
    """
    missing = [name for name in names if name not in words]
    others = [word for word in words if word not in names]
    if len(missing) == 1 and (near := get_close_matches(missing[0], others, 1, 0.5)):
        raise InputError(
            f"{path}, line 1: {near[0]!r} is nearly the name {missing[0]!r} of a column; correct it, or set head to no "
            "where this line is a record"
        )


def recipe_values(corpus: Reading, **kwargs: Any) -> dict[str, Any]:
    """`model_dump` of a recipe, with the settings of reading only where they differ from the defaults."""
    values = corpus.model_dump(**kwargs)
    return {name: value for name, value in values.items() if name not in Reading.model_fields} | corpus.reading()
