"""Which edits of a small project change the digest of which command."""

import textwrap

import pytest

from repline.code_digests import module_definitions
from repline.code_digests.reach import Code, changed

PROJECT = {
    "lib/__init__.py": '"""A library."""\n',
    "lib/numbers.py": '''
        """Numbers."""
        import math

        import numpy as np

        LIMIT = 3

        def double(x):
            """Twice."""
            return 2 * x  # a comment

        def half(x):
            return x / 2

        def root(x):
            return math.sqrt(x)

        def mean(values):
            return np.mean(values)

        def bounded(x):
            return min(x, LIMIT)
        ''',
    "lib/shapes.py": """
        from lib import numbers
        from lib.numbers import double as twice

        class Shape:
            def area(self):
                return twice(1)

        class Square(Shape):
            def side(self):
                return numbers.half(4)
        """,
    "lib/registry.py": """
        KINDS = {}

        def register(function):
            KINDS[function.__name__] = function
            return function
        """,
    "lib/plugins.py": """
        from lib.registry import register

        @register
        def plugin():
            return "a plugin"
        """,
    "run/double.py": """
        from lib.numbers import double

        def main():
            print(double(2))

        if __name__ == "__main__":
            main()
        """,
    "run/square.py": """
        def main():
            from lib.shapes import Square
            print(Square().side())

        if __name__ == "__main__":
            main()
        """,
    "run/mean.py": "from lib.numbers import bounded, mean\nprint(bounded(mean([1])))\n",
    "run/text.py": 'import importlib\nprint(importlib.import_module("lib.numbers").root(4))\n',
    "run/plugged.py": "import lib.plugins\nfrom lib.registry import KINDS\nprint(KINDS)\n",
    "run/folder.py": "from run import double as module\nmodule.main()\n",
}
COMMANDS = sorted(path.removesuffix(".py").replace("/", ".") for path in PROJECT if path.startswith("run/"))
ALL = set(COMMANDS)


@pytest.fixture
def project(tmp_path):
    for path, text in PROJECT.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(textwrap.dedent(text))
    return tmp_path


def digests(root, **options):
    code = Code(root, ("lib", "run"), **options)
    return {command: code.digest(command) for command in COMMANDS}


def edit(root, path, before, after):
    text = (root / path).read_text()
    assert text.count(before) == 1
    (root / path).write_text(text.replace(before, after))


@pytest.mark.parametrize(
    ("path", "before", "after", "commands"),
    [
        # what says nothing
        ("lib/numbers.py", "  # a comment", "  # another\n\n", set()),
        ("lib/numbers.py", '"""Twice."""', '"""Two times."""', set()),
        ("lib/numbers.py", '"""Numbers."""', "", set()),
        ("lib/numbers.py", "x / 2", "(x\n        / 2)", set()),
        # what nobody reads
        # run.text names the whole module, in a text
        ("lib/numbers.py", "LIMIT = 3", "LIMIT = 3\n\ndef new():\n    return LIMIT", {"run.text"}),
        ("lib/numbers.py", "import math", "import math\nimport json", {"run.text"}),
        # bodies, values and defaults
        ("lib/numbers.py", "2 * x", "3 * x", {"run.double", "run.square", "run.text", "run.folder"}),
        ("lib/numbers.py", "x / 2", "x / 3", {"run.square", "run.text"}),
        ("lib/numbers.py", "LIMIT = 3", "LIMIT = 4", {"run.mean", "run.text"}),
        ("lib/numbers.py", "def root(x)", "def root(x=0)", {"run.text"}),
        ("lib/shapes.py", "numbers.half(4)", "numbers.half(5)", {"run.square"}),
        ("lib/shapes.py", "twice(1)", "twice(2)", {"run.square"}),
        ("run/double.py", "print(double(2))", "print(double(3))", {"run.double", "run.folder"}),
        ("run/double.py", '"__main__":\n    main()', '"__main__":\n    main()\n    main()', {"run.double"}),
        # what a name stands for
        ("lib/shapes.py", "double as twice", "half as twice", {"run.square"}),
        ("lib/numbers.py", "import numpy as np", "import torch as np", {"run.mean", "run.text"}),
        # what importing a module does
        ("lib/plugins.py", '"a plugin"', '"another"', {"run.plugged"}),
        ("lib/registry.py", "function.__name__", "function.__qualname__", {"run.plugged"}),
        ("lib/__init__.py", '"""A library."""', "print(1)", ALL),
        ("lib/numbers.py", "LIMIT = 3", "LIMIT = 3\nprint(LIMIT)", ALL - {"run.plugged"}),
    ],
)  # fmt: skip
def test_an_edit_changes_the_digests_of_what_can_reach_it(project, path, before, after, commands):
    old = digests(project)
    edit(project, path, before, after)
    new = digests(project)
    assert {command for command in COMMANDS if old[command] != new[command]} == commands


