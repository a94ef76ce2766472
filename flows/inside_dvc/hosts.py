"""Whose process holds files: DVC's table of files in use has pids, which mean something on one host only."""

import re
import socket
from types import SimpleNamespace


def on_this_host(command: str) -> str:
    """A command as the table names it, with this host."""
    return f"{command} (on {socket.gethostname()})"


def elsewhere(command: str) -> bool:
    """Whether an entry of the table was made on another host; one of a `dvc repro` by hand does not say."""
    found = re.search(r"\(on (\S+)\)$", command)
    return found is not None and found[1] != socket.gethostname()


def judge_own_locks_only() -> None:
    """DVC drops an entry whose pid is no process here; from now on it keeps those of other hosts."""
    from dvc import rwlock

    if isinstance(rwlock.psutil, SimpleNamespace):
        return
    check, pid_exists = rwlock._check_blockers, rwlock.psutil.pid_exists

    def check_blockers(tmp_dir, lock, info, *, mode, waiters):
        owners = [one for found in lock[mode].values() for one in (found if isinstance(found, list) else [found])]
        foreign = {int(owner["pid"]) for owner in owners if elsewhere(owner["cmd"])}
        rwlock.psutil = SimpleNamespace(pid_exists=lambda pid: pid in foreign or pid_exists(pid))
        check(tmp_dir, lock, info, mode=mode, waiters=waiters)

    rwlock._check_blockers, rwlock.psutil = check_blockers, SimpleNamespace(pid_exists=pid_exists)
