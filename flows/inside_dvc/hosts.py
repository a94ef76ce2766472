"""The host of each process in DVC's table of files in use, which has pids only: a pid names a process on one host."""

import re
import socket
from types import SimpleNamespace


def on_this_host(command: str) -> str:
    """A command with the name of this host, for the table."""
    return f"{command} (on {socket.gethostname()})"


def host_of(command: str) -> str | None:
    """The host that an entry of the table comes from; an entry of a `dvc repro` by hand names none."""
    host = re.search(r"\(on (\S+)\)$", command)
    return host[1] if host else None


def elsewhere(command: str) -> bool:
    """Whether an entry of the table comes from another host."""
    return host_of(command) not in (None, socket.gethostname())


def judge_own_locks_only() -> None:
    """Patch DVC: it drops an entry whose pid is no process here, but now keeps the entries of other hosts."""
    from dvc import rwlock

    if isinstance(rwlock.psutil, SimpleNamespace):
        return
    check, pid_exists = rwlock._check_blockers, rwlock.psutil.pid_exists

    def check_blockers(tmp_dir, lock, info, *, mode, waiters):
        owners = [owner for entry in lock[mode].values() for owner in (entry if isinstance(entry, list) else [entry])]
        foreign = {int(owner["pid"]) for owner in owners if elsewhere(owner["cmd"])}
        rwlock.psutil = SimpleNamespace(pid_exists=lambda pid: pid in foreign or pid_exists(pid))
        check(tmp_dir, lock, info, mode=mode, waiters=waiters)

    rwlock._check_blockers, rwlock.psutil = check_blockers, SimpleNamespace(pid_exists=pid_exists)
