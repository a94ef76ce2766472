"""Two sets of numbers compared, and shown as a table, Markdown or JSON."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from flows.comparing.tolerances import Tolerances
from flows.comparing.values import Value

Status = Literal["same", "within", "outside", "gone", "new"]
FAILING = ("outside", "gone")
HEADS = ("metric", "earlier", "later", "change", "")


@dataclass(frozen=True)
class Difference:
    """One number in both sets.

    Attributes:
        status: same: equal; within: moved, but by no more than its tolerance or inside the earlier interval; outside:
            moved further; gone or new: only in the earlier or the later set.
    """

    name: str
    earlier: Value | None
    later: Value | None
    status: Status


def compare(earlier: Mapping[str, Value], later: Mapping[str, Value], tolerances: Tolerances) -> list[Difference]:
    """The differences of two sets of numbers, in the order of their names; what is ignored is left out."""
    names = sorted({*earlier, *later})
    return [
        Difference(name, earlier.get(name), later.get(name), _status(name, earlier, later, tolerances))
        for name in names
        if not tolerances.of(name).ignored
    ]


def _status(name: str, earlier: Mapping[str, Value], later: Mapping[str, Value], tolerances: Tolerances) -> Status:
    if name not in later:
        return "gone"
    if name not in earlier:
        return "new"
    before, after = earlier[name], later[name]
    if before.value == after.value or (_is_nan(before) and _is_nan(after)):
        return "same"
    if before.number is None or after.number is None or _is_nan(before) or _is_nan(after):
        return "outside"
    inside = before.interval is not None and before.interval[0] <= after.number <= before.interval[1]
    return "within" if inside or tolerances.of(name).allows(before.number, after.number) else "outside"


def _is_nan(value: Value) -> bool:
    return value.number is not None and math.isnan(value.number)


def fails(differences: Sequence[Difference]) -> bool:
    """Whether a number moved too far, or is gone."""
    return any(difference.status in FAILING for difference in differences)


def table(differences: Sequence[Difference]) -> str:
    """Columns of text."""
    rows = [HEADS, *map(_cells, differences)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def markdown(differences: Sequence[Difference]) -> str:
    """A table in Markdown, as for a comment on a pull request."""
    rows = [HEADS, ("---",) * len(HEADS), *map(_cells, differences)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)


def as_json(differences: Sequence[Difference]) -> str:
    """A list of records."""
    records = [
        {
            "name": difference.name,
            "status": difference.status,
            **{
                side: {"value": value.value, "interval": list(value.interval) if value.interval else None}
                for side, value in (("earlier", difference.earlier), ("later", difference.later))
                if value is not None
            },
        }
        for difference in differences
    ]
    return json.dumps(records, indent=2)


FORMATS: Mapping[str, Callable[[Sequence[Difference]], str]] = {
    "table": table,
    "markdown": markdown,
    "json": as_json,
}


def _cells(difference: Difference) -> tuple[str, ...]:
    earlier, later = difference.earlier, difference.later
    change = ""
    if earlier and later and earlier.number is not None and later.number is not None:
        change = f"{later.number - earlier.number:+.4g}"
    return difference.name, _shown(earlier), _shown(later), change, difference.status


def _shown(value: Value | None) -> str:
    if value is None:
        return "-"
    text = f"{value.number:.6g}" if value.number is not None else str(value.value)
    return f"{text} ({value.interval[0]:.4g} to {value.interval[1]:.4g})" if value.interval else text
