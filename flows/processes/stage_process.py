"""The command of a stage, `python -m stages.x.y`, in a fork instead of in a new interpreter.

A new interpreter spends seconds on importing PyTorch and Lightning before it reads the first line of a stage. Here the
process for the command is forked from one that has imported them, before DVC is asked to reproduce the stage and before
any thread starts; it waits until DVC needs the command, and exits if DVC does not.

The fork runs the same code with the same arguments, folder, variables and number of threads. Its memory includes the
pages that it shares with the other forks, so the peak of a small stage is that of the libraries.
"""

import atexit
import importlib
import os
import re
import runpy
import signal
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from flows.processes import messages

# slow to import, and importing them starts no thread (except jemalloc's, which is safe to fork)
# fmt: off
LIBRARIES = (
    "duckdb", "gensim.models", "huggingface_hub.hub_mixin", "numba", "plotly.graph_objs._figure", "pyarrow.dataset",
    "pyarrow.parquet", "pydantic", "pytorch_lightning", "safetensors.torch", "scipy.sparse.linalg", "scipy.stats",
    "sklearn.cluster", "sklearn.feature_extraction.text", "sklearn.linear_model", "spacy",
)
# fmt: on
PROJECT_PACKAGES = ("flows", "repline", "stages")  # which a stage imports from the folder that it runs in
COMMAND = re.compile(r"python -m (stages(?:\.\w+)+)((?: [\w@.,=+-]+)*)")


def preload() -> bool:
    """Import the libraries of the stages; whether forks of this process can use them."""
    if sys.platform == "darwin":  # whose own libraries do not survive a fork
        return False
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = "1"  # no threads before the fork
    for name in LIBRARIES:
        with suppress(ImportError):  # the stage that needs it will say so
            importlib.import_module(name)
    os.environ.pop("OMP_NUM_THREADS")
    if before is not None:
        os.environ["OMP_NUM_THREADS"] = before
    return True


class StageProcess:
    """A process that waits for the command of a stage.

    Args:
        control: the socket from the current process to the flow. The fork closes it, so that the flow sees it close
            when the current process is killed; it also reports the end of the command, which DVC's own work follows.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._asking: socket.socket | None = ours
        with theirs:
            self._pid = os.fork()
            if self._pid == 0:
                ours.close()
                control.close()
                _wait(theirs)

    def take_the_place_of_the_shell(self) -> None:
        """Patch DVC: the first command that is a module of the stages runs in this process, all others in a shell."""
        import dvc.stage.run as dvc_run
        from dvc.stage.exceptions import StageCmdFailedError

        in_a_shell = dvc_run._run

        def run(executable: str | None, cmd: str, **options: Any) -> None:
            parts = COMMAND.fullmatch(cmd)
            if not parts or not self._asking:
                in_a_shell(executable, cmd, **options)
            elif code := self._run(parts[1], parts[2].split(), options["cwd"], options["env"]):
                raise StageCmdFailedError(cmd, code)

        dvc_run._run = run

    def _run(self, module: str, arguments: list[str], folder: str, environment: dict[str, str]) -> int:
        """Run a module in the forked process; returns its exit code, negative for a signal."""
        # an interrupt is for the stage, and this process waits for the stage to react
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            if self._asking is None:
                raise RuntimeError("the forked process runs one command alone")
            with self._asking as asking:
                messages.send(
                    asking, {"module": module, "arguments": arguments, "folder": folder, "variables": environment}
                )
                self._asking = None
                code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
                messages.send(self._control, {"command": code})
                return code
        finally:
            signal.signal(signal.SIGINT, before)


def _wait(asking: socket.socket) -> None:
    """Wait for a request, run it, and exit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    received = messages.Inbox(asking).next()
    if not received:
        os._exit(0)
    asking.close()
    status = _run(**received[0])
    threading._shutdown()  # type: ignore[attr-defined]  # what an interpreter does at its end, but for taking every module down
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


def _run(module: str, arguments: list[str], folder: str, variables: dict[str, str]) -> int:
    """Run `python -m MODULE ARGUMENTS` in this process; returns its exit code."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    for name in [name for name in sys.modules if name.partition(".")[0] in PROJECT_PACKAGES]:
        del sys.modules[name]
    sys.path[0] = os.getcwd()
    sys.argv = ["-m", *arguments]
    importlib.invalidate_caches()
    with suppress(OSError):  # Linux: what `top` shows
        Path("/proc/self/comm").write_text(module.removeprefix("stages."))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        importlib.import_module("stages")
        _use_threads(int(os.environ["OMP_NUM_THREADS"]))
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return _code(end)
    except BaseException as error:
        try:
            sys.excepthook(type(error), error, error.__traceback__)
        except SystemExit as end:
            return _code(end)
        return 1
    return 0


def _use_threads(threads: int) -> None:
    """Set the number of threads of libraries that read OMP_NUM_THREADS when they were loaded, before the fork."""
    import threadpoolctl
    import torch

    threadpoolctl.threadpool_limits(threads)
    torch.set_num_threads(threads)


def _code(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1
