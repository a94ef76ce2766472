"""Docstrings are Markdown on the site: what stands between < and > outside of code is taken for HTML, and vanishes."""

import ast
import re

import pytest

from tests.commands import ROOT

SECTION = re.compile(r"^(Args|Returns|Raises|Attributes|Yields):$")
CODE = re.compile(r"`[^`]*`")
TAG = re.compile(r"<[A-Za-z/!][^>]*")


def tags(docstring: str) -> list[str]:
    """What Markdown takes for tags of HTML: not in backticks, and not in a block that stands in by four blanks."""
    prose, in_section, in_block, is_first = [], False, False, False
    for line in docstring.splitlines():
        if line and not line.startswith(" "):
            in_section, in_block = bool(SECTION.match(line)), False
        elif line and is_first and not in_section:
            in_block = line.startswith("    ")
        is_first = not line
        prose.append("" if in_block else line)
    return TAG.findall(CODE.sub("", "\n".join(prose)))


def test_tags_are_what_is_outside_of_code():
    assert tags("Runs in <s>/x.\n\nArgs:\n    folder: `<a>`, <b>.\n") == ["<s", "<b"]
    assert tags("A table.\n\n    kanji<TAB>kana\n    <x>\n\nAnd 1 < 2 `<y>`.") == []


@pytest.mark.parametrize("folder", ["repline", "flows"])
def test_no_docstring_has_html(folder):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    wrong = [
        f"{path.relative_to(ROOT)}: {tag}"
        for path in sorted(ROOT.glob(f"{folder}/**/*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kinds)
        for tag in tags(ast.get_docstring(node) or "")
    ]
    assert not wrong
