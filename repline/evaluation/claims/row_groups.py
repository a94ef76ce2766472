"""Which numbers of a paper are measured, why others are not, and why a measured number is far from its published one.

A reason is said once for a group of rows: of some tables, or with some variants, items, data sets or columns.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

from repline.evaluation.claims.yaml_records import LEFT_OUT, Record

Reach = Literal["measured", "size", "data", "gpu"]
Names = Annotated[str | list[str] | None, LEFT_OUT]


class RowKeys(NamedTuple):
    """What tells the rows of a paper's tables apart: the id of the table, and the texts of the row."""

    tables: str
    dataset: str
    variant: str
    item: str
    column: str | None = None


class RowGroup(Record):
    """Rows of a paper's tables; a key without a name stands for all.

    Attributes:
        tables: ids of tables.
        dataset, variant, item, column: a name, or several of which a row has one.
    """

    tables: Names = None
    dataset: Names = None
    variant: Names = None
    item: Names = None
    column: Names = None

    def has(self, row: RowKeys) -> bool:
        """Whether a row is one of the group."""
        names = (self.tables, self.dataset, self.variant, self.item, self.column)
        return all(_among(value, several) for value, several in zip(row, names, strict=True))


class Unmeasured(RowGroup):
    """Why nobody has measured some rows.

    Attributes:
        reach: "size": no profile that was run is large enough; "data": data, vectors, programs or papers that are not
            at hand; "gpu": hours on a GPU, or the paper's machine.
        needs: what is missing, from whom, how large it is, and whether there is a public copy.
        bound: whether it is about the rows that have a `measured`, in place of those that have none.
    """

    reach: Literal["size", "data", "gpu"]
    needs: str
    bound: bool = False

    def explains(self, row: RowKeys, bound: bool) -> bool:
        """Whether it is about a row, which is `bound` or not."""
        return self.bound == bound and self.has(row)


class Difference(RowGroup):
    """Why the numbers that were measured for some rows are far from the published ones, with a measurement."""

    why: str


LARGER = Unmeasured(reach="size", needs="a run of a larger profile", bound=True)


def unmeasured(groups: Sequence[Unmeasured], row: RowKeys, bound: bool) -> Unmeasured | None:
    """Why a row is measured nowhere; a row that is bound to a measure needs a larger run where nothing else is said.

    None where a row is not bound and nobody has said why.
    """
    for group in groups:
        if group.explains(row, bound):
            return group
    return LARGER if bound else None


def _among(value: str | None, names: str | list[str] | None) -> bool:
    return names is None or value == names or (isinstance(names, list) and value in names)