def test_versions_of_libraries_count_where_they_are_used(project):
    old, new = (digests(project, version={"numpy": number}.get) for number in ("1.0", "2.0"))
    assert {command for command in COMMANDS if old[command] != new[command]} == {"run.mean", "run.text"}
    parts = Code(project, ("lib", "run"), version={"numpy": "1.0"}.get).parts("run.mean")
    assert parts["library numpy"] == "1.0" and parts["np = numpy"] == ""


def test_the_walk_stops_where_it_is_told_to(project):
    old = digests(project, without=["lib.shapes:Square"])
    edit(project, "lib/numbers.py", "x / 2", "x / 3")
    edit(project, "lib/shapes.py", "half(4)", "half(5)")
    assert digests(project, without=["lib.shapes:Square"])["run.square"] == old["run.square"]


def test_a_cache_gives_the_same_and_is_read(project, monkeypatch):
    file = project / "cache.json"
    code = Code(project, ("lib", "run"), cache=file)
    before = {command: code.digest(command) for command in COMMANDS}
    code.modules.save()
    edit(project, "run/double.py", "double(2)", "double(3)")
    read = []

    def noted(source, name, is_package):
        read.append(name)
        return module_definitions.read(source, name, is_package)

    monkeypatch.setattr("repline.code_digests.cache.read", noted)
    after = digests(project, cache=file)
    assert read == ["run.double"]
    assert {command for command in COMMANDS if after[command] != before[command]} == {"run.double", "run.folder"}
    file.write_text("no JSON")
    assert digests(project, cache=file) == after


def test_the_way_to_a_definition_is_the_shortest(project):
    code = Code(project, ("lib", "run"))
    assert code.way("run.square", "lib.numbers:half") == [
        "command run.square",
        "run.square:main",
        "lib.shapes:Square",
        "lib.numbers:half",
    ]
    assert code.way("run.double", "lib.numbers:half") == []


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("print(numbers.double.__doc__)", True),
        ("print([numbers.double][0].__doc__)", True),
        ("print(getattr(numbers.double, '__doc__'))", True),
        ("import inspect\nprint(inspect.getdoc(numbers.double))", True),
        ("from inspect import getdoc as text\nprint(text(numbers.double))", True),
        ("print(numbers.double(__doc__))", False),
    ],
)
def test_docstrings_count_where_code_reads_them(project, text, counts):
    (project / "run/text.py").write_text(f"from lib import numbers\n{text}\n")
    old = digests(project)
    edit(project, "lib/numbers.py", '"""Twice."""', '"""Two times."""')
    new = digests(project)
    assert {command for command in COMMANDS if old[command] != new[command]} == ({"run.text"} if counts else set())


@pytest.mark.parametrize("text", ["print(__doc__)", "print(__doc__.splitlines()[0])"])
def test_the_docstring_of_a_module_counts_where_it_is_read(project, text):
    (project / "run/text.py").write_text(f'"""Numbers."""\n{text}\n')
    before = digests(project)["run.text"]
    edit(project, "run/text.py", "Numbers", "More numbers")
    assert digests(project)["run.text"] != before


def test_what_changed_is_named():
    before, after = {"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"}
    assert changed(before, after) == {"b": "changed", "c": "is gone", "d": "is new"}


def test_code_that_is_found_by_a_computed_name_is_told(project):
    (project / "lib/find.py").write_text(
        "import importlib\n\ndef find(name):\n    return importlib.import_module(name)\n"
    )
    (project / "run/found.py").write_text("from lib.find import find\nfind('lib.' + 'numbers')\n")
    assert Code(project, ("lib", "run")).dynamic(["run.found"]) == {"lib.find:find": ["import_module"]}


def test_an_unknown_command_is_an_error(project):
    for name in ("run.nowhere", "lib.numbers:nothing", "json"):
        with pytest.raises(KeyError, match=name):
            Code(project, ("lib", "run")).digest(name)
