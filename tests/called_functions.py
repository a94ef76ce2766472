"""Which functions of the project run, and whether the digest of a command covers them."""

import contextlib
import cProfile
import sys
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
    with _executed() as codes:
        yield lambda: {name for code in codes() if isinstance(code, CodeType) and (name := _definition(code, root))}


def uncovered(command: str, called: set[str], root: Path = ROOT) -> list[str]:
    """The definitions that ran and that the digest of a command does not cover."""
    return sorted(called - {str(node) for node in code(root).reach(command)} - project.WITHOUT.keys() - OF_THE_RECORD)


@cache
def code(root: Path = ROOT) -> Code:
    """The code of the project, as its digests see it."""
    return project.read(root)


if sys.version_info >= (3, 12):  # whose cProfile is one for all threads, and refuses a second one

    @contextlib.contextmanager
    def _executed() -> Iterator[Callable[[], set[CodeType]]]:
        """What returns the code that was executed from here on, in any thread."""
        codes: set[CodeType] = set()
        tool, start = sys.monitoring.PROFILER_ID, sys.monitoring.events.PY_START

        def note(code: CodeType, _: int) -> object:
            codes.add(code)
            return sys.monitoring.DISABLE  # of the same code

        sys.monitoring.use_tool_id(tool, __name__)
        sys.monitoring.register_callback(tool, start, note)
        sys.monitoring.restart_events()  # an earlier call has disabled some
        sys.monitoring.set_events(tool, start)
        try:
            yield lambda: set(codes)
        finally:
            sys.monitoring.set_events(tool, 0)
            sys.monitoring.register_callback(tool, start, None)
            sys.monitoring.free_tool_id(tool)

else:

    @contextlib.contextmanager
    def _executed() -> Iterator[Callable[[], set[CodeType | str]]]:
        """What returns the code that was executed from here on, in this thread and new ones."""
        profilers = [_profiler()]

        def note_thread(*_) -> None:
            profiler = _profiler()  # not the last of the list, where another thread may have put one meanwhile
            profilers.append(profiler)
            profiler.enable()

        threading.setprofile(note_thread)
        profilers[0].enable()
        try:
            yield lambda: {entry.code for profiler in profilers for entry in profiler.getstats()}
        finally:
            profilers[0].disable()
            threading.setprofile(None)

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
