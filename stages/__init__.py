"""The thin steps that DVC runs: each reads files and parameters, calls the library, and writes its outputs whole.

Every module here is a command (`python -m stages.dyck.generate`) that a person can copy out of a dvc.yaml and run.
"""

import errno
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path

import yaml

from repline.errors import InputError
from repline.files import write_json

RUNS = Path("data/scratch/runs")


def run(main: Callable[[], None]) -> None:
    """Run a stage's main: a person's mistake is one sentence on stderr and exit 1; wall time goes to the run record.

    The record (`data/scratch/runs/<stage>.json`) is what the report shows as machine and wall time. It is not an
    output: outputs are the same bytes on every run, times are not.
    """
    name = _stage_name()
    started = time.time()
    try:
        main()
    except InputError as error:
        sys.exit(f"{name}: {error}")
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            place = f" while writing {error.filename}" if error.filename else ""
            sys.exit(f"{name}: the disk is full{place}; free some space and run again, nothing was left half-written")
        raise
    write_json(
        RUNS / f"{name.replace('/', '.')}.json",
        {
            "stage": name,
            "started": started,
            "seconds": time.time() - started,
            "threads": threads(),
            "machine": {"cores": os.cpu_count(), "platform": platform.platform(), "python": platform.python_version()},
        },
    )


def threads(default: int = 1) -> int:
    """`meta.threads` of the stage that DVC is running; `default` when the module is run by hand.

    One by default, on purpose: two threads on a loaded two-core machine can be far slower than one, and the number
    of threads changes the last bits of a sum, so it belongs to the stage and not to the machine.
    """
    addressing = os.environ.get("DVC_STAGE", "")
    file, _, stage = addressing.rpartition(":")
    path = Path(os.environ.get("DVC_ROOT", ".")) / (file or "dvc.yaml")
    if not stage and not path.exists():
        return default
    try:
        stages = yaml.safe_load(path.read_text(encoding="utf-8"))["stages"]
    except (FileNotFoundError, KeyError, TypeError):
        return default
    meta = (stages.get((stage or addressing).split("@")[0]) or {}).get("meta") or {}
    return int(meta.get("threads", default))


def _stage_name() -> str:
    """The DVC address of the running stage ("stages/dyck/dvc.yaml:generate"), or the module when run by hand."""
    addressing = os.environ.get("DVC_STAGE")
    if addressing:
        return addressing
    module = getattr(sys.modules["__main__"], "__spec__", None)
    return "-".join([module.name if module else Path(sys.argv[0]).stem, *sys.argv[1:]])
