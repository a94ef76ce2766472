"""Every notebook runs from an empty folder, and Git keeps none of its outputs."""

import json
import sys

import pytest

from repline.errors import InputError
from repline.report.documentation.notebooks import Cell, Output, execute, page, read, run, strip
from tests.commands import FORKS, ROOT

NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A program whose `python -m MODULE` is a fork."""
    return str(FORKS.interpreter(tmp_path_factory.mktemp("interpreter")))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_twice_in_one_folder_and_shows_something(path, tmp_path, python, monkeypatch):
    monkeypatch.setattr(sys, "executable", python)
    cells = read(path)
    assert cells[0].kind == "markdown" and cells[0].source.startswith("# ")
    outputs = run(path, tmp_path, times=2)
    assert len(outputs) == sum(cell.kind == "code" for cell in cells)
    assert any(output.html for output in outputs), "a notebook has a figure"
    assert not strip(path)


def test_the_table_of_notebooks_names_each_and_the_extra_that_it_needs():
    table = (ROOT / "notebooks/README.md").read_text(encoding="utf-8")
    for path in NOTEBOOKS:
        (row,) = [line for line in table.splitlines() if f"]({path.name})" in line]
        needs_font = "default_font" in path.read_text(encoding="utf-8")
        assert ("repline[data]" in row) == needs_font, path.stem


def write(path, *cells):
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}), "utf-8")
    return path


def code(source, **more):
    return {"cell_type": "code", "source": [source], "metadata": {}, **more}


def test_outputs_are_removed_and_refused(tmp_path):
    path = write(tmp_path / "a.ipynb", code("1", outputs=[{"text": "1"}], execution_count=3))
    with pytest.raises(InputError, match="cell 1 holds an output"):
        read(path)
    assert strip(path) and read(path) == [Cell("code", "1")]


def test_cells_share_their_names_and_show_the_last_value():
    outputs = execute(["a = 2\nprint(a)", "a + 1", "b = a", ""])
    assert outputs == [Output("2\n"), Output("3"), Output(""), Output("")]
    with pytest.raises(RuntimeError, match="cell 2 of code: ZeroDivisionError"):
        execute(["1", "1 / 0"])


def test_a_failing_cell_is_one_sentence(tmp_path):
    path = write(tmp_path / "a.ipynb", code("x = 1"), code("y"))
    with pytest.raises(InputError, match=r"a\.ipynb: RuntimeError: cell 2 of code: NameError"):
        run(path, tmp_path)


def test_a_second_run_finds_the_files_of_the_first_and_not_its_names(tmp_path):
    again = (
        "from pathlib import Path\nbefore = Path('a').exists()\nPath('a').mkdir(exist_ok=True)\nbefore, 'x' in dir()"
    )
    path = write(tmp_path / "a.ipynb", code(again), code("x = 1"))
    assert run(path, tmp_path, times=2)[0] == Output("(True, False)")
    path = write(tmp_path / "a.ipynb", code("from pathlib import Path\nPath('b').mkdir()"))
    with pytest.raises(InputError, match="cell 1 of code: FileExistsError"):
        run(path, tmp_path, times=2)


def test_a_page_has_text_code_and_output():
    cells = [Cell("markdown", "# Title"), Cell("code", "1")]
    assert page(cells, [Output("1")]) == "# Title\n\n```python\n1\n```\n\n```text\n1\n```\n"
    assert page(cells) == "# Title\n\n```python\n1\n```\n"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"nbformat": 3, "cells": []}'])
def test_no_notebook_is_one_sentence(tmp_path, text):
    path = tmp_path / "a.ipynb"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.ipynb: expected a notebook"):
        read(path)
