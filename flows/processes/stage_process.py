"""The command of a stage, `python -m PACKAGE.x.y`, in a fork instead of in a new interpreter.

For projects that name the package (`flows.project.settings.Fork`). A new interpreter can spend seconds on imports
before it reads the first line of a stage. Here the process for the command is forked from one that has imported the
libraries, before DVC is asked to reproduce the stage and before any thread starts; it waits until DVC needs the
command, and exits if DVC does not.

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
from flows.project import settings


def module_command(root: str | Path, command: str) -> re.Match[str] | None:
    """The module and arguments of a command that runs in a fork; None for a command that runs in a shell."""
    fork = settings.of(root).fork
    if not fork:
        return None
    return re.fullmatch(rf"python -m ({re.escape(fork.package)}(?:\.\w+)+)((?: [\w@.,=+-]+)*)", command)


def preload(root: str) -> bool:
    """Import the libraries that the project names; whether forks of this process can use them."""
    fork = settings.of(root).fork
    if not fork or sys.platform == "darwin":  # whose own libraries do not survive a fork
        return False
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = "1"  # no threads before the fork
    for name in fork.libraries:
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

    def __init__(self, control: socket.socket, root: str) -> None:
        self._control, self._root = control, root
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._asking: socket.socket | None = ours
        with theirs:
            self._pid = os.fork()
            if self._pid == 0:
                ours.close()
                control.close()
                _wait(theirs, root)

    def take_the_place_of_the_shell(self) -> None:
        """Patch DVC: the first command that is a module of the package runs in this process, all others in a shell."""
        import dvc.stage.run as dvc_run
        from dvc.stage.exceptions import StageCmdFailedError

        in_a_shell = dvc_run._run

        def run(executable: str | None, cmd: str, **options: Any) -> None:
            parts = module_command(self._root, cmd)
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


def _wait(asking: socket.socket, root: str) -> None:
    """Wait for a request of the project in `root`, run it, and exit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    received = messages.Inbox(asking).next()
    if not received:
        os._exit(0)
    asking.close()
    fork = settings.of(root).fork
    status = _run(fork, **received[0]) if fork else 1
    threading._shutdown()  # type: ignore[attr-defined]  # as at the end of an interpreter, without unloading modules
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


def _run(fork: settings.Fork, module: str, arguments: list[str], folder: str, variables: dict[str, str]) -> int:
    """Run `python -m MODULE ARGUMENTS` in this process; returns its exit code."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    reloaded = ("flows", fork.package, *fork.reloaded)
    for name in [name for name in sys.modules if name.partition(".")[0] in reloaded]:
        del sys.modules[name]
    sys.path[0] = os.getcwd()
    sys.argv = ["-m", *arguments]
    importlib.invalidate_caches()
    with suppress(OSError):  # Linux: what `top` shows
        Path("/proc/self/comm").write_text(module.removeprefix(f"{fork.package}."))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        importlib.import_module(fork.package)
        if threads := os.environ.get("OMP_NUM_THREADS"):
            _use_threads(int(threads))
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
    """Set the threads of libraries that read OMP_NUM_THREADS when they were loaded, before the fork."""
    if threadpoolctl := sys.modules.get("threadpoolctl"):
        threadpoolctl.threadpool_limits(threads)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(threads)


def _code(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1
