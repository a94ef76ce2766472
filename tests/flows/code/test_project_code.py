"""Modules found where Python would find them, in small projects that are written for a test."""

import textwrap

import pytest

from flows.code.project_code import ProjectCode, Start
from flows.code.versions import Versions
from tests.flows.code.small_projects import BY_NAME, DEFINING, ONLY_SAID, REGISTERING, REGISTRY, SEEN, F


@pytest.fixture
def write(tmp_path):
    def written(files: dict[str, str]):
        for name, text in files.items():
            path = tmp_path / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))

    return written


def parts(root, script: str, *folders: str) -> dict[str, str]:
    """The parts of what a script of the project can reach."""
    file = root / f"{script}.py"
    start = Start((file.parent, root, *(root / folder for folder in folders)), file.stem, file)
    return ProjectCode(Versions(root)).reached(start).parts


def changed(root, script: str, file: str, before: str, after: str) -> set[str]:
    """The parts of a script's digest that an edit of a file changes."""
    first = parts(root, script)
    path = root / f"{file}.py"
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    second = parts(root, script)
    return {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)}


@pytest.mark.parametrize("files", SEEN.values(), ids=SEEN.keys())
def test_an_edit_of_what_runs_is_seen(files, tmp_path, write):
    write(files)
    (edited,) = (name for name, text in files.items() if "2 * x" in text)
    assert changed(tmp_path, "run", edited, "2 * x", "3 * x")


@pytest.mark.parametrize("way", BY_NAME)
def test_code_that_is_taken_by_name_is_seen_or_said(way, tmp_path, write):
    imports, call = BY_NAME[way]
    write({"run": f"{imports}\nprint({call})\n", "helper": F, "pkg/__init__": "", "pkg/helper": F})
    is_said = bool(ProjectCode(Versions(tmp_path)).reached(Start((tmp_path,), "run", tmp_path / "run.py")).unseen)
    edited = "pkg/helper" if "pkg" in imports + call and "resolve" not in call else "helper"
    assert bool(changed(tmp_path, "run", edited, "2 * x", "3 * x")) == (way not in ONLY_SAID)
    assert is_said == (way != "fire")


@pytest.mark.parametrize("text", REGISTERING.values(), ids=REGISTERING.keys())
def test_what_registers_itself_is_seen(text, tmp_path, write):
    write({"run": "import plugins\nfrom registry import KINDS\nprint(KINDS)\n", "registry": REGISTRY, "plugins": text})
    assert changed(tmp_path, "run", "plugins", "2 * x", "3 * x")


@pytest.mark.parametrize("text", DEFINING.values(), ids=DEFINING.keys())
def test_what_only_defines_is_not_reached_by_an_import(text, tmp_path, write):
    write({"run": "from plugins import x\nprint(x)\n", "plugins": f"x = 3\n{text}"})
    write({"near": "from functools import cache\nfrom torch import nn\nfrom torch.nn import Module\n"})
    assert not changed(tmp_path, "run", "plugins", "2 * x", "3 * x")


def test_a_module_is_covered_where_all_of_its_definitions_are_reached(tmp_path, write):
    write(
        {
            "run": "import pkg\nfrom pkg.models import Net\nprint(Net())\n\ndef unused():\n    return pkg.Net\n",
            "pkg/__init__": "from .models import Net\n__all__ = ['Net']\n",
            "pkg/models": "class Net:\n    pass\n\nclass Other:\n    pass\n",
            "pkg/main": "def main():\n    pass\n\nif __name__ == '__main__':\n    main()\n",
        }
    )
    covered = {"run.py", "pkg/__init__.py"}
    for more in ("", "from pkg.main import main\nmain()\n", "import sys\ngetattr(pkg.models, sys.argv[1])\n"):
        write({"run": (tmp_path / "run.py").read_text() + more})
        start = Start((tmp_path,), "run", tmp_path / "run.py")
        covered |= {"pkg/main.py"} if "main" in more else {"pkg/models.py"} if more else set()
        assert ProjectCode(Versions(tmp_path)).reached(start).files == {tmp_path / name for name in covered}


