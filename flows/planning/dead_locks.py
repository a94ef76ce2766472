"""Entries of killed processes in DVC's table of files in use."""

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil
from dvc.exceptions import DvcException
from dvc.repo import Repo, lock_repo

from flows.inside_dvc.hosts import elsewhere


def drop_dead_locks(root: str | Path) -> None:
    """Remove what killed processes left in DVC's table of files in use."""
    with suppress(DvcException), Repo(str(root), _wait_for_lock=True) as repo, lock_repo(repo):
        drop_dead_entries(Path(repo.tmp_dir))


def drop_dead_entries(folder: Path) -> None:
    """Remove the entries of this host's dead processes: no other host can tell whether they live.

    DVC drops the entries of a dead process by itself, but not when its pid now belongs to another process, nor when
    the kill left half a table. The table is only written under the repository lock, which we hold."""
    path = folder / "rwlock"
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        written = path.stat().st_mtime
    except FileNotFoundError:
        return
    except json.JSONDecodeError:
        path.unlink()
        return
    readers = {file: _alive(owners, written) for file, owners in table.get("read", {}).items()}
    writers = {file: owner for file, owner in table.get("write", {}).items() if _alive([owner], written)}
    living = {"read": {file: owners for file, owners in readers.items() if owners}, "write": writers}
    if living != {"read": table.get("read", {}), "write": table.get("write", {})}:
        path.write_text(json.dumps(living), encoding="utf-8")


def _alive(owners: Iterable[dict], written: float) -> list[dict]:
    def lives(owner: dict) -> bool:
        if elsewhere(owner["cmd"]):
            return True
        try:
            process = psutil.Process(owner["pid"])
            return process.status() != psutil.STATUS_ZOMBIE and process.create_time() <= written + 1
        except psutil.Error:
            return False

    return [owner for owner in owners if lives(owner)]
