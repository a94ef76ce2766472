"""How a module is cut into definitions."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from repline.code_digests.module_definitions import Import, Module, read

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
    return {one.name: one for one in read(text, name, is_package=False).definitions}


def test_names_and_imports():
    found = definitions()
    assert list(found) == ["A,B", "fast", "function", "function 2", "Thing", "statement"]
    assert read(TEXT, "top.inner.module", is_package=False).imports == [
        Import("TYPE_CHECKING", "typing", "TYPE_CHECKING"),
        Import("os", "os"),
        Import("", "os.path"),
        Import("j", "json"),
        Import("near", "top.inner", "near"),
        Import("other", "top.above", "thing"),
        Import("fast", "fast"),
    ]
    assert found["statement"].is_main and not found["function"].is_main


def test_a_functions_own_names_lead_nowhere():
    found = definitions()
    roots = {chain[0] for chain in found["function"].chains}
    assert {"near", "w", "A", "B", "other", "decorated", "Kind", "shared"} <= roots
    assert not {"a", "b", "rest", "key", "local", "z"} & roots
    assert ("near", "value") in found["function"].chains
    assert ("local",) in found["function 2"].chains
    assert ("Base",) in found["Thing"].chains
    assert "pre.*.post" in found["function"].texts


def test_what_an_import_does():
    found = definitions()
    assert {name for name, one in found.items() if one.acts} == {"fast"}
    assert found["function"].calls == [("decorated",)]
    acting = definitions("x = {}\nx['a'] = 1\nfor i in x:\n    pass\nprint(i)\nclass A:\n    x.y = 1\n")
    assert [one.acts for one in acting.values()] == [False, True, True, True, True]


@pytest.mark.parametrize(
    ("one", "other", "same"),
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
def test_a_digest_is_of_what_a_definition_says(one, other, same):
    first, second = ([each.digest for each in read(text, "m", is_package=False).definitions] for text in (one, other))
    assert (first == second) == same


def test_functions_that_find_code_by_a_computed_name_are_noted():
    found = definitions("def a(m): return m.eval()\ndef b(t): return eval(t)\ndef c(l, n): return l.import_module(n)\n")
    assert {name: one.dynamic for name, one in found.items()} == {"a": [], "b": ["eval"], "c": ["import_module"]}


def test_a_module_survives_being_written_down():
    module = read(TEXT, "top.inner.module", is_package=False)
    assert Module.from_json(module.as_json()) == module


def test_an_import_of_everything_is_refused():
    with pytest.raises(ValueError, match="line 1: an import of"):
        read("from os import *\n", "m", is_package=False)


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_every_python_gives_the_same_digests(version):
    """Of this file: it has comprehensions, f-strings and decorators, whose trees differ between versions."""
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "-c", ""], capture_output=True).returncode:
        pytest.skip(f"there is no Python {version}")
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path\n"
        "from repline.code_digests.module_definitions import read\n"
        "print([one.digest for one in read(Path(sys.argv[2]).read_text('utf-8'), 'm', False).definitions])"
    )
    asked = subprocess.run([python, "-c", program, str(ROOT), __file__], capture_output=True, text=True)
    assert asked.returncode == 0, asked.stderr
    here = [one.digest for one in read(Path(__file__).read_text(encoding="utf-8"), "m", is_package=False).definitions]
    assert asked.stdout.strip() == str(here), sys.version
