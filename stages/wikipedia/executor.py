"""Where the stages of Wikipedia compute: `wikipedia.executor` of params.yaml."""

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from repline.errors import InputError
from stages.wikipedia.settings import Executor


@contextmanager
def computing(executor: Executor) -> Iterator[Any]:
    """None for processes of the stage itself (`meta.threads`), or a client of the Dask cluster.

    The cluster is the one that the stage runs on (`--runner dask`), or that of the variable DASK_SCHEDULER_ADDRESS. Its
    certificates are those of Dask's configuration.

    Raises:
        InputError: there is no cluster, or it does not answer.
    """
    if executor == "processes":
        yield None
        return
    if importlib.util.find_spec("distributed") is None:
        raise InputError(
            "wikipedia.executor is dask, and distributed is not installed: `pip install 'repline[dask]'` brings it"
        )
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    if not address:
        raise InputError(
            "wikipedia.executor is dask, and there is no cluster: run the flow with --runner dask --address "
            "tcp://host:port, or set DASK_SCHEDULER_ADDRESS"
        )
    from distributed import Client

    try:
        client = Client(address, timeout=30, set_as_default=False)
    except (OSError, TimeoutError, TypeError, ValueError) as error:
        reason = str(error) or type(error).__name__
        raise InputError(f"wikipedia.executor is dask, and no scheduler answers at {address} ({reason})") from None
    with client:
        yield client
