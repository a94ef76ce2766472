"""Stages on workers that have a checkout of their own: data goes through a DVC remote, the rest with the task.

Before a stage runs, its worker writes the entries of the stages above into its dvc.lock and pulls their outputs; then
it pushes what the stage wrote. The flow does the same with the entry that comes back, so that its checkout ends as if
the stage had run there. Run-cache records go along: a stage whose worker died after its command had ended does not run
again, if the remote is DVC's default one. Outputs that DVC does not cache travel with the task itself.
"""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypedDict

from flows.processes.stage import StageFailed
from flows.project.addresses import file_and_name

_writing = threading.Lock()  # one dvc.lock at a time in this process


class Parcel(TypedDict):
    """What a checkout needs to know of stages that ran in another one.

    Attributes:
        entries: of dvc.lock, by the address of the stage.
        files: contents of outputs that DVC does not cache, by their names in the repository.
    """

    entries: dict[str, dict]
    files: dict[str, bytes]


class Elsewhere(TypedDict):
    """What a task brings to a worker that has a checkout of its own.

    Attributes:
        remote: the DVC remote that all checkouts reach.
        upstream: the addresses of the stages above, files ending in .dvc among them.
        upstream_parcel: what the checkout needs to know of them.
    """

    remote: str
    upstream: list[str]
    upstream_parcel: Parcel


def run(
    root: str, address: str, reproduce: Callable[[], str], remote: str, upstream: Iterable[str], upstream_parcel: Parcel
) -> tuple[str, Parcel]:
    """Run a stage in the checkout of this worker.

    Args:
        root: the checkout.
        address: the stage.
        reproduce: runs the stage, and says whether it "ran" or was "unchanged".
        remote, upstream, upstream_parcel: see `Elsewhere`.

    Returns:
        what `reproduce` says, and what the other checkouts need to know.
    """
    write(root, upstream_parcel)
    pull(root, upstream, remote)
    _share_run_cache(root, remote, "pull")
    outcome = reproduce()
    push(root, [address], remote)
    _share_run_cache(root, remote, "push")
    return outcome, parcel_of(root, [address])


def is_default(root: str, remote: str) -> bool:
    """Whether DVC takes results of the run-cache from this remote by itself."""
    from dvc.repo import Repo

    with Repo(root) as repo:
        return repo.config["core"].get("remote") == remote


def receive(root: str, address: str, parcel: Parcel, remote: str) -> None:
    """Bring a stage that ran elsewhere into this checkout.

    Raises:
        StageFailed: it ran with other inputs, parameters or another command than those of this checkout.
    """
    parcel_before = parcel_of(root, [address])
    write(root, parcel)
    if differing := _differing(root, address):
        write(root, {"entries": parcel_before["entries"] or {address: {}}, "files": {}})
        raise StageFailed(
            f"{address} ran in a checkout that differs from this one in {', '.join(differing)}; "
            "bring the checkouts of all workers to the same commit"
        )
    pull(root, [address], remote)


def parcel_of(root: str, addresses: Iterable[str]) -> Parcel:
    """The entries of stages in dvc.lock, and the contents of their outputs outside the cache."""
    from dvc.repo import Repo
    from dvc.utils.serialize import load_yaml

    parcel = Parcel(entries={}, files={})
    with _writing, Repo(root, _wait_for_lock=True) as repo:
        for address in addresses:
            file, name = _file_and_name(root, address)
            if not name:  # a .dvc file, which Git has
                continue
            lock = file.with_suffix(".lock")
            entry = load_yaml(str(lock))["stages"].get(name) if lock.exists() else None
            if entry is None:
                continue
            parcel["entries"][address] = entry
            for out in repo.stage.load_one(str(file), name).outs:
                if out.is_in_repo and not out.use_cache:
                    parcel["files"] |= _contents(Path(root), Path(out.fs_path))
    return parcel


def write(root: str, parcel: Parcel) -> None:
    """Write entries into the dvc.lock files of a checkout, and the files; an empty entry is removed."""
    from dvc.repo import Repo, lock_repo
    from dvc.utils.serialize import modify_yaml

    with _writing, Repo(root, _wait_for_lock=True) as repo, lock_repo(repo):
        for address, entry in parcel["entries"].items():
            file, name = _file_and_name(root, address)
            with modify_yaml(str(file.with_suffix(".lock"))) as data:
                data.setdefault("schema", "2.0")
                stages = {**data.get("stages", {}), name: entry}
                data["stages"] = {name: stages[name] for name in sorted(stages) if stages[name]}
        for relative, content in parcel["files"].items():
            path = Path(root, relative)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def pull(root: str, addresses: Iterable[str], remote: str) -> None:
    """Pull the outputs of stages."""
    _dvc(root, "pull", list(addresses), remote)


def push(root: str, addresses: Iterable[str], remote: str) -> None:
    """Push the outputs of stages."""
    _dvc(root, "push", list(addresses), remote)


def _share_run_cache(root: str, remote: str, direction: Literal["pull", "push"]) -> None:
    """Pull or push the records of what has run, where the remote can have them."""
    from dvc.repo import Repo
    from dvc.stage.cache import RunCacheNotSupported

    with _writing, suppress(RunCacheNotSupported), Repo(root, _wait_for_lock=True) as repo:
        getattr(repo.stage_cache, direction)(remote)


def _dvc(root: str, command: str, targets: list[str], remote: str) -> None:
    if not targets:
        return
    arguments = [sys.executable, "-P", "-m", "dvc", "--wait-for-lock", command, "--remote", remote, *targets]
    completed = subprocess.run(arguments, cwd=root, capture_output=True, text=True)
    if completed.returncode:
        lines = "\n    ".join([*completed.stdout.splitlines(), *completed.stderr.splitlines()][-12:])
        raise StageFailed(f"dvc {command} --remote {remote} {' '.join(targets)} failed\n    {lines}")


def _differing(root: str, address: str) -> list[str]:
    """What a stage, by its entry in dvc.lock, has read otherwise than it is here."""
    from dvc.repo import Repo

    with _writing, Repo(root, _wait_for_lock=True) as repo:
        file, name = _file_and_name(root, address)
        stage = repo.stage.load_one(str(file), name)
        changed_inputs = [
            path for dependency in stage.deps if dependency.is_in_repo for path in dependency.workspace_status()
        ]
        return ([f"the command of {name}"] if stage.changed_stage() else []) + changed_inputs


def _file_and_name(root: str, address: str) -> tuple[Path, str]:
    file, name = file_and_name(address)
    return Path(root, file), name


def _contents(root: Path, path: Path) -> dict[str, bytes]:
    """The contents of a file, or of the files in a folder."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    return {str(file.relative_to(root)): file.read_bytes() for file in files if file.exists()}
