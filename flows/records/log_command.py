"""The command `log`: how a run of a stage went, looked up by the stage's entry in dvc.lock."""

import sys
import time
from pathlib import Path

from flows.errors import InputError
from flows.records import fingerprint, history

MIB = 1 << 20


def command(root: Path, address: str, revision: str | None) -> int:
    """Print the time, the memory, the machine and the output of a run.

    Args:
        root: the project's folder.
        address: the stage as DVC names it in the root folder.
        revision: of Git; None for dvc.lock as it is now.

    Raises:
        InputError: no such run is kept here.
    """
    entry = fingerprint.at_revision(root, address, revision) if revision else fingerprint.here(root, address)
    where = f"dvc.lock of {revision}" if revision else "dvc.lock"
    if entry is None:
        raise InputError(f"{where} has no stage {address!r}")
    for record, output in history.runs(root, address):
        if record["fingerprint"] == entry:
            print(_head(record))
            sys.stdout.flush()
            if output.exists():
                sys.stdout.write(output.read_text(encoding="utf-8", errors="replace"))
            return 0
    raise InputError(
        f"no run of {address} with the inputs, parameters and outputs of {where} is kept here: it ran elsewhere, "
        "DVC took its outputs from the run-cache, or the record is too old"
    )


def _head(record: history.Record) -> str:
    moment = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record["started"]))
    host, cores = record["machine"]["host"], record["machine"]["cores"]
    return (
        f"# {record['stage']}, {moment}, {record['seconds']:.1f} s, {record['core_seconds']:.1f} core-seconds, "
        f"peak {record['peak_bytes'] / MIB:.0f} MiB, on {host} ({cores} cores)"
    )
