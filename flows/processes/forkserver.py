"""A process that has DVC imported and forks one child for each stage: importing DVC once is most of what a stage costs.

`stage.prepare` starts it (`python -m flows.processes.forkserver FD`), and `stage.run` sends one message a stage over
the socket FD: what to run, with two descriptors, one end of a control socket and the pipe for the output. The child
leads a process group of its own, and sends its pid over the control socket, and its outcome at the end. It also watches
that socket: when the other end is closed, the flow is gone, and the child kills its whole group.

With a project's folder after FD it also imports the libraries that the project names (`stage_process`).

This uses names inside DVC that another version may lack. The child then runs the command `dvc` instead, which does the
same more slowly, and reports that to the flow.
"""

import gc
import importlib
import io
import os
import queue
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import flows
from flows.inside_dvc.changed_inputs import notice_changed_inputs
from flows.inside_dvc.check_once import check_once
from flows.inside_dvc.find_parameters import find_parameters_by_name
from flows.inside_dvc.hosts import judge_own_locks_only, on_this_host
from flows.inside_dvc.ignore_patterns import compile_ahead, compile_patterns_once
from flows.inside_dvc.lock_files import write_lock_files_well
from flows.inside_dvc.named_stage import load_by_name
from flows.inside_dvc.parse_once import parse_ahead, parse_once
from flows.inside_dvc.plan_one_stage import plan_one_stage
from flows.inside_dvc.run_cache_key import tell_sizes_apart
from flows.processes import messages, stage_process
from flows.processes.stage_options import StageOptions
from flows.project.addresses import dvc_yaml, file_and_name, short

# imported by `dvc repro` on its way, so that no child has to
# fmt: off
PRELOAD = (
    "configobj", "dulwich.ignore", "dulwich.index", "dulwich.worktree", "dvc.cachemgr", "dvc.data_cloud",
    "dvc.dependency", "dvc.dirs", "dvc.dvcfile", "dvc.ignore", "dvc.lock", "dvc.output", "dvc.repo",
    "dvc.repo.artifacts", "dvc.repo.datasets", "dvc.repo.experiments", "dvc.repo.index", "dvc.repo.plots",
    "dvc.repo.reproduce", "dvc.repo.stage", "dvc.rwlock", "dvc.schema", "dvc.scm", "dvc.stage.cache",
    "dvc.stage.loader", "dvc.stage.run", "dvc.stage.serialize", "dvc.ui", "dvc.utils.serialize",
    "dvc.utils.strictyaml", "dvc_data.hashfile.build", "dvc_data.hashfile.checkout", "dvc_data.hashfile.db.local",
    "dvc_data.hashfile.state", "dvc_data.hashfile.status", "dvc_data.index", "dvc_render",
    "fsspec.implementations.memory", "platformdirs.unix", "pyparsing", "ruamel.yaml", "scmrepo.git",
)
# fmt: on
UNFIT = (ImportError, AttributeError, TypeError)  # raised by another DVC, where a name or an argument is gone
POLL = 0.01  # seconds between two tries for DVC's repository lock; its own are half a second


def main() -> None:
    requests = socket.socket(fileno=int(sys.argv[1]))
    requests.set_inheritable(False)
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, signal.SIG_IGN)  # the flow decides when we end: by closing the socket
    gc.disable()  # what is imported stays: looking for garbage in it takes a quarter of the time
    unfit = preload()
    has_libraries = len(sys.argv) > 2 and stage_process.preload(sys.argv[2])
    # Python 3.12 and later warn of threads that libraries start and that are safe to fork, such as jemalloc's
    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are reaped by the kernel
    gc.collect()
    gc.freeze()
    gc.enable()
    inbox = messages.Inbox(requests)
    while received := inbox.next():
        request, descriptors = received
        if not unfit:
            _parse(**request)
        if os.fork() == 0:
            requests.close()
            _child(request, unfit, has_libraries, *descriptors)
        messages.send(requests, {"taken": request["address"]})
        for descriptor in descriptors:
            os.close(descriptor)
    os._exit(0)  # taking the modules down takes time, and DuckDB would complain about frozen objects


def preload() -> str | None:
    """Import what `dvc repro` needs; the reason why a child cannot do its work, or None when it can."""
    try:
        for name in PRELOAD:
            importlib.import_module(name)
        check_once()
        compile_patterns_once()
        parse_once()
        find_parameters_by_name()
        tell_sizes_apart()
    except UNFIT as error:
        return f"{type(error).__name__}: {error}"
    return None


def _parse(root: str, address: str, **_: object) -> None:
    """Parse ahead what every child reads: the parameters, and the dvc.yaml, dvc.lock and .gitignore of the stage."""
    file = Path(root, dvc_yaml(address))
    parse_ahead(Path(root), file)
    compile_ahead(Path(root), file)


