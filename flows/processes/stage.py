"""Run one DVC stage in a process group of its own, stream what it prints, and end it when asked to."""

import itertools
import logging
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import flows
from flows.processes import messages
from flows.processes.lines import Lines
from flows.processes.stage_environment import search_path
from flows.processes.stage_options import StageOptions
from flows.project.addresses import short
from flows.records import history, logs

CHECKOUT = Path(__file__).resolve().parents[2]
GRACE = 3.0  # seconds between asking a stage to stop and killing it
TAIL = 12  # lines of a failed stage's output that go into its message
# beginnings of the lines that DVC prints after the output of a failed command
DVC_SAYS = ("failed to reproduce", "failed to run:", "ERROR: failed to")
PIPE = 1 << 16  # bytes; no pipe holds more
PLAIN = StageOptions()

_logger = logging.getLogger("flows")
_starting = threading.Lock()
_asking = threading.Lock()  # one request at a time: the next one when this is taken
_warned = threading.Event()
_server: tuple[subprocess.Popen, socket.socket] | None = None
# called with the address of a stage whose command has ended well, while DVC records what it wrote
command_listeners: list[Callable[[str], None]] = []
_running: dict[str, int] = {}  # address -> process group
_stopping = threading.Event()


class StageFailed(Exception):
    """A stage did not finish; the message ends with the last lines it printed.

    `explained`: its output says, in one sentence under its name, what is wrong. Trying again would not help.
    """

    explained = False


class StageTimedOut(StageFailed, TimeoutError):
    """A stage took longer than its timeout. Prefect shows it as TimedOut."""

    def __repr__(self) -> str:
        return str(self)  # which Prefect puts into the state's message


class _Deadline:
    """When to end a stage that takes too long: an interrupt first, a kill after GRACE seconds."""

    def __init__(self, timeout: float | None):
        self.timeout, self.passed = timeout, False
        self._at = None if timeout is None else time.monotonic() + timeout

    def left(self) -> float | None:
        """Seconds to the deadline; None where there is none."""
        return None if self._at is None else max(self._at - time.monotonic(), 0.0)

    def due(self) -> signal.Signals | None:
        """The signal to send now, if any."""
        if self._at is None or time.monotonic() < self._at:
            return None
        signum = signal.SIGKILL if self.passed else signal.SIGINT
        self._at = None if self.passed else self._at + GRACE
        self.passed = True
        return signum


def prepare(libraries: str | Path | None = None) -> None:
    """Start the fork server now, so that it imports DVC while the caller does something else.

    Args:
        libraries: the project's folder, to import the libraries that it names too, so that no stage has to.
    """
    global _server
    with _starting:
        if _server and _server[0].poll() is None:
            return
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        variables = {name: value for name, value in os.environ.items() if name not in flows.set_here}
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "flows.processes.forkserver",
                str(theirs.fileno()),
                *([str(libraries)] if libraries else []),
            ],
            cwd=CHECKOUT,
            env={"PYTHONUNBUFFERED": "1"} | variables,  # the lines of a stage are seen as they come
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()
        _server = process, ours


def run(
    root: str,
    address: str,
    *,
    options: StageOptions = PLAIN,
    environment: dict[str, str] | None = None,
    log: Callable[[str], None] = print,
    ask: Callable[[str], bool] = lambda question: False,
    again: bool = False,
    timeout: float | None = None,
) -> str:
    """Reproduce one stage as `dvc repro --single-item` does, and wait for it.

    Args:
        root: the DVC repository.
        address: the stage as DVC names it ("stages/urn/dvc.yaml:train@dyck").
        options: those of `dvc repro`.
        environment: variables on top of this process's own.
        log: called with each line the stage prints.
        ask: answers DVC's question whether to run the stage; it comes with `interactive`.
        again: this is another try in the same run; its log file is appended to.
        timeout: seconds after which it is ended; None for never.

    Returns:
        "ran" (also when DVC restored the outputs from its run cache) or "unchanged".

    Raises:
        StageFailed: it exited with an error, was killed, took too long (StageTimedOut), or the flow is stopping.
    """
    prepare(libraries=root)  # for a worker of a cluster, which runs many stages
    started = time.time()
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    reading, writing = os.pipe()
    variables = {"PATH": search_path(root)} | (environment or {})
    request: dict[str, object] = {"root": root, "address": address, "environment": variables}
    request["options"] = asdict(options)
    try:
        _ask(request, [theirs.fileno(), writing])
    except OSError as error:
        raise StageFailed(
            f"{short(address)}: the process that starts the stages is gone ({error}); run again"
        ) from error
    finally:
        theirs.close()
        os.close(writing)
    path = logs.path(root, address)
    with control, open(reading, "rb", buffering=0) as output, logs.Log(path, again) as whole:
        try:
            outcome, usage = _follow(address, control, output, log, ask, whole, _Deadline(timeout))
        except StageFailed as error:
            if not _stopping.is_set():
                error.args = (f"{error}\n    all of it: {os.path.relpath(path)}",)
            raise
    if outcome == "ran" and usage and usage["peak_bytes"]:  # none where DVC took the outputs from its run-cache
        history.keep(Path(root), address, started, usage)
    return outcome


