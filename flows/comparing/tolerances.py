"""How far a number may move: patterns of names, each with an absolute and a relative tolerance, in one YAML file."""

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML, YAMLError

from flows.errors import InputError

FILE = Path("tolerances.yaml")
KEYS = {"absolute", "relative"}
IGNORE = "ignore"


@dataclass(frozen=True)
class Tolerance:
    """A number may move by `absolute + relative * |earlier|`; what is ignored is not compared."""

    absolute: float = 0.0
    relative: float = 0.0
    ignored: bool = False

    def allows(self, earlier: float, later: float) -> bool:
        """Whether a number stays near enough."""
        return abs(later - earlier) <= self.absolute + self.relative * abs(earlier)


@dataclass(frozen=True)
class Tolerances:
    """Patterns of names (`metrics.json:accuracy`, `*:loss.*`) and their tolerances; the last that fits counts."""

    rules: Sequence[tuple[str, Tolerance]] = ()

    def of(self, name: str) -> Tolerance:
        """The tolerance of a name; none where no pattern fits."""
        return next((rule for pattern, rule in reversed(self.rules) if fnmatch.fnmatchcase(name, pattern)), Tolerance())


def read(file: Path | None, root: Path) -> Tolerances:
    """Read the tolerances of a file; without one, those of tolerances.yaml in the project's root, if there is one.

    Raises:
        InputError: there is no such file, or it holds something else.
    """
    path = file or root / FILE
    if file is None and not path.exists():
        return Tolerances()
    try:
        values = YAML(typ="safe").load(path.read_text(encoding="utf-8")) or {}
    except (OSError, YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: the tolerances cannot be read ({str(error).splitlines()[0]})") from None
    if not isinstance(values, dict):
        raise InputError(f"{path}: expected patterns of names with their tolerances, found {type(values).__name__}")
    return Tolerances([(str(pattern), _tolerance(value, f"{path}: {pattern}")) for pattern, value in values.items()])


def _tolerance(value: object, where: str) -> Tolerance:
    if value == IGNORE:
        return Tolerance(ignored=True)
    if not isinstance(value, dict) or not value or not KEYS.issuperset(value):
        raise InputError(f"{where}: expected `ignore`, or `absolute` and `relative`, found {value!r}")
    for key, number in value.items():
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number < float("inf"):
            raise InputError(f"{where}: expected a number of at least 0 as {key}, found {number!r}")
    return Tolerance(float(value.get("absolute", 0)), float(value.get("relative", 0)))
