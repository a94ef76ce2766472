"""Map a function over a stream in parallel: results in order, few of them in memory."""

import functools
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from repline.errors import InputError

PATIENCE = 10.0  # seconds that a result of a cluster is waited for, before it is computed here


class Ready:
    """A result that needs no computing."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def done(self) -> bool:
        """Whether the result is there; it always is."""
        return True

    def result(self) -> Any:
        """The value that was computed already."""
        return self.value

    def cancel(self) -> bool:
        """Whether nothing is left to compute; nothing ever was."""
        return True


class _Cluster:
    """A Dask client's executor whose results never wait for a free worker: other stages may have taken them all, and
    this process itself runs on one of them."""

    def __init__(self, executor: Executor) -> None:
        self.executor, self.patience = executor, PATIENCE

    def submit(self, function: Callable[[Any], Any], item: Any) -> "_Sent":
        return _Sent(self, function, item)


class _Sent:
    """An item on its way through a cluster."""

    def __init__(self, cluster: _Cluster, function: Callable[[Any], Any], item: Any) -> None:
        self.cluster, self.function, self.item = cluster, function, item
        self.future = cluster.executor.submit(function, item)

    def done(self) -> bool:
        return self.future.done()

    def cancel(self) -> bool:
        return self.future.cancel()

    def result(self) -> Any:
        """From the cluster; computed here when it does not come, or the cluster is gone."""
        try:
            answers = self.future.result(self.cluster.patience)
        except (TimeoutError, CancelledError):
            self.cluster.patience = 0.0  # those that follow wait for the same workers
            self.future.cancel()
            return self.function(self.item)
        self.cluster.patience = PATIENCE
        return answers


@contextmanager
def pool(processes: int, executor: Any = None) -> Iterator[tuple[Executor | _Cluster | None, int, bool]]:
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
            yield _Cluster(executor.get_executor(pure=False)), 2 * workers + 2, True
        else:
            yield executor, 2 * getattr(executor, "_max_workers", 4) + 2, False
    elif processes > 1:
        methods = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        processes_here = ProcessPoolExecutor(
            processes - 1, mp_context=context, initializer=_leave_the_end_to_the_parent
        )
        try:
            yield processes_here, 2 * processes, True
        except BrokenProcessPool:
            raise InputError("a worker process was killed, probably for lack of memory; use fewer threads") from None
        finally:
            processes_here.shutdown(wait=True, cancel_futures=True)
    else:
        yield None, 0, False


def _leave_the_end_to_the_parent() -> None:
    """End with the process that began this one, and not before.

    Ctrl-C reaches every process of a terminal: the parent ends the others. Who waits for its next item would wait on
    when the parent is killed, because each worker holds the pipe of the items open for the others.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)


def ordered_map(
    function: Callable[[Any], Any],
    items: Iterable[Any],
    executor: Executor | _Cluster | None = None,
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
    packed = functools.partial(_packed, function)
    queue: deque[Any] = deque()
    sent: dict[Any, Any] = {}  # future -> item
    try:
        for item in items:
            if isinstance(item, Ready):
                queue.append(item)
            elif sum(not future.done() for future in queue) < pending:
                queue.append(executor.submit(packed, item))
                sent[queue[-1]] = item
            elif share:
                queue.append(Ready(function(item)))
            else:
                yield _result(queue.popleft())
                queue.append(executor.submit(packed, item))
            while queue and (queue[0].done() or len(queue) > 2 * pending):
                sent.pop(queue[0], None)
                yield _result(queue.popleft())
        while queue:
            if share and not queue[0].done() and (last := _not_begun(queue)):
                queue[last] = Ready(function(sent.pop(queue[last])))
            else:
                sent.pop(queue[0], None)
                yield _result(queue.popleft())
    finally:
        for future in queue:
            future.cancel()


def _packed(function: Callable[[Any], Any], item: Any) -> tuple[int, bytes]:
    """The bytes of a result, and these compressed. While this process computes, its thread that reads the pipe from
    another one has to wait for the interpreter at every 64 kB: a large result would hold that process up."""
    data = pickle.dumps(function(item), pickle.HIGHEST_PROTOCOL)
    return len(data), pa.compress(data, codec="zstd", asbytes=True)


def _result(computed: Any) -> Any:
    """The result of a task, whether this process computed it or another one."""
    if isinstance(computed, Ready):
        return computed.result()
    size, data = computed.result()
    return pickle.loads(pa.decompress(data, size, codec="zstd", asbytes=True))


def _not_begun(queue: Sequence[Any]) -> int | None:
    """The last place of a future that no process has begun; it is cancelled. At the end no process should only wait."""
    return next((position for position in range(len(queue) - 1, 0, -1) if _cancelled(queue[position])), None)


def _cancelled(future: Any) -> bool:
    return isinstance(future, Future) and not future.done() and future.cancel()
