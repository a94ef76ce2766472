"""The stages on a Dask cluster whose workers share the checkout: `--runner dask --address tcp://host:port`.

TLS (`tls://host:port`) is Dask's own: the keys of its configuration (`distributed.comm.tls`) hold for every client.
"""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.errors import InputError
from flows.project import settings
from flows.servers import cluster_check, prefect_server

if TYPE_CHECKING:
    from flows.planning.dvc_graph import Stage

CONNECTING = 10  # seconds that a scheduler has to answer
GPU = "GPU"  # the resource of a worker: dask worker --resources GPU=1
CHECKOUT = Path(__file__).resolve().parents[2]


def check(address: str, shared: bool = True) -> None:
    """InputError if the Dask runner is not installed, or the cluster at `address` is not one to run stages on.

    Args:
        address: of the scheduler.
        shared: whether the workers have to share the folder of the flow.
    """
    if importlib.util.find_spec("prefect_dask") is None:
        raise InputError("--runner dask needs prefect-dask and distributed; install dvc-parallel[dask]")
    if not address:
        raise InputError("--runner dask needs --address tcp://host:port, where a `dask scheduler` answers")
    with _client(address) as client:
        if not client.nthreads():
            raise InputError(f"the Dask scheduler at {address} has no workers; start some: dask worker {address}")
        folder = Path.cwd() if shared else settings.current_root()
        cluster_check.check(client, CHECKOUT, folder, prefect_server.configured(), shared)


@contextmanager
def _client(address: str) -> Iterator[Any]:
    from distributed import Client, Security
    from distributed.comm import get_address_host_port

    encrypted = address.startswith("tls://")
    if encrypted and not Security().get_connection_args("client").get("ssl_context"):
        raise InputError(f"{address} needs certificates, and Dask's configuration names none in distributed.comm.tls")
    try:
        get_address_host_port(address)  # a Client that has refused its address waits 20 s at its end
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, TimeoutError, TypeError, ValueError) as error:
        reason = str(error) or type(error).__name__
        reason += "; the certificates are those of Dask's configuration, distributed.comm.tls" if encrypted else ""
        raise InputError(f"no Dask scheduler answers at {address} ({reason})") from None
    with client:
        yield client


def runner(address: str, root: Path):
    """A Prefect task runner on the cluster. Its processes find this package in the checkout, wherever they started."""
    import cloudpickle
    from prefect_dask import DaskTaskRunner

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        with _client(address) as client:
            for plugin in _plugins(str(CHECKOUT), str(root)):
                client.register_plugin(plugin)
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    return DaskTaskRunner(address=address)


def gpus(client: Any) -> int:
    """How many GPU stages the cluster can run at the same time: the sum of its workers' resource `GPU`."""
    return int(sum(_gpus(client)))


@contextmanager
def placed(stage: "Stage", runner: Any) -> Iterator[None]:
    """Submit a stage inside the block to a worker that has its GPUs free, where workers have any."""
    max_gpus = max(_gpus(runner.client)) if hasattr(runner, "client") and stage.gpus and not stage.fingerprint else 0
    if not max_gpus:
        yield
        return
    import dask

    with dask.annotate(resources={GPU: min(stage.gpus, max_gpus)}):
        yield


def _gpus(client: Any) -> list[float]:
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    return [0, *(worker["resources"].get(GPU, 0) for worker in workers)]


def _plugins(checkout: str, root: str) -> list:
    """Plugins for the scheduler, which unpacks tasks before it hands them on, and for the workers, also later ones."""
    from distributed import SchedulerPlugin, WorkerPlugin

    def find_checkout() -> None:
        import sys

        if checkout not in sys.path:
            sys.path.insert(0, checkout)

    class OnScheduler(SchedulerPlugin):
        name = "dvc-parallel-checkout"
        idempotent = True

        def start(self, scheduler):
            find_checkout()

    class OnWorker(WorkerPlugin):
        name = "dvc-parallel-checkout"

        def setup(self, worker):
            import os

            find_checkout()
            from flows.planning import dead_locks
            from flows.processes import stage

            stage.resume()
            # a stage may map over the cluster that it runs on
            os.environ["DASK_SCHEDULER_ADDRESS"] = worker.scheduler.address
            dead_locks.drop_dead_locks(root)  # the worker's host alone can tell whether its processes live

    return [OnScheduler(), OnWorker()]
