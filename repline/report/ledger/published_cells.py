"""The ledger of published numbers: which are measured, how near they are, and what the others need."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from repline.evaluation.claims.row_groups import Difference, Reach, RowKeys
from repline.report.reference import PROFILES, key_of, key_of_measured
from repline.report.result_records import MeasuredRow, PaperTable, ReferenceResults, Standing, TableRow

NEAR = (0.02, 0.05, 0.1)  # relative differences that are counted
FAR = 0.05  # a measured number is far from the published one if it differs by more, and its interval leaves it out
HEADS = (
    *("published", "measured", "within reach", "data", "GPU"),
    *("within 2 %", "within 5 %", "within 10 %", "in the interval", "within 10 % or in it"),
)
Numbers = Mapping[str, Mapping[tuple[str, ...], MeasuredRow]]  # profile -> key of a row -> what it measured


@dataclass(frozen=True)
class Cell:
    """A published number.

    Attributes:
        table: the id of its table.
        row: as in the table.
        reach: "measured", or why it is not; None where nobody has said why.
        needs: what it takes to measure it.
        profile: the largest that measured it.
        why: why the measured number is far from the published one.
    """

    table: str
    row: TableRow
    reach: Reach | None
    needs: str = ""
    profile: str = ""
    measured: float | None = None
    interval: Sequence[float] | None = None
    why: str = ""

    @property
    def published(self) -> float:
        """The number of the paper."""
        return self.row["value"]

    @property
    def label(self) -> str:
        """What tells the row apart: data set, variant, item and column."""
        parts = (self.row["dataset"], self.row["variant"], self.row["item"], self.row.get("column", ""))
        return ", ".join(dict.fromkeys(part for part in parts if part))

    @property
    def difference(self) -> float | None:
        """The difference of the two numbers, in parts of the published one; infinite beside a zero."""
        if self.measured is None:
            return None
        if math.isclose(self.measured, self.published, rel_tol=1e-9):
            return 0.0
        return abs(self.measured - self.published) / abs(self.published) if self.published else math.inf

    @property
    def inside(self) -> bool:
        """Whether the published number lies in the interval of the measured one."""
        return self.interval is not None and self.interval[0] <= self.published <= self.interval[1]

    def within(self, part: float) -> bool:
        """Whether it is measured within `part` of the published number."""
        return self.difference is not None and self.difference <= part

    @property
    def far(self) -> bool:
        """Whether it is measured, more than `FAR` off, and outside the interval."""
        return self.measured is not None and not self.within(FAR) and not self.inside


def cells(tables: Sequence[PaperTable], numbers: Numbers, differences: Sequence[Difference] = ()) -> list[Cell]:
    """Every published number of a system, with what the largest profile measured.

    A row is measured if `published.yaml` binds it to a measure and a profile has a number for it.

    Args:
        tables: from `repline.report.content.tables`.
        numbers: by profile; see `of_references` and `of_standings`.
        differences: what the paper's record says about numbers that are far off.
    """
    return [_cell(table, row, numbers, differences) for table in tables for row in table["rows"]]


def of_references(references: Mapping[str, ReferenceResults], name: str) -> Numbers:
    """The numbers of a system in reference results."""
    systems = {profile: results["systems"].get(name) for profile, results in references.items()}
    return {
        profile: {key_of_measured(number): number for number in system["numbers"]}
        for profile, system in systems.items()
        if system
    }


def of_standings(standings: Iterable[Standing]) -> Numbers:
    """The numbers of a system in the standings of the report."""
    return {standing["profile"]: standing["numbers"] for standing in standings}


def _cell(table: PaperTable, row: TableRow, numbers: Numbers, differences: Sequence[Difference]) -> Cell:
    key = key_of(table, row)
    for profile in reversed(PROFILES):
        number = numbers.get(profile, {}).get(key)
        if row["bound"] and number and number["measured"] is not None:
            keys = RowKeys(table["id"], row["dataset"], row["variant"], row["item"], row.get("column"))
            why = next((difference.why for difference in differences if difference.has(keys)), "")
            return Cell(table["id"], row, "measured", "", profile, number["measured"], number["interval"], why)
    return Cell(table["id"], row, row.get("reach"), row.get("needs", ""))


@dataclass(frozen=True)
class Count:
    """How many numbers of some cells are in each reach, and how near those are that were measured."""

    all: int
    measured: int
    size: int
    data: int
    gpu: int
    near: tuple[int, ...]
    inside: int
    near_or_inside: int
    far: int
    explained: int

    def columns(self) -> tuple[int, ...]:
        """The counts under `HEADS`."""
        reaches = (self.all, self.measured, self.size, self.data, self.gpu)
        return (*reaches, *self.near, self.inside, self.near_or_inside)


def count(counted: Sequence[Cell]) -> Count:
    """The counts of some cells: `near` by the parts in `NEAR`, `near_or_inside` by its largest."""
    reaches = Counter(cell.reach for cell in counted)
    return Count(
        all=len(counted),
        measured=reaches["measured"],
        size=reaches["size"],
        data=reaches["data"],
        gpu=reaches["gpu"],
        near=tuple(sum(cell.within(part) for cell in counted) for part in NEAR),
        inside=sum(cell.inside for cell in counted),
        near_or_inside=sum(cell.within(NEAR[-1]) or cell.inside for cell in counted),
        far=sum(cell.far for cell in counted),
        explained=sum(cell.far and bool(cell.why) for cell in counted),
    )


def needs(counted: Iterable[Cell]) -> list[tuple[Reach, str, int]]:
    """What the unmeasured cells need, each with the number of cells, the most frequent first."""
    groups = Counter((cell.reach, cell.needs) for cell in counted if cell.reach and cell.reach != "measured")
    return [(reach, words, number) for (reach, words), number in groups.most_common() if reach]
