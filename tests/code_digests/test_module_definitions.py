"""How a module is cut into definitions."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from repline.code_digests.module_definitions import Module, read
from repline.code_digests.statement_reader import Import

ROOT = Path(__file__).parents[2]
TEXT = '''\
"""A module."""
from typing import TYPE_CHECKING
import os.path, json as j
from . import near
from ..above import thing as other
if TYPE_CHECKING:
    from somewhere import Kind

A, B = 1, {"a": [x for x in range(3)]}
try:
    import fast
except ImportError:
    fast = None

@decorated(by=other)
def function(a, b=A, *rest, key: "Kind" = B):
    """Do."""
    local = near.value
    global shared
    shared = local + a
    return [item for item in rest], lambda z: z + w, f"pre.{a}.post"

def function():
    return local

class Thing(Base):
    """A class."""
    size: int = 3

    def method(self):
        return getattr(self, "x").y

if __name__ == "__main__":
    function()
'''


def definitions(text=TEXT, name="top.inner.module"):
    return {definition.name: definition for definition in read(text, name, is_package=False).definitions}


def test_names_and_imports():
    by_name = definitions()
    assert list(by_name) == ["A,B", "fast", "function", "function 2", "Thing", "statement"]
    assert read(TEXT, "top.inner.module", is_package=False).imports == [
        Import("TYPE_CHECKING", "typing", "TYPE_CHECKING"),
        Import("os", "os"),
        Import("", "os.path"),
        Import("j", "json"),
        Import("near", "top.inner", "near"),
        Import("other", "top.above", "thing"),
        Import("fast", "fast"),
    ]
    assert by_name["statement"].is_main and not by_name["function"].is_main


def test_a_functions_own_names_lead_nowhere():
    by_name = definitions()
    roots = {chain[0] for chain in by_name["function"].chains}
    assert {"near", "w", "A", "B", "other", "decorated", "Kind", "shared"} <= roots
    assert not {"a", "b", "rest", "key", "local", "z"} & roots
    assert ("near", "value") in by_name["function"].chains
    assert ("local",) in by_name["function 2"].chains
    assert ("Base",) in by_name["Thing"].chains
    assert "pre.*.post" in by_name["function"].texts


def test_what_an_import_does():
    by_name = definitions()
    assert {name for name, definition in by_name.items() if definition.acts} == {"fast"}
    assert by_name["function"].calls == [("decorated",)]
    acting = definitions("x = {}\nx['a'] = 1\nfor i in x:\n    pass\nprint(i)\nclass A:\n    x.y = 1\n")
    assert [definition.acts for definition in acting.values()] == [False, True, True, True, True]


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("def f(x):\n    return x", 'def f(x):  # why\n    """What."""\n    return (x)', True),
        ("x = 'a' 'b'", 'x = "ab"', True),
        ("x = 1", "x = 1.0", False),
        ("x = 1", "x = True", False),
        ("x = 'é'", "x = 'e'", False),
        ("def f(x, y): pass", "def f(y, x): pass", False),
        ("def f(*, x): pass", "def f(x): pass", False),
        ("x = a + b", "x = b + a", False),
        ("x = a.b", "x = a, b", False),
        ("x = [a, [b]]", "x = [[a], b]", False),
        ("x: int = 1", "x: float = 1", False),
        ("async def f(): pass", "def f(): pass", False),
    ],
)
def test_a_digest_is_of_what_a_definition_says(before, after, same):
    first, second = (
        [part.digest for part in read(text, "m", is_package=False).definitions] for text in (before, after)
    )
    assert (first == second) == same


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("X = 1\nY = X\nX = 2", "X = 1\nX = 2\nY = X", False),
        ("X = 1\nY = f()\nX = 2", "X = 1\nX = 2\nY = f()", False),
        ("X = 1\ndef f(y=X): pass\nX = 2", "X = 1\nX = 2\ndef f(y=X): pass", False),
        ("def f(): pass\nfrom a import f", "from a import f\ndef f(): pass", False),
        ("from a import f\nfrom b import f\nx = f", "from b import f\nfrom a import f\nx = f", False),
        ("from a import f\nfrom b import f\ndef g(): f()", "from b import f\nfrom a import f\ndef g(): f()", False),
        ("def f(): pass\nwith x:\n    from a import f", "with x:\n    from a import f\ndef f(): pass", False),
        ("A, B = 1, 2\nB, C = 3, 4", "B, C = 3, 4\nA, B = 1, 2", False),
        ("X = 1\ndef f(): return X\nX = 2", "X = 1\nX = 2\ndef f(): return X", True),
        (
            "try:\n    import a\nexcept E:\n    a = 1\nx = a\ny = 1",
            "try:\n    import a\nexcept E:\n    a = 1\ny = 1\nx = a",
            True,
        ),
        ("X = 1\nY = X\nZ = 2", "Z = 2\nX = 1\nY = X", True),
        ("import a\nY = f()", "import a\nimport a.b\nY = f()", True),
        ("from a import f\nfrom b import g\nx = f", "from b import g\nfrom a import f\nx = f", True),
    ],
)
def test_the_order_counts_of_what_binds_a_name_again(before, after, same):
    first, second = (
        {part.name: part.digest for part in read(text, "m", is_package=False).definitions} for text in (before, after)
    )
    assert (first == second) == same


def test_types_that_become_texts_count():
    text = "def f(x: int): return x\ndef g(x): return x\nclass A:\n    x: int = 3\n"
    before, after = definitions(text), definitions(f"from __future__ import annotations\n{text}")
    assert {name for name in before if before[name].digest != after[name].digest} == {"f", "A"}


def test_functions_that_find_code_by_a_computed_name_are_noted():
    text = "def a(m): return m.eval()\ndef b(t): return eval(t)\ndef c(l, n): return l.import_module(n)\n"
    dynamic = {name: definition.dynamic for name, definition in definitions(text).items()}
    assert dynamic == {"a": [], "b": ["eval"], "c": ["import_module"]}


def test_a_module_survives_being_written_down():
    module = read(TEXT, "top.inner.module", is_package=False)
    assert Module.from_json(module.as_json()) == module


def test_an_import_of_everything_is_refused():
    with pytest.raises(ValueError, match="line 1: an import of"):
        read("from os import *\n", "m", is_package=False)


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_every_python_gives_the_same_digests(version):
    """Digests of this file: it has comprehensions, f-strings and decorators, whose trees differ between versions."""
    python = shutil.which(f"python{version}")
    environment = {**os.environ, "PYENV_VERSION": version}  # pyenv's programs run only versions that it is told to
    if python is None or subprocess.run([python, "-c", ""], capture_output=True, env=environment).returncode:
        pytest.skip(f"there is no Python {version}")
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path\n"
        "from repline.code_digests.module_definitions import read\n"
        "print([part.digest for part in read(Path(sys.argv[2]).read_text('utf-8'), 'm', False).definitions])"
    )
    arguments = [python, "-c", program, str(ROOT), __file__]
    process = subprocess.run(arguments, capture_output=True, text=True, env=environment)
    assert process.returncode == 0, process.stderr
    here = [
        definition.digest
        for definition in read(Path(__file__).read_text(encoding="utf-8"), "m", is_package=False).definitions
    ]
    assert process.stdout.strip() == str(here), sys.version


def test_an_empty_text_at_the_end_of_a_format_does_not_count(monkeypatch):
    """Python 3.12.1 parses the format of `{a:{b}}` as its field and an empty text."""
    parse = ast.parse

    def parse_with_empty_texts(*arguments, **options):
        tree = parse(*arguments, **options)
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                node.values.append(ast.Constant(""))
        return tree

    text = 'def width(a, b):\n    return f"{a:{b}}"\n'
    usual = definitions(text)["width"].digest
    monkeypatch.setattr(ast, "parse", parse_with_empty_texts)
    assert definitions(text)["width"].digest == usual
    assert definitions(text.replace('{b}}"', '{b}}."'))["width"].digest != usual
