"""Processor threads and GPUs of this machine, shared by all flows of a user: a lock file each, held by who uses it.

The system frees the locks of a process that ends, also of a killed one. Whoever looks at what is free does it under one
more lock, so that two flows never look at the same time.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from flows.errors import InputError

LOOK_TIMEOUT = 1.0  # seconds to wait while another flow looks, which takes milliseconds


@dataclass
class Free:
    """Threads and GPUs that are free, by name, each with its lock, which this process holds while it looks."""

    threads: dict[str, FileLock] = field(default_factory=dict)
    gpus: dict[str, FileLock] = field(default_factory=dict)


class Machine:
    """The threads and GPUs that this process may use, and that other flows may use too."""

    def __init__(self, threads: Iterable[str], gpus: Iterable[str], folder: Path | None = None):
        """Make the folder of the lock files.

        Raises:
            InputError: it cannot be made.
        """
        self._folder = folder or default_folder()
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"the folder of the locks of threads and GPUs cannot be made: {self._folder} ({error.strerror}); "
                "name another one by FLOW_SLOTS"
            ) from None
        self.threads, self.gpus = list(threads), list(gpus)
        self._held: dict[str, FileLock] = {}
        self._turn = self._lock("turn")

    @contextmanager
    def look(self, idle: bool = False) -> Iterator[Free]:
        """Lock what is free now; whatever `hold` does not take is free again after the block.

        Args:
            idle: nothing of this flow runs. If it takes nothing now either, it is its turn: no other flow starts
                anything before it does. Else many narrow stages elsewhere could keep a wide one waiting for ever.
        """
        free, before = Free(), len(self._held)
        with ExitStack() as stack:
            if not self._begin(stack):
                yield free
                return
            for free_by_name, kind, names in ((free.threads, "thread", self.threads), (free.gpus, "gpu", self.gpus)):
                for name in names:
                    key = f"{kind}-{name}"
                    lock = self._lock(key)
                    if key not in self._held and _got(lock):
                        free_by_name[name] = lock
            try:
                yield free
            finally:
                for lock in [*free.threads.values(), *free.gpus.values()]:
                    lock.release()
                if not idle or len(self._held) > before:
                    self._turn.release()

    def hold(self, free: Free, threads: int, gpus: list[str]) -> list[str]:
        """Take some of what is free; returns the keys to pass to `give_back`."""
        taken = {f"thread-{name}": free.threads.pop(name) for name in list(free.threads)[:threads]}
        taken |= {f"gpu-{name}": free.gpus.pop(name) for name in gpus}
        self._held |= taken
        return list(taken)

    def give_back(self, held: Iterable[str]) -> None:
        """Release what `hold` took, by its keys."""
        for key in held:
            self._held.pop(key).release()

    def close(self) -> None:
        """Give back everything."""
        self.give_back(list(self._held))
        self._turn.release()

    def _begin(self, stack: ExitStack) -> bool:
        """Whether this flow may look for free threads: no other flow is looking, and it is no other flow's turn."""
        try:
            stack.enter_context(self._lock("look").acquire(timeout=LOOK_TIMEOUT))
        except Timeout:
            return False  # the other flow was stopped in the middle (Ctrl-Z)
        return self._turn.is_locked or _got(self._turn)

    def _lock(self, name: str) -> FileLock:
        return FileLock(self._folder / f"{name}.lock", thread_local=False)


def default_folder() -> Path:
    """FLOW_SLOTS, or a folder of the user in the system's temporary one."""
    return Path(os.environ.get("FLOW_SLOTS") or Path(tempfile.gettempdir()) / f"flow-slots-{os.getuid()}")


def _got(lock: FileLock) -> bool:
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return False
    return True
