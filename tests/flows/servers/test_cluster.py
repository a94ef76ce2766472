"""The Dask runner on workers that are processes of their own: which it accepts, and what it does on them."""

import shlex

import distributed
import pytest

from flows.errors import InputError
from flows.servers import cluster_check
from tests.flows.conftest import CHECKOUT, stage
from tests.flows.servers.dask_cluster import Cluster, other_hosts

hosts = pytest.mark.skipif(not other_hosts(), reason="no right to give a process a host name of its own")


def where(name: str) -> str:
    """A command that writes on which worker and host it runs."""
    return f"echo $WORKER $(hostname) > times/where-{name}"


@hosts
def test_stages_run_on_workers_with_folders_and_host_names_of_their_own(repository, cluster, network):
    cluster.worker("one", host="host-one")
    cluster.worker("two", host="host-two")
    cluster.wait_for_workers(2)
    names = ("a", "b")
    repository.stages({name: stage(name, 2.0, then=where(name)) for name in names})
    repository.flow("--runner", "dask", "--address", cluster.address, PREFECT_API_URL=network)
    assert {repository.read(f"times/where-{name}").strip() for name in names} == {"one host-one", "two host-two"}
    repository.assert_clean()


@pytest.mark.parametrize("names", [("", ""), pytest.param(("host-one", "host-two"), marks=hosts)], ids=["one", "two"])
def test_a_stage_of_a_killed_worker_ends_on_the_other(repository, cluster, network, names):
    for worker, name in zip(("one", "two"), names, strict=True):
        cluster.worker(worker, host=name)
    cluster.wait_for_workers(2)
    # the first time it stays where it is until its worker is dead
    once = "echo $WORKER >> times/workers && { test $(wc -l < times/workers) = 2 || sleep 60; }"
    repository.stages({"slow": stage("slow", then=once), "after": stage("after", after=("slow",))})
    flow = repository.start("--runner", "dask", "--address", cluster.address, PREFECT_API_URL=network)
    first = repository.wait_for("times/workers").strip()
    cluster.kill(first)
    printed = "".join(flow.communicate(timeout=90))
    assert flow.returncode == 0, printed
    second = {"one": "two", "two": "one"}[first]
    assert repository.read("times/workers").split() == [first, second]
    assert repository.read("times/runs").split() == ["slow", "after"]
    repository.assert_clean()


def test_gpu_stages_go_one_at_a_time_to_the_worker_with_a_gpu(repository, cluster):
    cluster.worker("plain")
    cluster.worker("gpu", "--resources", "GPU=1", "--nthreads", "2")
    cluster.wait_for_workers(2)
    gpu_stages = {name: stage(name, 1.0, then=where(name), meta={"gpu": 1}) for name in ("g1", "g2")}
    repository.stages({"c": stage("c", 1.0, then=where("c")), **gpu_stages})
    repository.flow("--runner", "dask", "--address", cluster.address)
    assert {repository.read(f"times/where-{name}").split()[0] for name in gpu_stages} == {"gpu"}
    (first, second) = sorted(repository.span(name) for name in gpu_stages)
    assert first[1] <= second[0]


def test_tls_is_that_of_the_dask_configuration(repository, environment, tmp_path):
    security = distributed.Security.temporary()
    keys = {"DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "true"}
    for role in ("scheduler", "worker", "client"):
        for kind in ("cert", "key"):
            path = tmp_path / f"{role}.{kind}"
            path.write_text(getattr(security, f"tls_{role}_{kind}"))
            keys[f"DASK_DISTRIBUTED__COMM__TLS__{role.upper()}__{kind.upper()}"] = str(path)
    (tmp_path / "ca").write_text(security.tls_ca_file)
    keys["DASK_DISTRIBUTED__COMM__TLS__CA_FILE"] = str(tmp_path / "ca")
    cluster = Cluster(tmp_path, environment | keys, security)
    try:
        cluster.worker("one")
        cluster.wait_for_workers(1)
        repository.stages({"a": stage("a", then=where("a"))})
        printed = repository.flow("--runner", "dask", "--address", cluster.address, code=1)
        assert "distributed.comm.tls" in printed and "Traceback" not in printed
        repository.flow("--runner", "dask", "--address", cluster.address, **keys)
        assert repository.read("times/where-a").split()[0] == "one"
    finally:
        cluster.stop()


@hosts
def test_a_worker_elsewhere_needs_an_api_that_it_can_reach(repository, offline, cluster):
    cluster.worker("one", host="host-one")
    cluster.wait_for_workers(1)
    repository.stages({"a": stage("a")})
    printed = repository.flow("--runner", "dask", "--address", cluster.address, code=1)
    assert "on host-one cannot reach a Prefect API on this machine's loopback" in printed
    assert "Traceback" not in printed and not repository.exists("out/a")


@hosts
def test_a_worker_that_does_not_share_the_folder_is_refused(repository, cluster):
    cluster.worker("one", mounted=shlex.join(["mount", "-t", "tmpfs", "none", str(repository.root)]))
    cluster.wait_for_workers(1)
    repository.stages({"a": stage("a")})
    printed = repository.flow("--runner", "dask", "--address", cluster.address, code=1)
    assert f"does not see what is written to {repository.root}" in printed
    assert "Traceback" not in printed


def test_a_worker_with_another_version_is_refused(repository, cluster, tmp_path):
    metadata = tmp_path / "packages" / "pyarrow-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: pyarrow\nVersion: 1.0\n")
    path = f"{metadata.parent}:{cluster.environment['PYTHONPATH']}"
    cluster.worker("one", PYTHONPATH=path)
    cluster.wait_for_workers(1)
    repository.stages({"a": stage("a")})
    printed = repository.flow("--runner", "dask", "--address", cluster.address, code=1)
    assert "has pyarrow 1.0, here it is" in printed and "Traceback" not in printed


def found(**changed):
    files, versions = ["hash", "marker"], {"Python": "3.11", "dask": "1"}
    return {"host": "here", "files": files, "versions": versions, "api": True} | changed


@pytest.mark.parametrize(
    ("changed", "url", "reason"),
    [
        ({}, None, None),
        ({"files": [None, "marker"]}, None, "every worker needs this checkout at the same path"),
        ({"files": ["other", "marker"]}, None, "it is another checkout"),
        ({"versions": {"Python": "3.12", "dask": "1"}}, None, "has Python 3.12, here it is 3.11"),
        ({"versions": {"Python": "3.11", "dask": None}}, None, "has dask (none), here it is 1"),
        ({"host": "there"}, None, "PREFECT_API_URL is not set"),
        ({"host": "there"}, "http://localhost:4200/api", "PREFECT_API_URL is http://localhost:4200/api"),
        ({"host": "there"}, "http://10.0.0.7:4200/api", None),
        ({"api": False}, "http://10.0.0.7:4200/api", "cannot reach the Prefect API at http://10.0.0.7:4200/api"),
    ],
)
def test_each_thing_that_is_wrong_with_a_worker_is_one_sentence(monkeypatch, tmp_path, changed, url, reason):
    monkeypatch.setattr(cluster_check, "_ask", lambda *_: {"tcp://there:1": found(**changed)})
    monkeypatch.setattr(cluster_check, "report", lambda *_: found(files=["hash"]))
    if reason is None:
        cluster_check.check(None, CHECKOUT, tmp_path, url)
        return
    with pytest.raises(InputError, match="the Dask worker tcp://there:1 on ") as error:
        cluster_check.check(None, CHECKOUT, tmp_path, url)
    assert reason in str(error.value)