def _ask(request: dict[str, object], files: list[int]) -> None:
    """Send a request to the fork server and wait until it has taken it: until then the files must stay open here."""
    with _asking:
        if _server is None:
            raise ConnectionError("there is no fork server")
        messages.send(_server[1], request, files)
        if not messages.Inbox(_server[1]).next():
            raise ConnectionError("it ended")


def _follow(
    address: str,
    control: socket.socket,
    output,
    log: Callable[[str], None],
    ask: Callable[[str], bool],
    whole: logs.Log,
    deadline: _Deadline,
) -> tuple[str, history.Usage | None]:
    tail: deque[str] = deque(maxlen=TAIL)
    lines, outcome, group, refused = Lines(), None, None, False
    usage: history.Usage | None = None
    inbox = messages.Inbox(control)

    def say(line: str) -> None:
        tail.append(line)
        log(line)

    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        selector.register(output, selectors.EVENT_READ)
        finished = False
        while selector.get_map():
            # once the child has ended, only what is already in the pipe is read: a daemon may hold it open and write on
            last_turn = finished
            ready = {key.fileobj for key, _ in selector.select(0 if finished else deadline.left())}
            if not finished and group and (signum := deadline.due()):
                _signal(group, signum)
            if output in ready:
                chunk = os.read(output.fileno(), PIPE)
                whole.write(chunk)
                for line in lines.add(chunk):
                    say(line)
                if not chunk:
                    selector.unregister(output)
            if control in ready:
                messages_read = _read(inbox)
                for message in messages_read or []:
                    if "pid" in message:
                        group = _running[address] = message["pid"]
                        if _stopping.is_set():
                            _signal(group, signal.SIGKILL)
                    if "question" in message:
                        refused = not ask(message["question"])
                        with suppress(OSError):  # it was stopped meanwhile
                            control.sendall(messages.NO if refused else messages.YES)
                    if message.get("command") == 0:
                        for listener in list(command_listeners):
                            listener(address)
                    if "unfit" in message:
                        _warn(message["unfit"])
                    if "warning" in message:
                        _logger.warning(message["warning"])
                    outcome, usage = message.get("outcome", outcome), message.get("usage", usage)
                if messages_read is None or outcome:
                    selector.unregister(control)
                    _running.pop(address, None)
                    finished = True
            if last_turn:
                break
    for line in lines.end():
        say(line)
    if outcome in ("ran", "unchanged"):
        return outcome, usage
    if group:
        _signal(group, signal.SIGKILL)  # nothing of a failed stage goes on working on its outputs
    if _stopping.is_set():
        raise StageFailed(f"{short(address)}: stopped")
    title = short(address)
    if refused:
        raise _explained(f"{title}: not run, because the answer was no")
    last_lines = "".join(f"\n    {line}" for line in tail)
    if deadline.passed:
        raise StageTimedOut(f"{title} took longer than its timeout of {deadline.timeout:g} s{last_lines}")
    if outcome and (explanation := _explanation(title, tail)):
        raise _explained(explanation)
    raise StageFailed(f"{title} {'failed' if outcome else 'was killed'}{last_lines}")


def _explained(message: str) -> StageFailed:
    error = StageFailed(message)
    error.explained = True
    return error


def _explanation(title: str, lines: Iterable[str]) -> str:
    """The explanation that a stage printed, from the line that begins with its name, without DVC's lines after it."""
    explanation = itertools.dropwhile(lambda line: not line.startswith(f"{title}: "), lines)
    return "\n".join(itertools.takewhile(lambda line: not line.startswith(DVC_SAYS), explanation))


def _read(inbox: messages.Inbox) -> list[dict] | None:
    try:
        return inbox.read()
    except ConnectionResetError:  # killed before it had read all that we sent
        return None


def _warn(reason: str) -> None:
    """Warn once that stages start more slowly than they could."""
    if not _warned.is_set():
        _warned.set()
        _logger.warning("this DVC is not the one these flows know (%s): each stage starts a new `dvc repro`", reason)


def stop() -> None:
    """End every stage of this process: an interrupt first, a kill after GRACE seconds. New ones do not start."""
    _stopping.set()
    groups = set(_running.values())
    _signal_all(groups, signal.SIGINT)
    # only these groups: other stages may run after `resume`
    timer = threading.Timer(GRACE, _signal_all, [groups, signal.SIGKILL])
    timer.daemon = True
    timer.start()


def kill() -> None:
    """Kill every stage of this process, which is about to end; takes no lock, so that a signal handler may call it."""
    for group in list(_running.values()):
        _signal(group, signal.SIGKILL)


def is_stopping() -> bool:
    """Whether `stop` was called."""
    return _stopping.is_set()


def wait_unless_stopping(seconds: float) -> bool:
    """Wait, but not longer than until `stop` is called; whether it was."""
    return _stopping.wait(seconds)


def resume() -> None:
    """Let stages start again after `stop` (a long-lived process: a Dask worker, a test)."""
    _stopping.clear()


def _signal_all(groups: set[int], signum: int) -> None:
    """Send a signal to those of the process groups whose stage has not ended."""
    for group in groups.intersection(list(_running.values())):
        _signal(group, signum)


def _signal(group: int, signum: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signum)
