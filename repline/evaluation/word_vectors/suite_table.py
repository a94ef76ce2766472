"""The results of several word vectors in the tests of the suite, as one table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from repline.evaluation.nested_measures import Measures
from repline.evaluation.word_vectors.suite import MEASURES, TESTS, Test
from repline.evaluation.word_vectors.suite_records import Cell, Column, Row, SuiteTable, VectorsResult


def table(results: Mapping[str, VectorsResult], tests: Iterable[Test] = TESTS) -> SuiteTable:
    """All vectors x all tests, for the report and the terminal.

    Args:
        results: {vectors: {"words": V, "dimensions": d, "tests": {test name: result of `evaluate`}}}.
        tests: the columns, in their order; tests without any result are left out.

    Returns:
        {"columns": [{"test", "task", "measure", "items"}], "rows": [{"vectors", "words", "dimensions", "cells":
        [{"value", "penalised", "coverage"} or None, ...]}]}; a value is None where too few words are known.
    """
    tests = [test for test in tests if any(test.name in result["tests"] for result in results.values())]
    columns: list[Column] = []
    for test in tests:
        sample = next(result["tests"][test.name] for result in results.values() if test.name in result["tests"])
        items = next(cast(int, sample[key]) for key in ("questions", "pairs", "words") if key in sample)
        columns.append(
            {"test": test.name, "task": test.task, "measure": MEASURES[test.task].title, "items": items},
        )
    rows: list[Row] = [
        {
            "vectors": name,
            "words": result["words"],
            "dimensions": result["dimensions"],
            "cells": [_cell(test, result["tests"].get(test.name)) for test in tests],
        }
        for name, result in results.items()
    ]
    return {"columns": columns, "rows": rows}


def tables_by_language(results: Mapping[str, VectorsResult]) -> dict[str, SuiteTable]:
    """A `table` for each language among the results, which name theirs."""
    languages = dict.fromkeys(result["language"] for result in results.values())
    return {
        language: table({name: result for name, result in results.items() if result["language"] == language})
        for language in languages
    }


def as_text(described: SuiteTable) -> str:
    """A `table` as lines for a terminal: a line a test, and for each vectors the value and the penalised one."""
    names = [row["vectors"] for row in described["rows"]]
    head = ["test", "measure", "items", *[cell for name in names for cell in (name, "penalised", "coverage")]]
    lines = [head]
    for number, column in enumerate(described["columns"]):
        line = [column["test"], column["measure"], f"{column['items']:,}"]
        for row in described["rows"]:
            cell: Cell = row["cells"][number] or {"value": None, "penalised": None, "coverage": None}
            line += [_shown(cell["value"]), _shown(cell["penalised"]), _percent(cell["coverage"])]
        lines.append(line)
    return _aligned(lines, left=2)


def _cell(test: Test, result: Measures | None) -> Cell | None:
    if result is None:
        return None
    measure = MEASURES[test.task]
    return {
        "value": cast(float | None, result[measure.value]),
        "penalised": cast(float | None, result[measure.penalised]),
        "coverage": cast(float | None, result["coverage"]),
    }


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _aligned(lines: Sequence[Sequence[str]], left: int) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column < left else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
