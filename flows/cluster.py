"""The stages on a Dask cluster whose workers share the checkout: `--runner dask --address tcp://host:port`."""

import importlib.util
import sys

from repline.errors import InputError


def check(address: str | None) -> None:
    """InputError if the Dask runner is not installed or there is no scheduler to go to."""
    if importlib.util.find_spec("prefect_dask") is None:
        raise InputError("--runner dask needs prefect-dask and distributed; install repline[dask]")
    if not address:
        raise InputError("--runner dask needs --address tcp://host:port, where a `dask scheduler` answers")
    from distributed import Client

    try:
        with Client(address, timeout=10, set_as_default=False) as client:
            if not client.nthreads():
                raise InputError(f"the Dask scheduler at {address} has no workers; start some: dask worker {address}")
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at {address} ({str(error) or type(error).__name__})") from None


def runner(address: str):
    """A Prefect task runner on the cluster. Its processes find this package in the checkout, wherever they started."""
    import cloudpickle
    from distributed import Client
    from prefect_dask import DaskTaskRunner

    from flows.stage import CHECKOUT

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        with Client(address, timeout=10, set_as_default=False) as client:
            for plugin in _plugins(str(CHECKOUT)):
                client.register_plugin(plugin)
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    return DaskTaskRunner(address=address)


def _plugins(checkout: str) -> list:
    """For the scheduler, which unpacks the tasks before it hands them on, and for the workers, also later ones."""
    from distributed import SchedulerPlugin, WorkerPlugin

    def find_checkout() -> None:
        import sys

        if checkout not in sys.path:
            sys.path.insert(0, checkout)

    class OnScheduler(SchedulerPlugin):
        name = "repline-checkout"
        idempotent = True

        def start(self, scheduler):
            find_checkout()

    class OnWorker(WorkerPlugin):
        name = "repline-checkout"

        def setup(self, worker):
            find_checkout()
            from flows import stage

            stage.resume()

    return [OnScheduler(), OnWorker()]
