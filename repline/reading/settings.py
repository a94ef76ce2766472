"""How files that a user brings are read: settings that every reader of text has alike."""

from typing import Any, Literal, TypedDict

from repline.parameters import Json, Section
from repline.reading.wrong_records import LeftOut, OnError

Head = Literal["auto", "yes", "no"]  # whether the first line of a table names its columns
PART_NAMES: dict[str, Literal["train", "dev", "test"]] = {  # what a part is called in the name of a file
    "train": "train",
    "dev": "dev",
    "valid": "dev",
    "validation": "dev",
    "val": "dev",
    "test": "test",
}
DEV_NAMES = tuple(name for name, part in PART_NAMES.items() if part == "dev")


class TableReading(TypedDict, total=False):
    """Arguments of readers: what a wrong record does, or an account of wrong ones; and the encoding, see `Reading`."""

    on_error: OnError | LeftOut
    encoding: str


class LineReading(Section):
    """What is done with a file of lines that is not as expected.

    Attributes:
        on_error: stop at a wrong record; or salvage: leave it out, count it by reason on the card, name the first five.
        encoding: of files without a byte order mark.
    """

    on_error: OnError = "stop"
    encoding: str = "utf-8"

    def arguments(self, left_out: LeftOut | None = None) -> TableReading:
        """The arguments of a reader, with an account that the caller reads later, or a new one."""
        return TableReading(on_error=LeftOut.of(left_out or self.on_error), encoding=self.encoding)

    def reading(self) -> dict[str, Json]:
        """What differs from the defaults, for the parameters of a card."""
        return self.model_dump(include=set(Reading.model_fields), exclude_defaults=True)


class Reading(LineReading):
    """What is done with a table that is not as expected.

    Attributes:
        head: whether the first line of a table names its columns; auto recognises it by its words.
    """

    head: Head = "auto"


def recipe_values(corpus: LineReading, **kwargs: Any) -> dict[str, Json]:
    """`model_dump` of a recipe, with the settings of reading only where they differ from the defaults."""
    values = corpus.model_dump(**kwargs)
    return {name: value for name, value in values.items() if name not in Reading.model_fields} | corpus.reading()
