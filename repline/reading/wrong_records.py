"""Wrong records of a file: one ends the reading, or all are left out, counted by reason, and the first are named."""

from collections import Counter
from pathlib import Path
from typing import Any, Literal

from repline.errors import InputError, readable

OnError = Literal["stop", "salvage"]  # what a wrong record does
NAMED = 5  # records whose place a card tells
PROBLEM = 400  # characters of a problem that a message shows
ON_ERROR = "at a wrong line of your own files: stop (the default), or salvage: leave it out, and say so"  # for commands


class WrongRecord(InputError):
    """One record is wrong, while what precedes and follows it can be read.

    Args:
        path: of the file.
        location: of the record in the file ("line 12").
        problem: what was expected and what was found; the message is path, location and problem.
        reason: what the record has in common with others that are wrong in the same way; the problem if None.
    """

    def __init__(self, path: str | Path, location: str, problem: str, reason: str | None = None) -> None:
        problem = readable(problem, PROBLEM)
        super().__init__(f"{path}, {location}: {problem}")
        self.reason = readable(reason, PROBLEM) if reason else problem
        self.named = f"{Path(path).name}, {location}: {problem}"  # the same on every machine
        self._arguments = (path, location, problem, reason)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments


class LeftOut:
    """The records that a reader leaves out.

    `with left_out:` around the reading of one record leaves it out where the reading raises `WrongRecord`.

    Args:
        on_error: "stop" raises the first wrong record; "salvage" counts it.

    Attributes:
        reasons: how many records were left out for which reason.
        named: what is wrong with the first five of them.
        passed_over: by kind, how many well-formed records the reader was not asked for.
        merged: by kind, how many words or names of several spellings are read as one.
        invisible: how many characters one cannot see were taken out of records, see `repline.reading.text_files`.
    """

    def __init__(self, on_error: OnError = "stop") -> None:
        self.on_error = on_error
        self.reasons: Counter[str] = Counter()
        self.named: list[str] = []
        self.passed_over: Counter[str] = Counter()
        self.merged: Counter[str] = Counter()
        self.invisible: Counter[str] = Counter()

    @classmethod
    def of(cls, on_error: "OnError | LeftOut") -> "LeftOut":
        """A new account, or the one that a caller brings to read it later."""
        return on_error if isinstance(on_error, LeftOut) else cls(on_error)

    def add(self, problem: WrongRecord) -> None:
        """Leave out a record, or raise the problem where a wrong record ends the reading."""
        if self.on_error == "stop":
            raise problem
        self.reasons[problem.reason] += 1
        if len(self.named) < NAMED:
            self.named.append(problem.named)

    def pass_over(self, kind: str) -> None:
        """Count a record that is right, and not what the reader was asked for: "phrases" in a dictionary of words."""
        self.passed_over[kind] += 1

    def __enter__(self) -> "LeftOut":
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: object) -> bool:
        if self.on_error == "salvage" and isinstance(problem, WrongRecord):
            self.add(problem)
            return True
        return False

    def counts(self) -> dict[str, int]:
        """For a card: the numbers of wrong records and of invisible characters, where there are some."""
        return ({"wrong_records": self.reasons.total()} if self.reasons else {}) | self.invisible

    def clear(self) -> None:
        """Forget what was left out, before the same is read again."""
        self.reasons.clear()
        self.named.clear()
        self.passed_over.clear()
        self.merged.clear()
        self.invisible.clear()

    def notes(self) -> list[str]:
        """For a card: the numbers of wrong records by reason, those that are named, and what was taken out."""
        others = [f"passed over: {count} {kind}" for kind, count in self.passed_over.most_common()]
        others += [f"merged: {count} {kind}" for kind, count in self.merged.items()]
        others += [f"taken out: {count} {kind.replace('_', ' ')}" for kind, count in self.invisible.items()]
        if not self.reasons:
            return others
        total = self.reasons.total()
        reasons = ", ".join(f"{count} ({reason})" for reason, count in self.reasons.most_common())
        return [
            f"salvaged: {total} wrong record{'s' * (total > 1)} left out: {reasons}",
            *(f"left out: {problem}" for problem in self.named),
            *others,
        ]
