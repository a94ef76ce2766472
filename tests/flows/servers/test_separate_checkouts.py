"""The Dask runner on a worker that has a checkout of its own: a DVC remote carries the data."""

import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.flows.conftest import stage
from tests.flows.servers.dask_cluster import other_hosts

REASON = "no right to give a process a host name and mounts of its own"
pytestmark = pytest.mark.skipif(not other_hosts(), reason=REASON)


@pytest.fixture
def clone(repository, tmp_path) -> Path:
    """A clone of the repository, with a remote that both reach."""
    config = repository.read(".dvc/config")
    remote = f"['remote \"through\"']\n    url = {tmp_path / 'remote'}\n"
    repository.write(".dvc/config", f"{config}    remote = through\n{remote}")
    repository.write(".dvc/.gitignore", "/tmp\n/cache\n")
    metric = {"cmd": "cat out/b > metric", "deps": ["out/b"], "metrics": [{"metric": {"cache": False}}]}
    last = {"cmd": "cat metric > out/last", "deps": ["metric"], "outs": ["out/last"]}
    repository.stages({"a": stage("a"), "b": stage("b", after=("a",)), "metric": metric, "last": last})
    repository.dvc("repro", "--quiet", "a")  # the worker has to pull its output
    for command in ("add --all", "-c user.name=a -c user.email=a@example.org commit --quiet --message graph"):
        subprocess.run(["git", *command.split()], cwd=repository.root, check=True)
    subprocess.run(["git", "clone", "--quiet", str(repository.root), str(tmp_path / "clone")], check=True)
    return tmp_path / "clone"


def test_what_a_worker_writes_in_its_checkout_arrives_here(repository, clone, cluster, network, tmp_path):
    mounted = shlex.join(["mount", "--bind", str(clone), str(repository.root)])
    cluster.worker("one", host="host-one", mounted=mounted, DVC_SITE_CACHE_DIR=str(tmp_path / "site"))
    cluster.wait_for_workers(1)
    options = ("--runner", "dask", "--address", cluster.address, "--remote", "through")
    printed = repository.flow(*options, PREFECT_API_URL=network)
    assert "3 ran, 1 unchanged" in printed
    assert (clone / "times/runs").read_text().split() == ["b"] and repository.read("times/runs").split() == ["a"]
    assert [repository.read(name) for name in ("out/b", "metric", "out/last")] == ["b\n"] * 3
    repository.assert_clean()

    lock = yaml.safe_load(repository.read("dvc.lock"))
    (clone / "in.txt").write_text("another\n")
    printed = repository.flow("--force", *options, code=1, PREFECT_API_URL=network)
    assert "a ran in a checkout that differs from this one in in.txt" in printed and "Traceback" not in printed
    assert yaml.safe_load(repository.read("dvc.lock")) == lock
    repository.assert_clean()