def test_a_star_stands_for_the_names_of_a_module(tmp_path, write):
    write(
        {
            "run": "from lib import *\nfrom numpy.linalg import *\nprint(low(1), norm(2))\n",
            "lib/__init__": "from .small import *\n__all__ = ['low', 'names']\n",
            "lib/small": "from lib import *\n\ndef low(x):\n    return x\n\ndef high(x):\n    return 2 * x\n",
            "lib/names": "NAME = print('imported')\n",
        }
    )
    assert changed(tmp_path, "run", "lib/small", "2 * x", "3 * x") == set()
    assert changed(tmp_path, "run", "lib/small", "return x", "return +x") == {"lib.small:low"}
    assert parts(tmp_path, "run")["library numpy"].startswith("numpy ")


def test_the_folder_of_a_script_comes_first(tmp_path, write):
    write(
        {
            "steps/run": "import helper\nhelper.f()\n",
            "steps/helper": "def f(): return 1\n",
            "helper": "def f(): return 2\n",
        }
    )
    assert changed(tmp_path, "steps/run", "helper", "2", "3") == set()
    assert changed(tmp_path, "steps/run", "steps/helper", "1", "3") == {"helper:f"}


def test_a_folder_without_init_does_not_hide_a_library(tmp_path, write):
    write(
        {"run": "import yaml, data.clean\nyaml.safe_load('1')\ndata.clean.f()\n", "data/clean": "def f(): return 1\n"}
    )
    write({"yaml/dump": "def f(): return 1\n"})
    names = parts(tmp_path, "run")
    assert "data.clean:f" in names
    assert names["library yaml"].startswith("pyyaml ")
    assert "library data" not in names


def test_a_file_elsewhere_does_not_hide_a_library(tmp_path, write):
    """Python takes the one or the other by variables that nobody sees: both count."""
    write({"src/run": "import yaml\nprint(yaml)\n", "yaml": "def f(): return 1\n", "run": "import yaml\nyaml.f()\n"})
    assert parts(tmp_path, "src/run").keys() == {"run:statement", "yaml:f", "library yaml"}
    assert parts(tmp_path, "run").keys() == {"run:statement", "yaml:f"}


def test_scripts_whose_names_no_import_could_have(tmp_path, write):
    write({"01-first.v2": "from other import f\nf()\n", "other": "def f():\n    return 1\n"})
    file = tmp_path / "01-first.v2.py"
    start = Start((tmp_path,), "01-first_v2", file)
    assert set(ProjectCode(Versions(tmp_path)).reached(start).parts) == {"01-first_v2:statement", "other:f"}


def test_a_file_of_another_python_counts_byte_by_byte(tmp_path, write):
    write({"run": "import old\nold.f()\n", "old": "def f():\n    print 'x'\n"})
    code = ProjectCode(Versions(tmp_path))
    start = Start((tmp_path,), "run", tmp_path / "run.py")
    assert code.reached(start).parts.keys() == {"run:statement", "old:file", "order of run"}
    (line,) = code.reached(start).unseen
    assert line.startswith("old.py, line 2: Missing parentheses")
    assert changed(tmp_path, "run", "old", "'x'", "'y'") == {"old:file"}


def test_code_that_a_configuration_or_a_computed_name_takes(tmp_path, write):
    write(
        {
            "run": """
        import importlib, subprocess
        from hydra.utils import instantiate

        def eval(x):
            return x

        def build(config):
            subprocess.run(["true"])
            return instantiate(config), importlib.import_module(config.name), eval(1)
        """
        }
    )
    start = Start((tmp_path,), "run", tmp_path / "run.py")
    assert ProjectCode(Versions(tmp_path)).reached(start).unseen == [
        "run:build can start other programs (subprocess.run)",
        "run:build takes code by a name that it computes (import_module)",
        "run:build takes code that a configuration names (hydra.utils.instantiate)",
    ]


