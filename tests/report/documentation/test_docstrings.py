"""Docstrings are Markdown on the site: outside of code `<a>` is HTML, and vanishes, and `[a][b]` is a link."""

import ast
import re

import pytest

from tests.commands import ROOT

SECTION = re.compile(r"^(Args|Returns|Raises|Attributes|Yields):$")
CODE = re.compile(r"`[^`]*`")
TAG = re.compile(r"<[A-Za-z/!][^>]*")
LINK = re.compile(r"\[[^\]]*\]\s?\[[^\]]+\]")


def prose(docstring: str) -> str:
    """What Markdown does not take for code: not in backticks, and not in a block that stands in by four blanks."""
    lines, in_section, in_block, is_first = [], False, False, False
    for line in docstring.splitlines():
        if line and not line.startswith(" "):
            in_section, in_block = bool(SECTION.match(line)), False
        elif line and is_first and not in_section:
            in_block = line.startswith("    ")
        is_first = not line
        lines.append("" if in_block else line)
    return CODE.sub("", "\n".join(lines))


def tags(docstring: str) -> list[str]:
    return TAG.findall(prose(docstring))


def links(docstring: str) -> list[str]:
    return LINK.findall(prose(docstring))


def test_tags_are_what_is_outside_of_code():
    assert tags("Runs in <s>/x.\n\nArgs:\n    folder: `<a>`, <b>.\n") == ["<s", "<b"]
    assert tags("A table.\n\n    kanji<TAB>kana\n    <x>\n\nAnd 1 < 2 `<y>`.") == []


def test_links_are_two_pairs_of_brackets_outside_of_code():
    assert links("Items.\n\n>>> [name for name in names]\n['a', 'b']\n") == ["[name for name in names]\n['a', 'b']"]
    assert links("Items `[a][b]` of [a].\n\n    [a][b]\n\n>>> names()\n['a']\n") == []


@pytest.mark.parametrize("folder", ["repline", "flows"])
def test_no_docstring_has_html_or_a_link_by_accident(folder):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    wrong = [
        f"{path.relative_to(ROOT)}: {tag}"
        for path in sorted(ROOT.glob(f"{folder}/**/*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kinds)
        for tag in (*tags(ast.get_docstring(node) or ""), *links(ast.get_docstring(node) or ""))
    ]
    assert not wrong
