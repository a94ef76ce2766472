"""Stages as tasks on a Dask cluster whose workers share the checkout."""

import psutil
import pytest

from tests.flows.conftest import PATIENCE, stage, wait_until
from tests.flows.servers.dask_cluster import Cluster


@pytest.fixture(scope="module")
def address(environment, tmp_path_factory):
    """A scheduler and two worker processes, started elsewhere than in the checkout and not knowing where it is."""
    cluster = Cluster(tmp_path_factory.mktemp("dask"), environment)
    for name in ("one", "two"):
        cluster.worker(name)
    cluster.wait_for_workers(2)
    yield cluster.address
    cluster.stop()


def test_stages_run_on_the_workers_in_the_order_of_the_graph(repository, api, address):
    parents = "ps -o ppid= -p $(ps -o ppid= -p $PPID) >> times/workers"
    meet = "touch times/begun-{} && until [ -e times/begun-{} ]; do sleep 0.1; done && "  # each ends when both run
    a, b = (stage(name, then=meet.format(name, partner) + parents) for name, partner in ("ab", "ba"))
    bad = {"bad": stage("bad", after=("a",), then="echo no cheese && false"), "low": stage("low", after=("bad",))}
    repository.stages({"a": a, "b": b, "c": stage("c", after=("a", "b")), **bad})
    printed = repository.flow("--runner", "dask", "--address", address, code=1)
    assert "bad failed" in printed and "no cheese" in printed
    assert repository.span("c")[0] > max(repository.span("a")[1], repository.span("b")[1])
    assert min(repository.span("a")[1], repository.span("b")[1]) > max(repository.span("a")[0], repository.span("b")[0])
    states = {"a": "Completed", "b": "Completed", "c": "Completed", "bad": "Failed", "low": "Skipped"}
    assert api.states(5) == states
    assert len(set(repository.read("times/workers").split())) == 2
    run = api.last_flow_run()
    assert api.log(run, "no cheese")["task_run_id"] == api.tasks(run, 5)["bad"]["id"]
    repository.flow("--runner", "dask", "--address", address, "c")
    assert api.states(1) == {"trunk": "Cached"}


def test_an_interrupt_ends_the_stages_on_the_workers(repository, address):
    repository.stages({"slow": stage("slow", then="echo $$ > times/pid && sleep 600")})
    process = repository.start("--runner", "dask", "--address", address)
    pid = int(repository.wait_for("times/pid"))
    process.terminate()
    printed = "".join(process.communicate(timeout=PATIENCE))
    assert process.returncode == 130, printed
    wait_until(lambda: not psutil.pid_exists(pid))
    repository.stages({"quick": stage("quick")})
    repository.flow("--runner", "dask", "--address", address)  # the workers take new work afterwards
    repository.assert_clean()
