"""A command in a fork of the server of `tests.forks`: what makes it see what a new interpreter would show it."""

import atexit
import ctypes
import fcntl
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import logging
import os
import runpy
import subprocess
import sys
import termios
import threading
import time
from types import ModuleType, SimpleNamespace

NEW_MOUNTS, NEW_HOST_NAME, NEW_USER = 0x00020000, 0x04000000, 0x10000000  # of Linux's unshare
BEYOND = 200  # file descriptors from here on are in nobody's way


def place_files(files: dict[int, int]) -> None:
    """Give files the numbers that the command knows them by: number -> descriptor."""
    moved = {number: fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, BEYOND) for number, descriptor in files.items()}
    for descriptor in files.values():
        os.close(descriptor)
    for number, descriptor in moved.items():
        os.dup2(descriptor, number)
        os.close(descriptor)


def run(
    folder: str,
    module: str,
    arguments: list[str],
    environment: dict[str, str],
    new_session: bool = False,
    elsewhere: list[str] | None = None,
    afterwards: list[str] | None = None,
    spares: int = 0,
    executable: str | None = None,
) -> int:
    """Run `python -m MODULE ARGUMENTS` in this process to its very end, and return its exit status.

    Args:
        elsewhere: commands that change the host name and the mounts for it alone (Linux).
        afterwards: commands to run at its end, which see these mounts.
        spares: how many commands `python -m ...` that it starts itself are forks as well: see `fork_spares`.
        executable: the program that it takes for its interpreter, and starts others with.
    """
    if new_session:
        os.setsid()
        if os.isatty(0):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # Ctrl-C on that terminal is for this process
    if elsewhere:
        _move(elsewhere)
    sys.executable = executable or sys.executable
    if spares:
        from tests.fork_spares import take_the_place_of_new_interpreters

        take_the_place_of_new_interpreters(spares)
    sys.path[:] = [entry for entry in sys.path if entry not in os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    first = [entry for entry in environment.get("PYTHONPATH", "").split(os.pathsep) if entry]
    sys.path[:0] = [folder, *first]
    sys.argv, sys.orig_argv = ["-m", *arguments], [sys.executable, "-m", module, *arguments]
    buffering = 1 if environment.get("PYTHONUNBUFFERED") else -1
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", buffering=buffering, closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    logging.getLogger().handlers.clear()  # Prefect's, which come back with it
    sys.meta_path.insert(0, _PrefectAnew())
    if "dask" in sys.modules:
        sys.modules["dask"].config.refresh()
    if any(os.path.exists(os.path.join(entry, "sitecustomize.py")) for entry in first):
        sys.modules.pop("sitecustomize", None)
        importlib.import_module("sitecustomize")
    status = _exit_status(module)
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    for command in afterwards or ():
        subprocess.run(command, shell=True, check=True)
    return status


def _move(commands: list[str]) -> None:
    """Into new namespaces, where the account may have them only with one for users too."""
    library = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    if library.unshare(NEW_MOUNTS | NEW_HOST_NAME):
        if library.unshare(NEW_MOUNTS | NEW_HOST_NAME | NEW_USER):
            raise OSError(ctypes.get_errno(), "unshare")
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    for command in ("mount --make-rprivate /", *commands):
        subprocess.run(command, shell=True, check=True)


class _PrefectAnew(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Importing Prefect reads the environment: so does importing the one that the server imported."""

    def __init__(self) -> None:
        self._module = sys.modules.pop("prefect", None)

    def find_spec(self, name: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name != "prefect" or not self._module:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        self._spec = self._module.__spec__
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__, module.__loader__ = self._spec, self._spec.loader

        from prefect.context import refresh_global_settings_context
        from prefect.logging.configuration import setup_logging

        refresh_global_settings_context()
        setup_logging(incremental=False)
        if engine := sys.modules.get("prefect.flow_engine"):
            # a flow waits at its end until the thread of its heartbeats wakes up, which it does once a second
            engine.time = SimpleNamespace(**vars(time) | {"sleep": lambda seconds: time.sleep(min(seconds, 0.05))})


def _exit_status(module: str) -> int:
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code or 0
    except BaseException as error:
        try:
            sys.excepthook(type(error), error, error.__traceback__)
        except SystemExit as end:
            return end.code or 0
        return 1
    return 0
