"""The chart of the ledger: measured against published numbers, with their intervals."""

from collections.abc import Mapping, Sequence

from repline.report.figures import Chart
from repline.report.ledger.published_cells import Cell
from repline.report.reference import PROFILES
from repline.report.result_records import Report

WIDE = 50.0  # the largest published number over the smallest, from which on both axes are logarithmic
DIGITS = 6  # significant
BAND = 0.1  # dotted lines are so much below and above the diagonal
HEIGHT = 420
NAME = "published-and-measured"


def scatter(series: Mapping[str, Sequence[Cell]]) -> Chart:
    """A point for each measured cell, a colour for each series; on the line the two numbers are equal.

    Axes are logarithmic where all numbers are positive and they differ by more than `WIDE`.

    Args:
        series: cells by the name that the legend shows.
    """
    measured = {name: [cell for cell in cells if cell.measured is not None] for name, cells in series.items()}
    points = [(cell.published, cell.measured or 0.0) for cells in measured.values() for cell in cells]
    values = [value for point in points for value in point]
    wide = bool(values) and min(values) > 0 and max(values) > WIDE * min(values)
    axis = {"type": "log"} if wide else {}
    return {
        "data": [_trace(name, cells) for name, cells in measured.items() if cells],
        "layout": {
            "height": HEIGHT,
            "xaxis": {"title": {"text": "published"}, **axis},
            "yaxis": {"title": {"text": "measured"}, **axis},
            "shapes": _lines(min(values), max(values)) if values else [],
        },
    }


def charts(report: Report, cells: Mapping[str, Sequence[Cell]]) -> dict[str, Chart]:
    """The charts of the report by the id of their figure; none for a system that nothing was measured of.

    Args:
        cells: of each system of `report`, from `repline.report.ledger.published_cells.cells`.

    Returns:
        By `<system>-published-and-measured` the numbers of each system, a series a table; by `published-and-measured`
        the positive numbers of all, a series a profile.
    """
    by_figure = {}
    for system in report["systems"]:
        by_table: dict[str, list[Cell]] = {}
        for table in system["tables"]:
            table_cells = [cell for cell in cells[system["name"]] if cell.table == table["id"]]
            by_table.setdefault(table["caption"].partition(":")[0], []).extend(table_cells)
        by_figure[f"{system['name']}-{NAME}"] = scatter(by_table)
    measured = [cell for system_cells in cells.values() for cell in system_cells if cell.measured is not None]
    positive = [cell for cell in measured if min(cell.measured or 0.0, cell.published) > 0]
    by_figure[NAME] = scatter({profile: [cell for cell in positive if cell.profile == profile] for profile in PROFILES})
    return {name: chart for name, chart in by_figure.items() if chart["data"]}


def _trace(name: str, cells: Sequence[Cell]) -> Chart:
    values = [cell.measured or 0.0 for cell in cells]
    intervals = [cell.interval or (value, value) for cell, value in zip(cells, values, strict=True)]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [cell.published for cell in cells],
        "y": [_short(value) for value in values],
        "text": [cell.label for cell in cells],
        "hovertemplate": "%{text}<br>published %{x}<br>measured %{y}",
        "error_y": {
            "symmetric": False,
            "array": [_short(high - value) for value, (_, high) in zip(values, intervals, strict=True)],
            "arrayminus": [_short(value - low) for value, (low, _) in zip(values, intervals, strict=True)],
            "thickness": 1,
        },
    }


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _lines(low: float, high: float) -> list[Chart]:
    """The diagonal, and a dotted line on either side of it."""
    return [
        {"type": "line", "x0": low, "x1": high, "y0": part * low, "y1": part * high, "line": {"width": 1, "dash": dash}}
        for part, dash in ((1.0, "solid"), (1.0 - BAND, "dot"), (1.0 + BAND, "dot"))
    ]
