"""Map a function over a stream in parallel: results in order, few of them in memory."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from repline.errors import InputError


class Ready:
    """A result that needs no computing."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def done(self) -> bool:
        return True

    def result(self) -> Any:
        return self.value

    def cancel(self) -> bool:
        return True


@contextmanager
def pool(processes: int, executor: Any = None) -> Iterator[tuple[Executor | None, int, bool]]:
    """The executor of `ordered_map`: none (this process), new processes, or the one that the caller brings.

    Args:
        processes: how many compute, this one included.
        executor: a `concurrent.futures.Executor` or a Dask client; it is not shut down.

    Yields:
        `(executor, pending, share)`, the last three arguments of `ordered_map`.
    """
    if executor is not None:
        if hasattr(executor, "get_executor"):  # a Dask client
            workers = sum(executor.nthreads().values()) or 1
            yield executor.get_executor(pure=False), 2 * workers + 2, False
        else:
            yield executor, 2 * getattr(executor, "_max_workers", 4) + 2, False
    elif processes > 1:
        methods = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        # Ctrl-C reaches every process of a terminal: this one ends the others
        deaf = (signal.SIGINT, signal.SIG_IGN)
        own = ProcessPoolExecutor(processes - 1, mp_context=context, initializer=signal.signal, initargs=deaf)
        try:
            yield own, 2 * processes, True
        except BrokenProcessPool:
            raise InputError("a worker process was killed, most likely for want of memory; use fewer threads") from None
        finally:
            own.shutdown(wait=True, cancel_futures=True)
    else:
        yield None, 0, False


def ordered_map(
    function: Callable[[Any], Any],
    items: Iterable[Any],
    executor: Executor | None = None,
    pending: int = 0,
    share: bool = False,
) -> Iterator[Any]:
    """`map(function, items)`, computed ahead by an executor.

    Args:
        function: picklable when the executor has processes.
        items: taken one by one as results are used; a `Ready` item is its own result.
        executor: None computes here, one item at a time.
        pending: how many items may be under way.
        share: compute an item here when all places are taken, instead of waiting.
    """
    if executor is None:
        for item in items:
            yield item.value if isinstance(item, Ready) else function(item)
        return
    queue: deque[Any] = deque()
    try:
        for item in items:
            if isinstance(item, Ready):
                queue.append(item)
            elif sum(not future.done() for future in queue) < pending:
                queue.append(executor.submit(function, item))
            elif share:
                queue.append(Ready(function(item)))
            else:
                yield queue.popleft().result()
                queue.append(executor.submit(function, item))
            while queue and (queue[0].done() or len(queue) > 2 * pending):
                yield queue.popleft().result()
        while queue:
            yield queue.popleft().result()
    finally:
        for future in queue:
            future.cancel()
