"""A paper's numbers as data (`published.yaml`), and the number measured here for each."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import Field

from repline.errors import InputError, shown
from repline.evaluation.claims import headlines
from repline.evaluation.claims.formulas import NotMeasured, evaluate, parse
from repline.evaluation.claims.headlines import WantedHeadline
from repline.evaluation.claims.replicates import Replicates
from repline.evaluation.claims.row_groups import Difference, Reach, RowKeys, Unmeasured, unmeasured
from repline.evaluation.claims.yaml_records import (
    LEFT_OUT,
    Number,
    Record,
    is_number,
    parse_record,
    read_yaml,
    require_keys,
)
from repline.evaluation.nested_measures import Measures
from repline.evaluation.replication.intervals import interval

Direction = Literal["lower", "higher", "none"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


class System(Record):
    """What a system is.

    Attributes:
        corpora: folders of data/corpora that the report describes.
        parameters: sections of params.yaml that it shows.
    """

    title: str
    summary: str
    headline: WantedHeadline
    corpora: list[str] = Field(default_factory=list)
    parameters: list[str] = Field(default_factory=list)


class Paper(Record):
    """Where a system was published."""

    title: str
    authors: str
    venue: str
    year: int | str
    url: str


class PublishedRow(Record):
    """A number of a paper.

    Attributes:
        measured: an expression over the metrics (`repline.evaluation.claims.formulas`); None where nothing was measured
            on the same kind of data.
        column: with one in every row the table is a grid of items by columns.
        n: how many items `measured` was measured on, an expression or a number.
        related: an expression for what was measured on other data that is merely alike; it stands apart, is not
            compared with `value`, and has no place next to `measured`.
        related_data: the data of `related`, in words.
    """

    dataset: str
    variant: str
    item: str
    value: Number
    measured: str | Number | None = None
    column: Annotated[str | None, LEFT_OUT] = None
    n: Annotated[str | Number | None, LEFT_OUT] = None
    related: Annotated[str | Number | None, LEFT_OUT] = None
    related_data: Annotated[str | None, LEFT_OUT] = None

    def keys(self, table: str) -> RowKeys:
        """What tells it apart from the other rows of a paper; `table`: the id of its table."""
        return RowKeys(table, self.dataset, self.variant, self.item, self.column)


class Table(Record):
    """A table of a paper; `better` says which of two numbers of its metric is the better one."""

    id: str
    caption: str
    metric: str
    better: Direction
    rows: list[PublishedRow]
    note: Annotated[str | None, LEFT_OUT] = None


class Statement(Record):
    """What a paper says in words, where it does, and the ids of the claims that judge it."""

    where: str | int
    text: str
    claims: list[str] = Field(default_factory=list)


class Published(Record):
    """A paper's numbers and statements, the content of a `published.yaml`.

    Attributes:
        unmeasured: why rows are measured nowhere, for groups of rows.
        differences: why what was measured is far from what is published, for groups of rows.
    """

    system: System
    paper: Paper
    tables: list[Table]
    statements: list[Statement] = Field(default_factory=list)
    unmeasured: list[Unmeasured] = Field(default_factory=list)
    differences: list[Difference] = Field(default_factory=list)

    def table(self, name: str) -> Table:
        """The table with this id; KeyError if there is none."""
        return {table.id: table for table in self.tables}[name]


class ComparedRow(Record):
    """A published number next to the measured one.

    Attributes:
        measured: the number measured here; None where nothing was measured.
        difference: measured - value.
        interval: the 95 % interval of `measured` over the replicates.
        replicates: how many there are.
        n: items that `measured` was measured on.
        related, related_data: what was measured on data that is merely alike, and which.
        bound: whether `published.yaml` has a measure for it.
        reach, needs: why it is not measured, see `row_groups.Unmeasured`; None where it is, or where nobody says why.
    """

    dataset: str
    variant: str
    item: str
    value: Number
    column: Annotated[str | None, LEFT_OUT] = None
    bound: bool
    reach: Annotated[Reach | None, LEFT_OUT] = None
    needs: Annotated[str | None, LEFT_OUT] = None
    measured: Number | None
    difference: Number | None
    interval: list[float] | None
    replicates: int
    n: Annotated[Number | None, LEFT_OUT] = None
    related: Annotated[Number | None, LEFT_OUT] = None
    related_data: Annotated[str | None, LEFT_OUT] = None


def read(path: str | Path) -> Published:
    """Read and check a `published.yaml`; see `validate` for its form."""
    return validate(read_yaml(path), str(path))


def validate(published: Any, where: str = "published") -> Published:
    """Check the form of a paper's numbers and return them.

    Args:
        published: a mapping with the attributes of `Published`.
        where: the file, for messages.

    Raises:
        InputError: an unknown or missing key, a repeated id, a value that is no number, an unsound expression.
    """
    _check_keys(Published, published, where)
    system = published["system"]
    _check_keys(System, system, f"{where}: system")
    for key in ("corpora", "parameters"):
        if not isinstance(system.get(key, []), list):
            raise InputError(f"{where}: system.{key} should be a list of names, found {shown(system[key])}")
    headlines.validate(system["headline"], f"{where}: system.headline")
    _check_keys(Paper, published["paper"], f"{where}: paper")
    url = str(published["paper"]["url"])
    if urlsplit(url).scheme not in ("http", "https"):
        raise InputError(f"{where}: paper.url should be an http or https address, found {shown(url)}")
    seen = set()
    for number, table in enumerate(_list(published["tables"], f"{where}: tables"), 1):
        _check_keys(Table, table, f"{where}: table {number}")
        where_table = f"{where}: table {table['id']!r}"
        if table["id"] in seen:
            raise InputError(f"{where_table} is there twice; an id names one table")
        seen.add(table["id"])
        if table["better"] not in DIRECTIONS:
            raise InputError(f"{where_table} has better {shown(table['better'])}; it is one of {', '.join(DIRECTIONS)}")
        _check_rows(table["rows"], where_table)
    for number, statement in enumerate(_list(published.get("statements", []), f"{where}: statements"), 1):
        _check_keys(Statement, statement, f"{where}: statement {number}")
        _list(statement.get("claims", []), f"{where}: statement {number}: claims")
    record = parse_record(Published, published, where)
    rows = [(row.keys(table.id), row.measured is not None) for table in record.tables for row in table.rows]
    for number, group in enumerate(record.unmeasured, 1):
        if not any(group.explains(*row) for row in rows):
            raise InputError(f"{where}: unmeasured {number} is about no row of any table")
    for number, difference in enumerate(record.differences, 1):
        if not any(difference.has(row) for row, _ in rows):
            raise InputError(f"{where}: differences {number} is about no row of any table")
    return record


def compare(
    table: Table,
    metrics: Measures,
    where: str = "published",
    replicates: Replicates | None = None,
    groups: Sequence[Unmeasured] = (),
) -> list[ComparedRow]:
    """The rows of one published table with what was measured here.

    Args:
        metrics: nested mappings of numbers and lists of numbers; null means not measured.
        where: the file, for messages.
        replicates: of these metrics, for the intervals.
        groups: why rows are measured nowhere.
    """
    rows = []
    for number, row in enumerate(table.rows, 1):
        where_row = f"{where}: table {table.id!r}: row {number}"
        measured = _measured(row.measured, metrics, where_row)
        related = _measured(row.related, metrics, where_row)
        spread, count = _spread(row.measured, measured, where_row, replicates)
        bound = row.measured is not None
        group = unmeasured(groups, row.keys(table.id), bound) if measured is None else None
        rows.append(
            ComparedRow(
                **row.model_dump(exclude={"measured", "n", "related", "related_data"}),
                bound=bound,
                reach=None if group is None else group.reach,
                needs=None if group is None else group.needs,
                measured=measured,
                difference=None if measured is None else measured - row.value,
                interval=spread,
                replicates=count,
                n=None if measured is None else _measured(row.n, metrics, where_row),
                related=related,
                related_data=None if related is None else row.related_data,
            )
        )
    return rows


def _measured(expression: str | Number | None, metrics: Measures, where: str) -> float | None:
    """The value of an expression; None without one, or where it was not measured."""
    if expression is None:
        return None
    try:
        return evaluate(expression, metrics, where)
    except (NotMeasured, ZeroDivisionError):
        return None


def _spread(
    expression: str | Number | None, measured: float | None, where: str, replicates: Replicates | None
) -> tuple[list[float] | None, int]:
    """The interval of what an expression measures, and over how many replicates."""
    if expression is None or measured is None or replicates is None:
        return None, 0
    values = [value for (value,) in replicates.values([expression], where)]
    return interval(values), len(values)


def _check_keys(kind: type[Record], values: Any, where: str) -> None:
    fields = kind.model_fields.items()
    required = [name for name, field in fields if field.is_required()]
    require_keys(values, where, required, [name for name, field in fields if not field.is_required()])


def _check_rows(rows: Any, where: str) -> None:
    for number, row in enumerate(_list(rows, f"{where}: rows"), 1):
        where_row = f"{where}: row {number}"
        _check_keys(PublishedRow, row, where_row)
        for key in ("dataset", "variant", "item", "column"):
            if not isinstance(row.get(key, ""), str):  # YAML reads an unquoted on or no as a truth value
                raise InputError(f"{where_row}: {key} should be text (quote it), found {shown(row[key])}")
        if not is_number(row["value"]):
            raise InputError(f"{where_row}: value should be a number, found {shown(row['value'])}")
        for key in ("measured", "n", "related"):
            if row.get(key) is not None:
                parse(row[key], where_row)
        if row.get("measured") is not None and row.get("related") is not None:
            raise InputError(f"{where_row}: measured is on the paper's data and related on other data; give one")
        if (row.get("related") is None) != (row.get("related_data") is None):
            raise InputError(f"{where_row}: related needs related_data, the data in words, and the other way round")
    columns = ["column" in row for row in rows]
    if any(columns) and not all(columns):
        raise InputError(f"{where}: row {columns.index(False) + 1} has no column, but other rows of the table have one")


def _list(value: Any, where: str) -> list:
    if not isinstance(value, list):
        raise InputError(f"{where} should be a list, found {shown(value)}")
    return value
