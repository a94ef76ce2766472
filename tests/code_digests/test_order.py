"""Which moves of lines at top level change the digest of a command, and which do not."""

import textwrap

import pytest

from repline.code_digests.reach import Code

REGISTRY = "KINDS = []\n\ndef reg(kind):\n    KINDS.append(kind)\n    return kind\n"
FILES = {
    "lib/__init__.py": "",
    "lib/registry.py": REGISTRY,
    "lib/a.py": "from lib.registry import reg\n\n@reg\ndef f():\n    return 1\n",
    "lib/b.py": "from lib.registry import reg\n\n@reg\ndef f():\n    return 2\n",
    "lib/variable.py": "import os\nVALUE = os.environ['K']\n",
    "lib/plain.py": "def f():\n    return 1\n",
    "lib/more.py": "def g():\n    return 1\n",
}


def digest(root, text, module="run", more=None):
    for name, content in {**FILES, f"{module.replace('.', '/')}.py": text, **(more or {})}.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(textwrap.dedent(content))
    return Code(root, ("lib", "run")).digest("run")


def swapped(text):
    """The text with its lines A and B, which end in `# A` and `# B`, in each other's place."""
    lines = textwrap.dedent(text).splitlines()
    a, b = (next(position for position, line in enumerate(lines) if line.endswith(mark)) for mark in ("# A", "# B"))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


COUNTING = {
    "a length and a removal": """
        rows = [3, 1, None]
        n = len(rows)  # A
        rows.remove(None)  # B
        print(n, len(rows))
        """,
    "a seed and a draw": """
        import random
        random.seed(0)  # A
        first = random.random()  # B
        print(first)
        """,
    "a variable, and a module that reads it": """
        import os
        os.environ["K"] = "1"  # A
        from lib.variable import VALUE  # B
        print(VALUE)
        """,
    "a variable, and a library": """
        import os
        os.environ["K"] = "1"  # A
        import numpy  # B
        print(numpy)
        """,
    "modules that register something": """
        import lib.a  # A
        import lib.b  # B
        from lib.registry import KINDS
        print(KINDS)
        """,
    "the same, as names of their package": """
        from lib import a  # A
        from lib import b  # B
        from lib.registry import KINDS
        print(a, b, KINDS)
        """,
    "decorators that register": """
        from lib.registry import KINDS, reg
        a = reg(lambda: 1)  # A
        b = reg(lambda: 2)  # B
        print(KINDS)
        """,
    "a default that is computed": """
        rows = [1]
        rows.append(2)  # A
        def size(n=len(rows)): return n  # B
        print(size())
        """,
    "an attribute of a class that is computed": """
        rows = [1]
        rows.append(2)  # A
        class Size: n = len(rows)  # B
        print(Size.n)
        """,
    "an item of what another line changes": """
        table = {"a": 1}
        table["a"] = 2  # A
        value = table["a"]  # B
        print(value)
        """,
    "an item that a library holds": """
        import os
        os.environ["K"] = "1"  # A
        value = os.environ["K"]  # B
        print(value)
        """,
    "an attribute of another module": """
        from lib import plain
        plain.X = 1  # A
        value = plain.X  # B
        print(value)
        """,
}
SAME = {
    "functions": "def f(): return 1  # A\ndef g(): return 2  # B\nprint(f(), g())\n",
    "a function with defaults": """
        SIZE, NAMES = 3, ["a"]
        def f(size=SIZE, names=NAMES): return size, names  # A
        print(1)  # B
        print(f())
        """,
    "a function with types": """
        from lib.plain import f
        NAMES = ["a"]
        def g(x: f) -> "NAMES": return x  # A
        print(1)  # B
        print(g(1), NAMES)
        """,
    "a data class": """
        import dataclasses
        print(1)  # A
        @dataclasses.dataclass
        class Point: x: int = dataclasses.field(default_factory=list); y: int = 3
        NUMBER = 3  # B
        print(Point())
        """,
    "values that are written out": "A = 'a'  # A\nB = ['b', 3]  # B\nprint(A, B)\n",
    "patterns": "import re\nA = re.compile('a')  # A\nB = re.compile('b')  # B\nprint(A, B)\n",
    "libraries": "import numpy as np  # A\nimport json  # B\nimport torch\nprint(np, json, torch)\n",
    "imports of libraries from each other": "import torch  # A\nimport numpy  # B\nprint(1)\nprint(numpy, torch)\n",
    "modules that do nothing": """
        from lib.plain import f  # A
        from lib.more import g  # B
        print(f(), g())
        """,
    "a comment": "print(1)\nX = 1  # A\n# B\nprint(X)\n",
}


