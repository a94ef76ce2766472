"""Entries of killed processes in DVC's table of files in use."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
from dvc.exceptions import DvcException
from dvc.repo import Repo, lock_repo

from flows.inside_dvc.hosts import elsewhere, host_of


def drop_dead_locks(root: str | Path) -> None:
    """Remove what killed processes left in DVC's table of files in use."""
    with suppress(DvcException), Repo(str(root), _wait_for_lock=True) as repo, lock_repo(repo):
        drop_dead_entries(Path(repo.tmp_dir))


def drop_locks_of_host(root: str | Path, host: str) -> None:
    """Remove what the stages on another host left in the table, once it is known that none of them runs."""
    with suppress(DvcException), Repo(str(root), _wait_for_lock=True) as repo, lock_repo(repo):
        _keep(Path(repo.tmp_dir) / "rwlock", lambda owner, written: host_of(owner["cmd"]) != host)


def drop_dead_entries(folder: Path) -> None:
    """Remove the entries of this host's dead processes: no other host can tell whether they live.

    DVC drops the entries of a dead process by itself, but not when its pid now belongs to another process, nor when
    the kill left half a table. The table is only written under the repository lock, which we hold."""
    _keep(folder / "rwlock", _lives)


def _keep(path: Path, lives: Callable[[dict, float], bool]) -> None:
    """Keep the entries whose owners live, by a function of the owner and of the time that the table was written."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        written = path.stat().st_mtime
    except FileNotFoundError:
        return
    except json.JSONDecodeError:
        path.unlink()
        return
    read, write = table.get("read", {}), table.get("write", {})
    readers = {file: [owner for owner in owners if lives(owner, written)] for file, owners in read.items()}
    writers = {file: owner for file, owner in write.items() if lives(owner, written)}
    living = {"read": {file: owners for file, owners in readers.items() if owners}, "write": writers}
    if living != {"read": read, "write": write}:
        path.write_text(json.dumps(living), encoding="utf-8")


def _lives(owner: dict, written: float) -> bool:
    if elsewhere(owner["cmd"]):
        return True
    try:
        process = psutil.Process(owner["pid"])
        return process.status() != psutil.STATUS_ZOMBIE and process.create_time() <= written + 1
    except psutil.Error:
        return False
