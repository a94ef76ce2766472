"""`python -m tests.pipeline.traced OUT MODULE ARGUMENTS`: run a module, and write which definitions of ours it calls.

OUT gets a JSON list of their names, without what runs when modules are imported. Forked processes count too.
"""

import json
import os
import runpy
import sys
from multiprocessing import util
from pathlib import Path

from tests.called_functions import noted


def main(out: str, module: str, *arguments: str) -> None:
    with noted(Path.cwd()) as called:

        def write() -> None:
            Path(f"{out}.{os.getpid()}").write_text(json.dumps(sorted(called())))

        os.register_at_fork(after_in_child=lambda: util.Finalize(None, write, exitpriority=0))
        sys.argv = ["-m", *arguments]
        try:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        finally:
            write()


if __name__ == "__main__":
    main(*sys.argv[1:])
