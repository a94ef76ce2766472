"""What pages of the library name exists: files in `__init__` docstrings, and rooms in its README."""

import ast
import re
from pathlib import Path

import pytest

from tests.module_imports import Imports

ROOT = Path(__file__).parent.parent
INITS = sorted([*ROOT.glob("repline/**/__init__.py"), *ROOT.glob("flows/**/__init__.py")])
FILE = re.compile(r"(?<![\w/>])[\w/]+\.(?:py|yaml|md|html)\b")
LISTED = re.compile(r"^(\w+(?:, \w+)*) {2,}\S", re.MULTILINE)  # "settings     the section of params.yaml"
READ = re.compile(r"(?:\bRead|\bTo read:|In reading order:)([^.]+)\.(?!py)")
LIBRARY = ROOT / "repline"


def named_modules(docstring):
    """The files of a folder that the docstring of its package tells a reader to open."""
    files = set(FILE.findall(docstring))
    for line in LISTED.findall(docstring):
        files |= {f"{name}.py" for name in line.split(", ")}
    for sentence in READ.findall(FILE.sub("", docstring)):
        files |= {f"{name}.py" for name in re.findall(r"`([a-z]\w*)`", sentence)}
    return files


def exists(folder, name):
    return (folder / name).is_file() or (ROOT / name).is_file() or (folder / name).with_suffix("").is_dir()


@pytest.mark.parametrize("path", INITS, ids=lambda path: path.parent.relative_to(ROOT).as_posix())
def test_a_package_names_files_that_exist(path):
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert [name for name in sorted(named_modules(docstring)) if not exists(path.parent, name)] == []


def test_the_files_that_a_docstring_names_are_seen():
    assert named_modules("Read `model` first, then `state_merge.py`; `corpus` makes it.") == {
        "model.py",
        "state_merge.py",
        "corpus.py",
    }
    assert named_modules("Read in this order:\n\nsettings     the section\nrates, folds    two") == {
        "settings.py",
        "rates.py",
        "folds.py",
    }


def readme_rooms():
    """The rooms of the library's README, a list for each row of its table."""
    text = (LIBRARY / "README.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| [")]
    return [[name.strip("/").removesuffix(".py") for name in re.findall(r"\]\(([\w/.]+)\)", row)] for row in rows]


def test_the_readme_has_every_room():
    rooms = {path.stem for path in LIBRARY.glob("[a-z]*.py")} | {path.parent.name for path in LIBRARY.glob("*/*.py")}
    assert sorted(name for row in readme_rooms() for name in row) == sorted(rooms)


def test_a_room_imports_none_that_the_readme_has_below_it():
    imports = Imports(ROOT)
    height = {name: number for number, row in enumerate(readme_rooms()) for name in row}
    wrong = []
    for module in imports.files:
        room = module.split(".")[1] if module.startswith("repline.") else ""
        for imported in imports.of(module)[0] if room in height else ():
            below = imported.split(".")[1] if imported.startswith("repline.") else room
            if height.get(below, 0) > height[room]:
                wrong.append(f"{module} imports {imported}")
    assert wrong == []