@pytest.mark.parametrize("module", ["run", "lib.inner"])
@pytest.mark.parametrize("text", COUNTING.values(), ids=COUNTING.keys())
def test_the_order_counts_of_what_is_executed(tmp_path, text, module):
    more = {} if module == "run" else {"run.py": "from lib import inner\nprint(inner)\n"}
    assert digest(tmp_path, text, module, more) != digest(tmp_path, swapped(text), module, more)


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_the_order_does_not_count_of_what_only_binds_names(tmp_path, text):
    assert digest(tmp_path, text) == digest(tmp_path, swapped(text))


def test_the_order_counts_of_functions_that_a_decorator_registers(tmp_path):
    a, b = "@reg\ndef a():\n    return 1\n", "@reg\ndef b():\n    return 2\n"
    text = "from lib.registry import KINDS, reg\n{}{}print(KINDS)\n"
    assert digest(tmp_path, text.format(a, b)) != digest(tmp_path, text.format(b, a))


def test_a_new_function_and_what_it_imports_move_nothing(tmp_path):
    before = "import os\nimport numpy as np\nos.environ['K'] = '1'\nprint(np)\n"
    after = before.replace("os.environ", "import torch\nA = 3\ndef new():\n    return torch, A\nos.environ")
    assert digest(tmp_path, before) != digest(tmp_path, after)  # of a command, all counts
    more = {"run.py": "import lib.inner\nimport torch\nprint(torch)\n"}
    assert digest(tmp_path, before, "lib.inner", more) == digest(tmp_path, after, "lib.inner", more)


BINDING_AGAIN = {
    "named imports": ("from .a import f  # A\nfrom .b import f  # B\n", "from lib.inner import f\nprint(f())\n"),
    "a function and an import": (
        "def f(): return 3  # A\nfrom .b import f  # B\n",
        "from lib import inner\ninner.f()\n",
    ),
    "through one more module": (
        "from .a import f  # A\nfrom .b import f  # B\n",
        "from lib.outer import f\nprint(f())\n",
    ),
    "names of modules": (
        "from . import a as f  # A\nfrom . import b as f  # B\n",
        "from lib.inner import f\nprint(f)\n",
    ),
    "one of them twice": (
        "from .a import f\nfrom .b import f  # A\nfrom .a import f  # B\n",
        "from lib.inner import f\nprint(f())\n",
    ),
}


@pytest.mark.parametrize(("text", "run"), BINDING_AGAIN.values(), ids=BINDING_AGAIN.keys())
def test_the_order_counts_of_imports_that_bind_a_name_again(tmp_path, text, run):
    plain = {"lib/a.py": FILES["lib/plain.py"], "lib/b.py": "def f():\n    return 2\n", "run.py": run}
    more = {**plain, "lib/outer.py": "from lib.inner import f\n"}
    assert digest(tmp_path, text, "lib.inner", more) != digest(tmp_path, swapped(text), "lib.inner", more)


def test_the_order_does_not_count_of_names_that_nobody_reads(tmp_path):
    text = "from .a import f  # A\nfrom .b import f  # B\ndef g(): return 1\n"
    more = {"lib/a.py": FILES["lib/plain.py"], "lib/b.py": FILES["lib/plain.py"], "run.py": "import lib.inner\n"}
    assert digest(tmp_path, text, "lib.inner", more) == digest(tmp_path, swapped(text), "lib.inner", more)
