"""A barrier for threads of compiled code: each waits until all have come."""

from collections.abc import Callable
from typing import cast

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from repline.vectors.negative_sampling import compiled

LOOKS = 200  # at the counter of a barrier, before a thread gives way


def _atomic_addition(typing_context, counter, value):
    """The signature and the instructions of `_add_at_once`, see `numba.extending.intrinsic`."""

    def instructions(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("add", data, arguments[1], "seq_cst")

    return types.int64(counter, types.int64), instructions


# (counter, n): adds n to counter[0], with no other thread between reading and writing; the count before
_add_at_once = cast(Callable[[NDArray[np.int64], int], int], intrinsic(_atomic_addition))
_give_way = types.ExternalFunction("sched_yield", types.int32())  # of POSIX: lets other threads have the processor


@compiled
def wait_for_others(arrivals, threads):
    """Wait until all threads have come as often as this one.

    Batches take less than a millisecond, in which a lock of Python costs too much: this looks at a counter again and
    again, and lets other threads have the processor in between.

    Args:
        arrivals: int64 [1], how often threads have come here; 0 before the first.
    """
    if threads == 1:
        return
    mine = _add_at_once(arrivals, 1)
    awaited = (mine // threads + 1) * threads
    looks = 0
    while _add_at_once(arrivals, 0) < awaited:
        looks += 1
        if looks % LOOKS == 0:
            _give_way()
