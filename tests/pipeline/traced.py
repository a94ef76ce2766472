"""`python -m tests.pipeline.traced OUT MODULE ARGUMENTS`: run a module, and write which functions of ours it calls.

OUT gets a JSON list of [file, first line], without what runs when modules are imported. Forked processes count too.
"""

import json
import os
import runpy
import sys
import threading
from multiprocessing import util
from pathlib import Path
from types import CodeType

IS_FUNCTION = 1  # CO_OPTIMIZED: bodies of modules and classes do not have it


def main(out: str, module: str, *arguments: str) -> None:
    here = os.getcwd() + os.sep
    called: set[tuple[str, int]] = set()
    met: dict[int, CodeType] = {}  # by their addresses, which holding them keeps: hashing code is slow

    def note(frame, event: str, _) -> None:
        if event != "call" or id(code := frame.f_code) in met:
            return
        met[id(code)] = code
        file = code.co_filename  # of a template of Jinja that too, where it is no .py
        if code.co_flags & IS_FUNCTION and file.startswith(here) and file.endswith(".py"):
            called.add((file.removeprefix(here), code.co_firstlineno))

    def write() -> None:
        Path(f"{out}.{os.getpid()}").write_text(json.dumps(sorted(called)))

    os.register_at_fork(after_in_child=lambda: util.Finalize(None, write, exitpriority=0))
    sys.argv = ["-m", *arguments]
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        sys.setprofile(None)
        write()


if __name__ == "__main__":
    main(*sys.argv[1:])
