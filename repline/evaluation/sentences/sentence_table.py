"""All encoders x all tasks as one table."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from repline.evaluation.sentences.sentence_records import Cell, Column, EncoderResult, Row, SentenceTable, TaskResult

COMPARED = ("replicates", "further_replicates", "penalties")  # of a result: what is only there to compare it
SURE_SHARE = 0.975  # of the resamples, in which an encoder is above another to count as above it


def table(results: Mapping[str, EncoderResult]) -> SentenceTable:
    """The results of encoders side by side.

    Args:
        results: encoder -> {"dimensions", "untrained" (whether it is untrained), "tasks": task -> what
            `protocol.measure` returns}; the tasks may differ.

    Returns:
        {"columns": [{"task", "kind", "measure", "items"}], "rows": [{"encoder", "untrained", "dimensions", "cells"}]};
        a cell is {"value", "low", "high", "above_untrained"}, for correlations with "spearman", or None.
        `above_untrained` says whether at least 97.5 % of the resamples are above the best untrained row of the column,
        drawn alike; None where there is no such row, and for untrained encoders.
    """
    order: dict[str, TaskResult] = {}
    for result in results.values():
        for task, task_result in result["tasks"].items():
            order.setdefault(task, task_result)
    columns: list[Column] = [
        {"task": task, "kind": task_result["kind"], "measure": task_result["measure"], "items": task_result["items"]}
        for task, task_result in order.items()
    ]
    best = {task: _best_untrained(task, results) for task in order}
    rows: list[Row] = [
        {
            "encoder": name,
            "untrained": bool(result["untrained"]),
            "dimensions": result["dimensions"],
            "cells": [_cell(result["tasks"].get(task), None if result["untrained"] else best[task]) for task in order],
        }
        for name, result in results.items()
    ]
    return {"columns": columns, "rows": rows}


def as_text(described: SentenceTable) -> str:
    """A `table` as lines for a terminal: a line a task, a column an encoder, values x 100 with half their interval.

    Under Pearson's correlation stands Spearman's.

    `*` stands after what is above the best untrained encoder in at least 97.5 % of the resamples.
    """
    lines = [["task", "measure", "items", *[row["encoder"] for row in described["rows"]]]]
    for column_number, column in enumerate(described["columns"]):
        in_column = [row["cells"][column_number] for row in described["rows"]]
        lines.append([column["task"], column["measure"], f"{column['items']:,}", *map(_shown, in_column)])
        ranked = [None if cell is None else cell.get("spearman") for cell in in_column]
        if any(rho is not None for rho in ranked):
            lines.append(["", "Spearman", "", *["- " if rho is None else f"{100 * rho:.1f} " for rho in ranked]])
    lines.append(["dimensions", "", "", *[f"{row['dimensions']:,} " for row in described["rows"]]])
    widths = [max(len(line[column_number]) for line in lines) for column_number in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column_number < 2 else text.rjust(width)
            for column_number, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _best_untrained(task: str, results: Mapping[str, EncoderResult]) -> Sequence[float] | None:
    """The resamples of the untrained encoder with the highest value."""
    untrained_results = [
        result["tasks"][task] for result in results.values() if result["untrained"] and task in result["tasks"]
    ]
    return max(untrained_results, key=lambda result: result["value"])["replicates"] if untrained_results else None


def _cell(result: TaskResult | None, untrained: Sequence[float] | None) -> Cell | None:
    if result is None:
        return None
    above = None
    if untrained is not None and len(untrained) == len(result["replicates"]):
        above = bool(np.mean(np.array(result["replicates"]) > np.array(untrained)) >= SURE_SHARE)
    cell: Cell = {"value": result["value"], "low": result["low"], "high": result["high"], "above_untrained": above}
    return cell | {"spearman": result["spearman"]} if "spearman" in result else cell


def _shown(cell: Cell | None) -> str:
    if cell is None:
        return "- "
    half = 50 * (cell["high"] - cell["low"])
    return f"{100 * cell['value']:.1f} ±{half:.1f}{'*' if cell['above_untrained'] else ' '}"


def without_resamples(result: EncoderResult) -> EncoderResult:
    """The result of an encoder, as in `table`, without what is only there to compare it."""
    tasks = {
        task: cast(TaskResult, {name: value for name, value in numbers.items() if name not in COMPARED})
        for task, numbers in result["tasks"].items()
    }
    return {**result, "tasks": tasks}
