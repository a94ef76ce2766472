"""The ledger of published numbers as Markdown: for docs/ledger.md, the README, and the page of a system."""

from collections.abc import Mapping, Sequence

from repline.evaluation.claims.published import Published
from repline.report.ledger.published_cells import HEADS, NEAR, Cell, Count, count, needs
from repline.report.readme import cell as escaped
from repline.report.result_page import with_interval

REACHED = {"size": "within reach", "data": "data", "gpu": "GPU"}


def page(papers: Mapping[str, Published], cells: Mapping[str, Sequence[Cell]]) -> str:
    """The whole ledger: counts by system, what is needed for the rest, and every number that is far off.

    Args:
        papers: name -> `published.yaml`, in the order of the page.
        cells: by the same names, from `repline.report.ledger.published_cells.cells`.
    """
    heads = ["system", *HEADS, "far off", "of them explained"]
    every = count([cell for system_cells in cells.values() for cell in system_cells])
    lines = [words(every), "", *_table_head(heads)]
    for name, paper in papers.items():
        lines.append(_row([_link(name, paper), *_counts(count(cells[name]))]))
    lines += [_row(["all", *_counts(every)]), "", "## What the other numbers need", ""]
    lines += _table_head(["system", "numbers", "reach", "what is needed"])
    for name, paper in papers.items():
        for reach, what, number in needs(cells[name]):
            lines.append(_row([_link(name, paper), str(number), REACHED[reach], escaped(what)]))
    lines += ["", "## Numbers that are far off", ""]
    for name, paper in papers.items():
        lines += _far(name, paper, cells[name])
    return "\n".join(lines).rstrip("\n")


def sentence(cells: Sequence[Cell]) -> str:
    """The ledger in one sentence, with a link to the whole, for the README."""
    counted = count(cells)
    return (
        f"Of {counted.all:,} numbers that the papers print, {counted.measured:,} are measured, "
        f"{counted.near_or_inside:,} of them within {NEAR[-1]:.0%} or with the published number in their interval: "
        "[the ledger](docs/ledger.md) has every system, and what the other numbers need."
    )


def words(counted: Count) -> str:
    """How many numbers are measured and how near, in two sentences."""
    text = (
        f"{counted.all:,} published numbers: {counted.measured:,} measured, {counted.size:,} within reach, "
        f"{counted.data:,} out of reach for data, {counted.gpu:,} for a GPU."
    )
    if not counted.measured:
        return text
    near = ", ".join(f"{number:,} within {part:.0%}" for part, number in zip(NEAR, counted.near, strict=True))
    return (
        f"{text} Of those measured {counted.near_or_inside:,} are within {NEAR[-1]:.0%} or have the published number "
        f"in their interval ({near}; {counted.inside:,} in the interval)."
    )


def of_system(paper: Published, cells: Sequence[Cell]) -> str:
    """The ledger of one system for its page: its counts, and why numbers are far off where that is known."""
    lines = [f"{words(count(cells))} [The ledger](../../docs/ledger.md) has what the others need."]
    far = [cell for cell in cells if cell.far]
    if far:
        unexplained = sum(not cell.why for cell in far)
        lines += ["", f"{len(far)} measured numbers are far off, {unexplained} of them unexplained."]
    reasons = [(sum(cell.why == difference.why for cell in far), difference.why) for difference in paper.differences]
    if sentences := [f"- {number} {_numbers(number)}: {why}" for number, why in reasons if number]:
        lines += ["", *sentences]
    return "\n".join(lines)


def _numbers(number: int) -> str:
    return "number" if number == 1 else "numbers"


def _far(name: str, paper: Published, cells: Sequence[Cell]) -> list[str]:
    """The numbers of a system that are far off, by table."""
    far = [cell for cell in cells if cell.far]
    if not far:
        return []
    unexplained = sum(not cell.why for cell in far)
    lines = [f"### {paper.system.title}", ""]
    lines += [
        f"{len(far)} numbers, {unexplained} of them unexplained; [the page](../stages/{name}/README.md) has the rest.",
        "",
    ]
    lines += _table_head(["table", "row", "published", "measured", "profile", "explained"])
    captions = {table.id: table.caption for table in paper.tables}
    for cell in far:
        measured = with_interval(cell.measured, cell.interval)
        explained = "yes" if cell.why else "no"
        values = (f"{cell.published:g}", measured, cell.profile, explained)
        lines.append(_row([escaped(captions[cell.table]), escaped(cell.label), *values]))
    return [*lines, ""]


def _link(name: str, paper: Published) -> str:
    return f"[{escaped(paper.system.title)}](../stages/{name}/README.md)"


def _counts(counted: Count) -> list[str]:
    return [f"{number:,}" for number in (*counted.columns(), counted.far, counted.explained)]


def _table_head(heads: Sequence[str]) -> list[str]:
    return [_row(heads), _row(["---"] * len(heads))]


def _row(values: Sequence[str]) -> str:
    return f"| {' | '.join(values)} |"