def _child(request: dict, unfit: str | None, has_libraries: bool, control_descriptor: int, output: int) -> None:
    """Run one stage and leave; never returns to the server's loop."""
    outcome, began = "failed", time.monotonic()
    control = socket.socket(fileno=control_descriptor)
    try:
        _lead_group(output)
        # CUDA does not work in a fork of a process that has looked at it
        can_fork = has_libraries and not unfit and not request["environment"].get("CUDA_VISIBLE_DEVICES")
        command = stage_process.StageProcess(control, request["root"]) if can_fork else None
        messages.send(control, {"pid": os.getpid()})
        answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=_die_with_the_flow, args=(control, answers), daemon=True).start()
        if command:
            with suppress(*UNFIT):  # another DVC runs every command in a shell
                command.take_the_place_of_the_shell()
        if not unfit:
            try:
                _ask_the_flow(control, answers)
                outcome = reproduce(**request, warn=lambda warning: messages.send(control, {"warning": warning}))
            except UNFIT as error:  # a stage is a process of its own, whose errors never arrive here
                unfit = f"{type(error).__name__}: {error}"
        if unfit:
            messages.send(control, {"unfit": unfit})
            outcome = reproduce_by_command(**request)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    except BaseException as error:
        explain(error)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        with suppress(OSError):
            messages.send(control, {"outcome": outcome, "usage": _usage(began)})
        os._exit(outcome == "failed")


def _usage(began: float) -> dict[str, float | int]:
    """What the command of a stage took: seconds with DVC's work, core-seconds, the peak of its largest process."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 1 if sys.platform == "darwin" else 1024  # bytes on macOS, KiB elsewhere
    return {
        "seconds": time.monotonic() - began,
        "core_seconds": usage.ru_utime + usage.ru_stime,
        "peak_bytes": usage.ru_maxrss * unit,
    }


def _lead_group(output: int) -> None:
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with open(os.devnull) as null_device:
        os.dup2(null_device.fileno(), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    for name in ("stdout", "stderr"):  # new ones: the old may be made for another kind of file
        stream = io.FileIO(getattr(sys, name).fileno(), "w", closefd=False)
        setattr(sys, name, io.TextIOWrapper(stream, "utf-8", "backslashreplace", line_buffering=True))


def _die_with_the_flow(control: socket.socket, answers: "queue.SimpleQueue[bytes]") -> None:
    while answer := control.recv(1):
        answers.put(answer)
    os.killpg(0, signal.SIGKILL)


def _ask_the_flow(control: socket.socket, answers: "queue.SimpleQueue[bytes]") -> None:
    """Patch DVC: the flow, which has the terminal, asks what DVC wants to know before it runs a stage."""
    from dvc import prompt

    def confirm(statement: str) -> bool:
        messages.send(control, {"question": statement})
        return answers.get() == messages.YES

    prompt.confirm = confirm


def explain(error: BaseException) -> None:
    """Print the messages of DVC's errors, one a line; for any other error, its traceback."""
    from dvc.exceptions import DvcException

    if not isinstance(error, DvcException):
        sys.excepthook(type(error), error, error.__traceback__)
    cause: BaseException | None = error
    while cause is not None:
        print(cause, file=sys.stderr)
        cause = cause.__cause__


def reproduce(
    root: str,
    address: str,
    environment: dict[str, str],
    options: dict[str, bool],
    warn: Callable[[str], None] = print,
    wait: Callable[[str], None] = print,
) -> str:
    """Do what `dvc --wait-for-lock repro --single-item ADDRESS` does; returns "ran" or "unchanged".

    `options`: the fields of `StageOptions`. `warn` is called with what the person who started the run should know, and
    `wait` with what it waits for, once.

    DVC waits for its repository lock, but not for another process (a second flow, a `dvc repro` by hand) that is
    working on the same files: here we wait for that too.
    """
    import dvc.lock
    from dvc.exceptions import ReproductionError
    from dvc.repo import Repo

    os.chdir(root)
    for name in ("DVC_ROOT", *flows.set_here):
        os.environ.pop(name, None)
    os.environ.update(environment)
    sys.argv = [on_this_host(f"dvc repro --single-item {address}")]  # what DVC writes into its lock next to the pid
    dvc.lock.DEFAULT_TIMEOUT = POLL * 6
    write_lock_files_well()
    judge_own_locks_only()
    notice_changed_inputs(short(address), warn)
    wait_reported, stage_options = False, StageOptions(**options)
    if stage_options.allow_missing:
        plan_one_stage()
    with Repo(root, _wait_for_lock=True) as repo:
        repo.scm_context.quiet = True  # no hint to `git add` after each stage
        load_by_name(repo, address, *file_and_name(address))
        if stage_options.pull:
            repo.stage_cache.pull = lambda *_, **__: None  # pulled once, before the plan was made
        while True:
            try:
                # among the other stages DVC sees which of the missing data has changed
                single_item = not stage_options.allow_missing
                reproduced = repo.reproduce(address, single_item=single_item, **stage_options.keywords())
                return "ran" if reproduced else "unchanged"
            except ReproductionError as error:
                if not isinstance(error.__cause__, dvc.lock.LockError):
                    raise
                if not wait_reported:
                    wait(f"waiting: {error.__cause__}".split("\n\n")[0])
                    wait_reported = True
            time.sleep(1)


def reproduce_by_command(root: str, address: str, environment: dict[str, str], options: dict[str, bool]) -> str:
    """Run `dvc --wait-for-lock repro --single-item ADDRESS`; returns "ran", "unchanged" or "failed"."""
    command = [sys.executable, "-P", "-m", "dvc", "--wait-for-lock", "repro", "--single-item", address]
    variables = {name: value for name, value in (flows.SILENT | os.environ).items() if name != "DVC_ROOT"}
    unchanged = False
    command += StageOptions(**options).arguments()
    with subprocess.Popen(
        command, cwd=root, env=variables | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as dvc:
        for line in dvc.stdout or ():
            unchanged |= b"didn't change, skipping" in line
            os.write(1, line)
    return "failed" if dvc.returncode else "unchanged" if unchanged else "ran"


if __name__ == "__main__":
    main()
