"""A leaderboard as one HTML page that needs no network: differences with their intervals, test by test."""

from pathlib import Path

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from repline.errors import InputError
from repline.evaluation.leaderboards.leaderboard import Difference, Leaderboard, Verdict
from repline.files import new_file, output_file

MARKS: dict[Verdict | None, tuple[str, str]] = {  # colour and symbol; told apart without colours, too
    "holds": ("#1f7a3d", "circle"),
    "fails": ("#b3261e", "x"),
    "undecided": ("#5f6368", "circle-open"),
    None: ("#5f6368", "diamond-open"),
}
ROW, HEAD, FOOT = 26, 70, 90  # pixels


def page_file(path: str | Path) -> Path:
    """The path of a page that will be written; InputError where its name does not end in .html, or as of a file."""
    if Path(path).suffix != ".html":
        raise InputError(f"{path}: the chart is a page; expected a name that ends in .html")
    return output_file(path)


def write_chart(board: Leaderboard, path: str | Path) -> None:
    """Write the chart of a leaderboard; InputError as of `page_file`."""
    page_file(path)
    with new_file(path) as partial:
        chart(board).write_html(partial, include_plotlyjs=True)


def chart(board: Leaderboard) -> go.Figure:
    """One row for each pair of candidates in each test: the difference, its interval, and the verdict by its mark.

    Rows are in the order of the table. A difference without a verdict has no interval, and an undefined one no row.
    """
    tests = board["tests"]
    sizes = [len(test["differences"]) for test in tests]
    figure = make_subplots(
        rows=len(tests),
        cols=1,
        row_heights=[size + 2 for size in sizes],
        vertical_spacing=min(0.1, 0.4 / max(len(tests), 1)),
        subplot_titles=[
            f"{test['test']}: {test['measure']}, {test['shared']:,} shared items of {test['items']:,}" for test in tests
        ],
    )
    named: set[Verdict | None] = set()
    for number, test in enumerate(tests, start=1):
        for verdict, (colour, symbol) in MARKS.items():
            rows = [
                (
                    _pair(row),
                    row["difference"],
                    row["interval"] or [row["difference"]] * 2,
                )
                for row in test["differences"]
                if row["verdict"] == verdict and row["difference"] is not None
            ]
            if not rows:
                continue
            figure.add_scatter(
                x=[difference for _, difference, _ in rows],
                y=[pair for pair, _, _ in rows],
                error_x={
                    "symmetric": False,
                    "array": [interval[1] - difference for _, difference, interval in rows],
                    "arrayminus": [difference - interval[0] for _, difference, interval in rows],
                },
                mode="markers",
                marker={"color": colour, "symbol": symbol, "size": 10},
                name=verdict or "no verdict",
                legendgroup=verdict or "no verdict",
                showlegend=verdict not in named,
                row=number,
                col=1,
            )
            named.add(verdict)
        figure.add_vline(x=0, line_width=1, row=number, col=1)
        figure.update_yaxes(
            type="category",
            categoryorder="array",  # not as the marks are drawn, verdict by verdict
            categoryarray=[_pair(row) for row in test["differences"] if row["difference"] is not None],
            autorange="reversed",
            automargin=True,
            row=number,
            col=1,
        )
    figure.update_xaxes(title="difference", row=len(tests), col=1)
    figure.update_layout(
        template="plotly_white",
        height=HEAD + FOOT + ROW * (sum(sizes) + 4 * len(tests)),
        title="Differences with 95 % intervals over paired resamples",
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 1.0, "xanchor": "right"},
    )
    return figure


def _pair(difference: Difference) -> str:
    """The name of a row; the blank keeps it off the axis."""
    return f"{difference['first']} above {difference['second']} "
