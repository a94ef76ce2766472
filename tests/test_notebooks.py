"""Every notebook runs from an empty folder, and Git keeps none of its outputs."""

import json

import pytest

from repline.errors import InputError
from repline.report.documentation.notebooks import Cell, Output, execute, page, read, run, strip
from tests.commands import ROOT

NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_something(path, tmp_path):
    cells = read(path)
    assert cells[0].kind == "markdown" and cells[0].source.startswith("# ")
    outputs = run(path, tmp_path)
    assert len(outputs) == sum(cell.kind == "code" for cell in cells)
    assert any(output.html for output in outputs), "a notebook has a figure"
    assert not strip(path)


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
