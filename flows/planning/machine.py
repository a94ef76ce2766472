"""Processor threads and GPUs of this machine, shared by all flows of a user: a lock file each, held by who uses it.

The system frees the locks of a process that ends, also of a killed one. Whoever looks at what is free does it under one
more lock, so that two flows never look at the same time.

What a stage holds is free for the flows that its command starts, which share it by more lock files.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from flows.errors import InputError
from flows.planning.lent_slots import PREFIX, LentSlots

LOOK_TIMEOUT = 1.0  # seconds to wait while another flow looks, which takes milliseconds


@dataclass
class Free:
    """Threads and GPUs that are free, by name, each with its lock, which this process holds while it looks.

    `borrowed`: what the stage holds that started this flow, as long as it runs; None where no stage did.
    """

    threads: dict[str, FileLock] = field(default_factory=dict)
    gpus: dict[str, FileLock] = field(default_factory=dict)
    borrowed: LentSlots | None = None


class Machine:
    """The threads and GPUs that this process may use, and that other flows may use too."""

    def __init__(
        self,
        threads: Iterable[str],
        gpus: Iterable[str],
        folder: Path | None = None,
        borrowed: LentSlots | None = None,
    ):
        """Make the folder of the lock files.

        Args:
            borrowed: what the stage holds that started this flow; None where no stage did.

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
        self._borrowed = borrowed
        self._held: dict[str, FileLock] = {}
        self._lent: dict[LentSlots, FileLock] = {}
        self._turn = self._lock("turn")
        self._has_looked = False

    @contextmanager
    def look(self, idle: bool = False) -> Iterator[Free]:
        """Lock what is free now; whatever `hold` does not take is free again after the block.

        Args:
            idle: nothing of this flow runs. If it takes nothing now either, it is its turn: no other flow starts
                anything before it does. Else many narrow stages elsewhere could keep a wide one waiting for ever.
                A flow that a stage started goes on, because the others may wait for what this stage holds.
        """
        free, before = Free(), len(self._held)
        with ExitStack() as stack:
            if not self._begin(stack, free):
                yield free
                return
            threads, gpus = self._lock_names(free.borrowed)
            for free_by_name, kind, lock_names in ((free.threads, "thread", threads), (free.gpus, "gpu", gpus)):
                for name, lock_name in lock_names.items():
                    lock = self._lock(lock_name)
                    if f"{kind}-{name}" not in self._held and _got(lock):
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

    def lend(self, threads: int, gpus: list[str]) -> LentSlots:
        """Let the flows that a stage starts use what it holds, until `take_back`; call it inside `look`."""
        lent = LentSlots(threads, tuple(gpus))
        self._lent[lent] = self._lock(lent.name)
        self._lent[lent].acquire()
        return lent

    def take_back(self, lent: LentSlots) -> None:
        """End what `lend` began."""
        self._lent.pop(lent).release()
        for file in self._folder.glob(f"*{lent.name}.lock"):
            file.unlink(missing_ok=True)

    def close(self) -> None:
        """Give back everything."""
        for lent in list(self._lent):
            self.take_back(lent)
        self.give_back(list(self._held))
        self._turn.release()

    def _begin(self, stack: ExitStack, free: Free) -> bool:
        """Whether this flow may look for free threads: no other flow is looking, and it is no other flow's turn."""
        try:
            stack.enter_context(self._lock("look").acquire(timeout=LOOK_TIMEOUT))
        except Timeout:
            return False  # the other flow was stopped in the middle (Ctrl-Z)
        if not self._has_looked:
            self._has_looked = True
            self._remove_left_files()
        free.borrowed = self._borrowed if self._is_running(self._borrowed) else None
        return self._turn.is_locked or _got(self._turn) or free.borrowed is not None

    def _remove_left_files(self) -> None:
        """Remove the lock files of stages whose run was killed."""
        for file in self._folder.glob(f"*{PREFIX}*.lock"):
            lock = self._lock(file.stem)
            if _got(lock):
                file.unlink(missing_ok=True)
                lock.release()

    def _is_running(self, borrowed: LentSlots | None) -> bool:
        """Whether the stage that lent something still runs."""
        if borrowed is None or not (self._folder / f"{borrowed.name}.lock").exists():
            return False
        lock = self._lock(borrowed.name)
        has_ended = _got(lock)
        lock.release()
        return not has_ended

    def _lock_names(self, borrowed: LentSlots | None) -> tuple[dict[str, str], dict[str, str]]:
        """The threads and the GPUs by name, each with the name of its lock, the borrowed threads first."""
        threads = {name: f"thread-{name}" for name in self.threads}
        gpus = {name: f"gpu-{name}" for name in self.gpus}
        if borrowed:
            names = [f"{number}-{borrowed.name}" for number in range(borrowed.threads)]
            threads = {name: f"thread-{name}" for name in names} | threads
            gpus |= {name: f"gpu-{name}-{borrowed.name}" for name in borrowed.gpus if name in gpus}
        return threads, gpus

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
