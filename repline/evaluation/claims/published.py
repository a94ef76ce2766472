"""A paper's numbers as data (`published.yaml`), and the number measured here for each."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from repline.errors import InputError
from repline.evaluation.claims.formulas import NotMeasured, evaluate, parse
from repline.evaluation.claims.replicates import Replicates
from repline.evaluation.claims.yaml_records import is_number, read_yaml, require_keys
from repline.evaluation.replication.intervals import interval

DIRECTIONS = ("lower", "higher", "none")


def read(path: str | Path) -> dict[str, Any]:
    """Read and check a `published.yaml`; see `validate` for its form."""
    return validate(read_yaml(path), str(path))


def validate(published: Any, at: str = "published") -> dict[str, Any]:
    """Check the form of a paper's numbers and return them.

    Args:
        published: a mapping of

            - `system`: title, summary, headline {label, measured, format}, and optionally corpora (folders of
              data/corpora) and parameters (sections of params.yaml);
            - `paper`: title, authors, venue, year, url;
            - `tables`: a list of {id, caption, metric, better (lower, higher or none), rows} and optionally `note`;
              each row has dataset, variant, item, value and optionally `measured`, an expression over the metrics
              (`repline.evaluation.claims.formulas`), and `column`: with one in every row the table is a grid of
              items by columns;
            - `statements` (optional): what the paper says in words: {where, text} and optionally `claims`, ids of
              `claims.yaml`.
        at: the file, for messages.

    Raises:
        InputError: an unknown or missing key, a repeated id, a value that is no number, an unsound expression.
    """
    require_keys(published, at, ("system", "paper", "tables"), ("statements",))
    system = published["system"]
    require_keys(system, f"{at}: system", ("title", "summary", "headline"), ("corpora", "parameters"))
    for key in ("corpora", "parameters"):
        if not isinstance(system.get(key, []), list):
            raise InputError(f"{at}: system.{key} should be a list of names, found {system[key]!r}")
    _headline(system["headline"], f"{at}: system.headline")
    require_keys(published["paper"], f"{at}: paper", ("title", "authors", "venue", "year", "url"))
    url = str(published["paper"]["url"])
    if urlsplit(url).scheme not in ("http", "https"):
        raise InputError(f"{at}: paper.url should be an http or https address, found {url!r}")
    seen = set()
    for number, table in enumerate(_list(published["tables"], f"{at}: tables"), 1):
        require_keys(table, f"{at}: table {number}", ("id", "caption", "metric", "better", "rows"), ("note",))
        where = f"{at}: table {table['id']!r}"
        if table["id"] in seen:
            raise InputError(f"{where} is there twice; an id names one table")
        seen.add(table["id"])
        if table["better"] not in DIRECTIONS:
            raise InputError(f"{where} has better {table['better']!r}; it is one of {', '.join(DIRECTIONS)}")
        _rows(table["rows"], where)
    for number, statement in enumerate(_list(published.get("statements", []), f"{at}: statements"), 1):
        require_keys(statement, f"{at}: statement {number}", ("where", "text"), ("claims",))
        _list(statement.get("claims", []), f"{at}: statement {number}: claims")
    return published


def compare(
    table: Mapping[str, Any],
    metrics: Mapping[str, Any],
    at: str = "published",
    replicates: Replicates | None = None,
) -> list[dict[str, Any]]:
    """The rows of one published table with what was measured here.

    Args:
        table: one of `tables` in `validate`.
        metrics: nested mappings of numbers and lists of numbers; null means not measured.
        at: the file, for messages.
        replicates: of these metrics, for the intervals.

    Returns:
        Each row as it is, with `measured` a number or None, `difference` = measured - value, or None, `interval`, the
        95 % interval of `measured` over the replicates, or None, and `replicates`, how many there are.
    """
    rows = []
    for number, row in enumerate(table["rows"], 1):
        measured, where = None, f"{at}: table {table['id']!r}: row {number}"
        if row.get("measured") is not None:
            try:
                measured = evaluate(row["measured"], metrics, where)
            except (NotMeasured, ZeroDivisionError):
                measured = None
        difference = None if measured is None else measured - row["value"]
        rows.append({**row, "measured": measured, "difference": difference} | _spread(row, measured, where, replicates))
    return rows


def headline(
    system: Mapping[str, Any],
    metrics: Mapping[str, Any],
    at: str = "published",
    replicates: Replicates | None = None,
) -> dict[str, Any]:
    """The one figure of a system: {label, value (a number or None), interval (or None), replicates, shown}."""
    wanted, where = system["headline"], f"{at}: system.headline"
    try:
        value = evaluate(wanted["measured"], metrics, where)
    except (NotMeasured, ZeroDivisionError):
        return {"label": wanted["label"], "value": None, "interval": None, "replicates": 0, "shown": "not run"}
    spread = _spread(wanted, value, where, replicates)
    shown = [format(number, wanted["format"]) for number in (value, *(spread["interval"] or ()))]
    between = {"shown_interval": shown[1:]} if spread["interval"] else {}
    return {"label": wanted["label"], "value": value, "shown": shown[0]} | spread | between


def _spread(
    row: Mapping[str, Any], measured: float | None, where: str, replicates: Replicates | None
) -> dict[str, Any]:
    """The interval of what a row measures, and over how many replicates."""
    if measured is None or replicates is None:
        return {"interval": None, "replicates": 0}
    values = [value for (value,) in replicates.values([row["measured"]], where)]
    return {"interval": interval(values), "replicates": len(values)}


def _headline(wanted: Any, where: str) -> None:
    require_keys(wanted, where, ("label", "measured", "format"))
    parse(wanted["measured"], where)
    try:
        format(0.5, wanted["format"])
    except (ValueError, TypeError):
        raise InputError(f"{where}.format should be like .3f or .1%, found {wanted['format']!r}") from None


def _rows(rows: Any, where: str) -> None:
    for number, row in enumerate(_list(rows, f"{where}: rows"), 1):
        at = f"{where}: row {number}"
        require_keys(row, at, ("dataset", "variant", "item", "value"), ("measured", "column"))
        for key in ("dataset", "variant", "item", "column"):
            if not isinstance(row.get(key, ""), str):  # YAML reads an unquoted on or no as a truth value
                raise InputError(f"{at}: {key} should be text (quote it), found {row[key]!r}")
        if not is_number(row["value"]):
            raise InputError(f"{at}: value should be a number, found {row['value']!r}")
        if row.get("measured") is not None:
            parse(row["measured"], at)
    columns = ["column" in row for row in rows]
    if any(columns) and not all(columns):
        raise InputError(f"{where}: row {columns.index(False) + 1} has no column, but other rows of the table have one")


def _list(value: Any, where: str) -> list:
    if not isinstance(value, list):
        raise InputError(f"{where} should be a list, found {value!r}")
    return value
