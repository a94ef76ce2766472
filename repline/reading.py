"""How files that a user brings are read: settings that every reader of text has alike."""

from typing import Any, Literal, TypedDict

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


def is_head(head: Head, recognised: bool) -> bool:
    """Whether the first line of a table names its columns, given whether it has the words of a head."""
    return head == "yes" or (head == "auto" and recognised)


def recipe_values(corpus: Reading, **kwargs: Any) -> dict[str, Any]:
    """`model_dump` of a recipe, with the settings of reading only where they differ from the defaults."""
    values = corpus.model_dump(**kwargs)
    return {name: value for name, value in values.items() if name not in Reading.model_fields} | corpus.reading()
