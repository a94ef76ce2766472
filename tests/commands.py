"""Commands of the project (`python -m stages.urn.train ...`) as processes of their own, started by forking.

A new interpreter spends seconds on importing PyTorch and Lightning before it reads the first line of ours. So one
process for all tests of a worker imports what others have written, and nothing of this project; each command is a fork
of it, with folder, environment, arguments and output as a new process would have them. What a new interpreter alone
has, above all a hash seed of its own, needs `fresh`.
"""

import atexit
import json
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIBRARIES = (  # that are slow to import
    "duckdb",
    "gensim.models",
    "jinja2",
    "plotly.graph_objects",
    "pyarrow.parquet",
    "pydantic",
    "pytorch_lightning",
    "safetensors.torch",
    "scipy.stats",
    "sklearn.cluster",
    "sklearn.linear_model",
    "sklearn.svm",
)


def run_command(
    folder: Path, module: str, *arguments: str, fresh: bool = False, without: tuple[str, ...] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `python -m MODULE ARGUMENTS` in a folder to its end, with one thread and no variable of DVC's.

    Args:
        fresh: in a new interpreter, and not in a fork.
        without: variables that it is not to inherit.
        environment: variables that it is to have.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DVC_")}
    inherited = {name: value for name, value in inherited.items() if name not in without}
    environment = inherited | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | environment
    if fresh:
        command = [sys.executable, "-m", module, *arguments]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    with tempfile.TemporaryDirectory() as outputs:
        out, errors = (Path(outputs) / name for name in ("stdout", "stderr"))
        asked = {"folder": str(folder), "module": module, "arguments": arguments, "environment": environment}
        server = _server()
        server.stdin.write(json.dumps(asked | {"stdout": str(out), "stderr": str(errors)}) + "\n")
        server.stdin.flush()
        status = os.waitstatus_to_exitcode(int(server.stdout.readline()))
        return subprocess.CompletedProcess([module, *arguments], status, out.read_text(), errors.read_text())


@cache
def _server() -> subprocess.Popen[str]:
    environment = os.environ | {"OMP_NUM_THREADS": "1"}  # which the libraries read when they are imported
    command = [sys.executable, "-P", __file__]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    atexit.register(server.communicate)  # it ends when there is nothing more to read
    return server


def _serve() -> None:
    """Fork for every line that is read, and write the wait status of the fork."""
    for library in LIBRARIES:
        __import__(library)
    while line := sys.stdin.readline():
        fork = os.fork()
        if not fork:
            status = _command(**json.loads(line))
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)  # to take all those modules down would last longer than most commands
        print(os.waitpid(fork, 0)[1], flush=True)


def _command(
    folder: str, module: str, arguments: list[str], environment: dict[str, str], stdout: str, stderr: str
) -> int:
    """Run it in this process, and return its exit status."""
    for number, (path, flags) in enumerate(
        [(os.devnull, os.O_RDONLY), (stdout, os.O_WRONLY | os.O_CREAT), (stderr, os.O_WRONLY | os.O_CREAT)]
    ):
        os.dup2(os.open(path, flags), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [folder, *environment["PYTHONPATH"].split(os.pathsep)]
    sys.argv = ["-m", *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    _serve()
