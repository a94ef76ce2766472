"""Notebooks: read, run in a process of their own, and turned into pages. No Jupyter is needed.

A notebook is kept without outputs. `run` executes its cells in their order, as Jupyter's "run all" would, and returns
what each printed and the value of its last expression; a plotly figure is shown as HTML.
"""

import ast
import contextlib
import io
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from repline.errors import InputError, in_one_line

FORMAT = 4
FENCE = re.compile("`{3,}")


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook."""

    kind: Literal["markdown", "code"]
    source: str


@dataclass(frozen=True)
class Output:
    """What a cell of code printed, with the value of its last expression, as text or as HTML."""

    text: str = ""
    html: str = ""


def read(path: Path) -> list[Cell]:
    """The cells of a notebook.

    Raises:
        InputError: the file is no notebook of format 4, or holds outputs.
    """
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = notebook["cells"]
        if notebook["nbformat"] != FORMAT:
            raise InputError(f"{path}: expected a notebook of format {FORMAT}, found format {notebook['nbformat']}")
        stored = [number for number, cell in enumerate(cells, 1) if cell.get("outputs") or cell.get("execution_count")]
        if stored:
            raise InputError(
                f"{path}: cell {stored[0]} holds an output; `python -m stages.upkeep.notebooks` removes it"
            )
        return [Cell(cell["cell_type"], "".join(cell["source"])) for cell in cells]
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: expected a notebook ({in_one_line(error)})") from None


def strip(path: Path) -> bool:
    """Remove the outputs of a notebook and what an editor adds; returns whether anything changed."""
    before = path.read_text(encoding="utf-8")
    notebook = json.loads(before)
    for number, cell in enumerate(notebook["cells"]):
        cell.update(id=f"cell-{number}", metadata={})
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    notebook["metadata"] = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook.update(nbformat=FORMAT, nbformat_minor=5)
    after = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if after != before:
        path.write_text(after, encoding="utf-8")
    return after != before


def run(path: Path, folder: Path, timeout: float = 600, times: int = 1) -> list[Output]:
    """Run the cells of code of a notebook, in a new process.

    Args:
        folder: the folder to run in.
        timeout: seconds for all of them.
        times: how often all cells are run, each time with no names of an earlier run but with its files.

    Returns:
        the outputs of the cells of code in the last run, in their order.

    Raises:
        InputError: a cell failed; the message has its number and the error.
    """
    sources = [cell.source for cell in read(path) if cell.kind == "code"]
    command = [sys.executable, "-m", __name__, str(times)]
    try:
        process = subprocess.run(
            command, input=json.dumps(sources), cwd=folder, capture_output=True, text=True, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"{path}: its cells took more than {timeout:g} seconds; shorten them") from None
    if process.returncode:
        raise InputError(f"{path}: {process.stderr.strip().splitlines()[-1]}")
    return [Output(**record) for record in json.loads(process.stdout.splitlines()[-1])]


def page(cells: Sequence[Cell], outputs: Sequence[Output] | None = None) -> str:
    """A notebook in Markdown, with its outputs where they are given."""
    parts, following = [], iter(outputs or [Output()] * len(cells))
    for cell in cells:
        if cell.kind == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        output = next(following)
        if output.text:
            parts.append(f"```text\n{FENCE.sub('', output.text.rstrip())}\n```")
        if output.html:
            parts.append(f"<div>\n{output.html}\n</div>")
    return "\n\n".join(parts) + "\n"


def execute(sources: Sequence[str]) -> list[Output]:
    """Run cells of code in this process, one after another, in one namespace."""
    names: dict[str, object] = {"__name__": "__main__"}
    return [_execute(source, number, names) for number, source in enumerate(sources, 1)]


def _execute(source: str, number: int, names: dict[str, object]) -> Output:
    tree = ast.parse(source, f"cell {number}")
    last: ast.expr | None = None
    if tree.body and isinstance(statement := tree.body[-1], ast.Expr):
        last = statement.value
        tree.body.pop()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(tree, f"cell {number}", "exec"), names)
            value = eval(compile(ast.Expression(last), f"cell {number}", "eval"), names) if last else None
        except Exception as error:
            raise RuntimeError(f"cell {number} of code: {type(error).__name__}: {error}") from error
    if value is None:
        return Output(printed.getvalue())
    if hasattr(value, "to_html") and hasattr(value, "to_plotly_json"):
        return Output(printed.getvalue(), value.to_html(full_html=False, include_plotlyjs=False))
    return Output(f"{printed.getvalue()}{value!r}")


if __name__ == "__main__":
    sources = json.load(sys.stdin)
    outputs = [execute(sources) for _ in range(int(sys.argv[1]))][-1]
    print(json.dumps([vars(output) for output in outputs]))
