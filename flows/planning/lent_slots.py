"""What a stage holds of the machine, lent to the runs that its command starts: they would wait for it for ever."""

import re
import secrets
from dataclasses import dataclass, field
from typing import Self

VARIABLE = "FLOW_STAGE_SLOTS"  # in the environment of a stage
PREFIX = "stage-"  # of the names


@dataclass(frozen=True)
class LentSlots:
    """The threads and GPUs of a stage while it runs.

    Attributes:
        threads: how many there are.
        gpus: their names.
        name: that of a lock which the stage's run holds as long as the stage runs.
    """

    threads: int
    gpus: tuple[str, ...] = ()
    name: str = field(default_factory=lambda: PREFIX + secrets.token_hex(8))

    @classmethod
    def parsed(cls, text: str) -> Self | None:
        """What a text says that `str` made; None for any other text."""
        parts = re.fullmatch(rf"({PREFIX}\w+) (\d+)((?: \S+)*)", text)
        return cls(int(parts[2]), tuple(parts[3].split()), parts[1]) if parts else None

    def __str__(self) -> str:
        return " ".join([self.name, str(self.threads), *self.gpus])
