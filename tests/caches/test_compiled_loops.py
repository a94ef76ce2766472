"""A compiled loop is compiled anew when anything changes that is compiled into it, whichever file that stands in."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import repline
from repline.caches import compiled_loops

PACKAGE = Path(repline.__file__).parent
LOOPS = f"""import numba
{compiled_loops.MARK}
from repline.steps import step

@numba.njit(cache=ON_DISK)
def total(n):
    sum = 0
    for i in range(n):
        sum += step(i)
    return sum
"""
STEPS = f"""from numba import njit
{compiled_loops.MARK}
from repline import (
    sizes,  # a constant of a third file
)
SIZE = sizes.SIZE

@njit(cache=ON_DISK)
def step(i):
    return i * SIZE
"""


def write_package(folder: Path) -> Path:
    """A small package `repline` in a folder, with a loop over three files and a file that it does not import."""
    package = folder / "repline"
    package.mkdir()
    (package / "caches").mkdir()
    shutil.copy(PACKAGE / "caches/compiled_loops.py", package / "caches")
    texts = {
        "__init__": "",
        "caches/__init__": "",
        "loops": LOOPS,
        "steps": STEPS,
        "sizes": "SIZE = 2\n",
        "other": "SIZE = 1\n",
    }
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text)
    return package


def test_a_loop_that_was_compiled_before_an_edit_elsewhere_is_compiled_anew(tmp_path):
    package = write_package(tmp_path)
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}

    def total_of_four() -> int:
        command = [sys.executable, "-c", "from repline.loops import total; print(total(4))"]
        run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return int(run.stdout)

    assert total_of_four() == 12
    assert list(package.glob("__pycache__/repline-*/**/*.nbi")), "it was kept on disk"
    (package / "sizes.py").write_text("SIZE = 5\n")
    assert total_of_four() == 30
    (package / "steps.py").write_text(STEPS.replace("i * SIZE", "i + SIZE"))
    assert total_of_four() == 26


def test_the_folder_is_named_by_the_files_with_loops_and_what_they_import(tmp_path):
    package = write_package(tmp_path)
    names = {path.stem for path in compiled_loops.kernel_files(package)}
    assert {"loops", "steps", "sizes"} <= names and "other" not in names
    before = compiled_loops.kernel_digest(package)
    (package / "other.py").write_text("SIZE = 9\n")
    assert compiled_loops.kernel_digest(package) == before
    (package / "sizes.py").write_text("SIZE = 9\n")
    assert compiled_loops.kernel_digest(package) != before


def test_every_compiled_loop_of_the_package_is_kept_there():
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "compiled_loops.py" and re.search(r"\bnjit\b", text):
            assert compiled_loops.MARK in text and "cache=True" not in text, path