def test_the_libraries_that_a_script_asks_for_in_its_comments(tmp_path, write):
    write({"x": '# /// script\n# dependencies = [\n#   "numpy==2.1.0", "a",\n# ]\n# ///\nimport numpy\n'})
    assert parts(tmp_path, "x")["library list of x.py"] == "a, numpy==2.1.0"
    assert changed(tmp_path, "x", "x", "2.1.0", "2.2.0") == {"library list of x.py"}
    assert changed(tmp_path, "x", "x", "# ///\n", "# another\n") == {"library list of x.py"}


def test_the_order_of_stars_counts_where_they_bind_the_same_name(tmp_path, write):
    write(
        {
            "run": "from pkg import f\nprint(f())\n",
            "pkg/__init__": "from .b import *\nfrom .a import *\n",
            "pkg/a": "def f():\n    return 1\n",
            "pkg/b": "def f():\n    return 2\n",
        }
    )
    before, after = "from .b import *\nfrom .a import *\n", "from .a import *\nfrom .b import *\n"
    assert changed(tmp_path, "run", "pkg/__init__", before, after) == {"order of pkg:f"}


def test_a_main_block_that_is_not_reached_is_noted(tmp_path, write):
    write({"run": "import work\nprint(work.f())\n", "work": f"{F}\nif __name__ == '__main__':\n    print(f())\n"})
    reached = ProjectCode(Versions(tmp_path)).reached(Start((tmp_path,), "run", tmp_path / "run.py"))
    assert reached.files == {tmp_path / "run.py", tmp_path / "work.py"}
    assert reached.imported == {tmp_path / "work.py"}


@pytest.mark.parametrize("name", ["fast.pyx", "fast.cpython-311-x86_64.so"])
def test_a_module_that_is_not_in_python_counts_byte_by_byte(name, tmp_path, write):
    write({"run": "from pkg import fast\nimport quick\nfast.f(), quick.f()\n", "pkg/__init__": ""})
    (tmp_path / "pkg" / name).write_bytes(b"cdef int f():\n    return 1\n\0")
    (tmp_path / name.replace("fast", "quick")).write_bytes(b"cdef int f():\n    return 1\n")
    before = parts(tmp_path, "run")
    (tmp_path / "pkg" / name).write_bytes(b"cdef int f():\n    return 2\n\0")
    after = parts(tmp_path, "run")
    assert {part for part in before if before[part] != after[part]} == {"pkg.fast:file"}
    assert "quick:file" in after
    reached = ProjectCode(Versions(tmp_path)).reached(Start((tmp_path,), "run", tmp_path / "run.py"))
    assert [line.partition(",")[0] for line in reached.unseen] == [name, name.replace("fast", "quick")]


@pytest.mark.parametrize(
    ("imports", "call", "is_said"),
    [
        ("import pickle", "pickle.load(open('x', 'rb'))", True),
        ("from joblib import load", "load('x')", True),
        ("import torch", "torch.load('x')", True),
        ("import torch", "torch.load('x', weights_only=True)", False),
        ("import numpy as np", "np.load('x')", False),
        ("import numpy as np", "np.load('x', allow_pickle=True)", True),
        ("import pandas as pd", "pd.read_pickle('x')", True),
        ("import pickle", "pickle.dumps(1)", False),
    ],
)
def test_objects_whose_classes_a_file_names_are_said(imports, call, is_said, tmp_path, write):
    write({"run": f"{imports}\nprint({call})\n"})
    unseen = ProjectCode(Versions(tmp_path)).reached(Start((tmp_path,), "run", tmp_path / "run.py")).unseen
    assert [line.partition(" (")[0] for line in unseen] == [
        "run:statement makes objects of classes that a file names"
    ] * is_said


def test_code_whose_text_is_read_stays_under_deps(tmp_path, write):
    write({"run": f"import inspect\n{F}\nprint(inspect.getsource(f))\n"})
    reached = ProjectCode(Versions(tmp_path)).reached(Start((tmp_path,), "run", tmp_path / "run.py"))
    assert reached.files == set()
    assert reached.unseen == ["run:statement reads the text of code (inspect.getsource)"]
