"""Checks of a Dask cluster before a flow starts on it: the same checkout, the same versions, the API in reach."""

import ipaddress
import socket
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any, TypedDict

from flows.errors import InputError

# packages that send tasks and run stages; those that results depend on are in versions.yaml
TRANSPORT_PACKAGES = ("cloudpickle", "dask", "distributed", "dvc", "prefect", "prefect-dask")
LOCK, PACKAGE = "requirements.lock", "flows/__init__.py"  # one file of a checkout, or of an installed package


class WorkerReport(TypedDict):
    """What a process sees: its host, the SHA-256 of files, versions of packages, and whether the API answers."""

    host: str
    files: list[str | None]
    versions: dict[str, str | None]
    api: bool


def check(client: Any, checkout: Path, root: Path, url: str | None, shared: bool = True) -> None:
    """Ask every worker, and raise for the first thing that is wrong.

    Args:
        client: the client of the cluster.
        checkout: the folder of this package.
        root: where the flow was started.
        url: the Prefect API's, None for a private server on this machine.
        shared: whether the workers share `root`; if not, each needs a DVC repository of its own at the same path.

    Raises:
        InputError: a worker does not share one of the folders, has other versions, or cannot reach the API.
    """
    names = [*TRANSPORT_PACKAGES, *_names(checkout)]
    proof = str(checkout / (LOCK if (checkout / LOCK).exists() else PACKAGE))
    with tempfile.NamedTemporaryFile(dir=root, prefix=".flow-shared-") as marker:
        sign = marker.name if shared else str(root / ".dvc/config")
        reports = _ask(client, [proof, sign], names, _health(url))
    mine = report([proof], names, None)
    for worker, worker_report in sorted(reports.items()):
        if not shared and worker_report["files"][1] is None:
            where = f"worker {worker} on {worker_report['host']}"
            raise InputError(f"the Dask {where} has no checkout at {root}; make one there, of the same commit")
        if reason := _wrong(worker_report, mine, checkout, root, url):
            raise InputError(f"the Dask worker {worker} on {worker_report['host']} {reason}")


def report(files: Iterable[str], names: Iterable[str], health: str | None) -> "WorkerReport":
    """Host, file digests, versions and whether the API answers, as this process sees them. Imports nothing of ours."""
    import hashlib
    import platform
    import urllib.error
    import urllib.request

    def content(path: str) -> str | None:
        deadline = time.monotonic() + 5  # a network file system shows a new file after a while
        while True:
            try:
                return hashlib.sha256(Path(path).read_bytes()).hexdigest()
            except OSError:
                if time.monotonic() > deadline or not Path(path).parent.is_dir():
                    return None
                time.sleep(0.2)

    def version(name: str) -> str | None:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return None

    def answers(health: str) -> bool:
        try:
            urllib.request.urlopen(health, timeout=10).close()
        except urllib.error.HTTPError as error:
            return error.code in (401, 403)  # it is there, and Prefect has the key
        except OSError:
            return False
        return True

    return {
        "host": socket.gethostname(),
        "files": [content(path) for path in files],
        "versions": {
            "Python": ".".join(platform.python_version_tuple()[:2]),
            **{name: version(name) for name in names},
        },
        "api": health is None or answers(health),
    }


def _ask(client: Any, files: list[str], names: list[str], health: str | None) -> dict[str, WorkerReport]:
    import cloudpickle

    module = sys.modules[__name__]
    cloudpickle.register_pickle_by_value(module)  # a worker may not find this package
    try:
        return client.run(report, files, names, health)
    finally:
        cloudpickle.unregister_pickle_by_value(module)


def _wrong(
    worker_report: WorkerReport, report_here: WorkerReport, checkout: Path, root: Path, url: str | None
) -> str | None:
    lock, marker = worker_report["files"]
    if lock is None:
        return f"does not find {checkout / LOCK}: every worker needs this checkout at the same path"
    if lock != report_here["files"][0]:
        return f"has another {checkout / LOCK}: it is another checkout, where every worker has to share this one"
    if marker is None:
        return f"does not see what is written to {root}: every worker has to share this folder"
    for name, here in report_here["versions"].items():
        if (there := worker_report["versions"][name]) != here:
            return f"has {name} {there or '(none)'}, here it is {here or '(none)'}: install the same {LOCK} there"
    if worker_report["host"] != report_here["host"] and (url is None or _is_loopback(url)):
        where = f"is {url}" if url else "is not set"
        return (
            f"cannot reach a Prefect API on this machine's loopback (PREFECT_API_URL {where}): start one with `prefect "
            "server start --host 0.0.0.0` and set PREFECT_API_URL to its address in the network"
        )
    if not worker_report["api"]:
        return f"cannot reach the Prefect API at {url}; set PREFECT_API_URL to an address that it can reach"
    return None


def _names(checkout: Path) -> list[str]:
    """The packages that results depend on, where the folder of this package says so."""
    path = checkout / "versions.yaml"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line.partition(":")[0] for line in lines if not line.startswith("#")]


def _health(url: str | None) -> str | None:
    return f"{url.rstrip('/')}/health" if url else None


def _is_loopback(url: str) -> bool:
    host = urllib.parse.urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
