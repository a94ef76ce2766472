"""Which functions of the project run, and whether the digest of a command covers them."""

import contextlib
import cProfile
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType

from repline.code_digests.reach import Code
from stages.code import project

ROOT = Path(__file__).parents[1]
IS_FUNCTION = 1  # CO_OPTIMIZED: bodies of modules and classes do not have it
# the record of a run, which `stages:run` writes and no digest covers
OF_THE_RECORD = {"repline.files:new_file", "repline.files:write_json"}


@contextlib.contextmanager
def noted(root: Path = ROOT) -> Iterator[Callable[[], set[str]]]:
    """What returns the definitions of the project whose functions were called from here on: "repline.files:new_file".

    Calls in this thread and in new ones count. Bodies of modules, which imports execute, and tests do not.
    """
    profilers = [_profiler()]

    def note_thread(*_) -> None:
        profiler = _profiler()  # not the last of the list, where another thread may have put one meanwhile
        profilers.append(profiler)
        profiler.enable()

    def called() -> set[str]:
        codes = {entry.code for profiler in profilers for entry in profiler.getstats()}
        return {name for code in codes if isinstance(code, CodeType) and (name := _definition(code, root))}

    threading.setprofile(note_thread)
    profilers[0].enable()
    try:
        yield called
    finally:
        profilers[0].disable()
        threading.setprofile(None)


def uncovered(command: str, called: set[str], root: Path = ROOT) -> list[str]:
    """The definitions that ran and that the digest of a command does not cover."""
    return sorted(called - {str(node) for node in code(root).reach(command)} - project.WITHOUT.keys() - OF_THE_RECORD)


@cache
def code(root: Path = ROOT) -> Code:
    """The code of the project, as its digests see it."""
    return project.read(root)


def _profiler() -> cProfile.Profile:
    return cProfile.Profile(subcalls=False, builtins=False)


def _definition(code: CodeType, root: Path) -> str | None:
    """The function or class at top level that code of the project lies in."""
    path, name = Path(code.co_filename), code.co_qualname.partition(".")[0]
    if not code.co_flags & IS_FUNCTION or not name.isidentifier() or path.suffix != ".py":
        return None
    if not any(path.is_relative_to(root / package) for package in project.PACKAGES):
        return None
    module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    return f"{module}:{name}"
