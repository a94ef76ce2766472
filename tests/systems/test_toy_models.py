"""The toy example of each page: it builds the model without any data, and prints what the page says."""

import contextlib
import io
import re

import pytest

from tests.commands import ROOT

PAGES = {path.parent.name: path.parent / "README.md" for path in ROOT.glob("stages/*/published.yaml")}
EXAMPLE = re.compile(r"\nThe model on toy input, with shapes:\n\n```python\n(.*?)```\n\n```text\n(.*?)```\n", re.DOTALL)


@pytest.mark.parametrize("system", sorted(PAGES))
def test_the_model_of_a_page_takes_the_toy_input_and_prints_what_the_page_shows(system):
    (example,) = EXAMPLE.findall(PAGES[system].read_text(encoding="utf-8"))
    code, shown = example
    assert f"repline.systems.{system}." in code
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(PAGES[system]), "exec"), {"__name__": "__main__"})
    assert printed.getvalue() == shown
