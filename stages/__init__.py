"""The thin steps that DVC runs: each reads files and parameters, calls the library, and writes its outputs whole.

Every module here is a command (`python -m stages.urn.prepare_dyck`) that a person can copy out of a dvc.yaml and run.
"""

import ctypes
import errno
import gc
import os
import platform
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from repline import yaml_text
from repline.errors import InputError
from repline.files import write_json

RUNS = Path("data/scratch/runs")


def run(main: Callable[[], None]) -> None:
    """Run a stage's main: a person's mistake is one sentence on stderr and exit 1; wall time goes to the run record.

    A full disk and a read-only folder are sentences too, and Ctrl-C a word and exit 130. With --help the module's first
    lines are printed.

    The record (`data/scratch/runs/<stage>.json`) is what the report shows as machine, time and memory, and what the
    flow plans by. It is not an output: outputs are the same bytes on every run, times are not.
    """
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(f"usage: python -m {_module()} [NAME ...]\n\n{sys.modules['__main__'].__doc__ or ''}".strip())
        return
    name = _stage_name()
    started = time.time()
    _keep_memory()
    try:
        main()
        record = {
            "stage": name,
            "started": started,
            "seconds": time.time() - started,
            "threads": threads(),
            **usage(),
            "machine": {"cores": os.cpu_count(), "platform": platform.platform(), "python": platform.python_version()},
        }
        write_json(RUNS / f"{name.replace('/', '.')}.json", record)
    except (InputError, FloatingPointError) as error:  # the second: a training whose loss is not finite
        sys.exit(f"{_title()}: {error}")
    except Exception as error:
        if not (refusal := _refusal(error)):
            raise
        sys.exit(f"{_title()}: {refusal}; nothing was left half-written")


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
        stages = yaml_text.parse(path.read_text(encoding="utf-8"))["stages"]
    except (FileNotFoundError, KeyError, TypeError):
        return default
    stage_values = stages.get((stage or addressing).split("@")[0]) or {}
    meta = stage_values.get("do", stage_values).get("meta") or {}  # `foreach` stages have it under `do`
    return int(meta.get("threads", default))


def usage() -> dict[str, float | int]:
    """The time and memory used so far by this process and by its children that have ended.

    Returns:
        "core_seconds": time on processor cores, from the start of the process on; "peak_bytes": memory of the largest
        single process at its peak.
    """
    # a pool of processes leaves its server running; it counts, with its workers, once it has ended
    server = getattr(sys.modules.get("multiprocessing.forkserver"), "_forkserver", None)
    getattr(server, "_stop", lambda: None)()
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    unit = 1 if sys.platform == "darwin" else 1024  # bytes on macOS, KiB elsewhere
    return {
        "core_seconds": sum(user.ru_utime + user.ru_stime for user in used),
        "peak_bytes": max(user.ru_maxrss for user in used) * unit,
    }


def _keep_memory() -> None:
    """Let memory that is freed stay in this process, and look for cycles among objects more rarely.

    Tensors of a few megabytes come and go in every step of a training, and the system clears their pages each time. A
    list of a million words is searched for cycles again and again while it grows.
    """
    gc.set_threshold(20_000, 50, 50)
    if sys.platform == "linux":
        adjust = getattr(ctypes.CDLL(None), "mallopt", lambda option, value: 0)  # glibc has it, musl does not
        for option, value in ((-1, 1 << 30), (-2, 1 << 26), (-3, 1 << 25)):  # trim and padding of the heap, mmap
            adjust(option, value)


def _refusal(error: BaseException | None) -> str | None:
    """What the system refused, where an error or one that caused it says so; None for a fault of the program.

    torch and safetensors wrap or reword the error of a full disk.
    """
    full, others = (errno.ENOSPC, errno.EDQUOT), (errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG, errno.EMFILE)
    file = getattr(error, "filename", None)
    while error is not None:
        number = getattr(error, "errno", None)
        if number in full or any(os.strerror(code) in str(error) for code in full):
            return f"the disk is full{f' while writing {file}' if file else ''}; free some space and run again"
        if isinstance(error, OSError) and number in others:
            name = error.filename2 or error.filename
            return f"{f'{name}: ' if name else ''}{error.strerror}"
        error = error.__cause__ or error.__context__
    return None


def _stage_name() -> str:
    """The DVC address of the running stage ("stages/urn/dvc.yaml:prepare_dyck"), or the module when run by hand."""
    addressing = os.environ.get("DVC_STAGE")
    if addressing:
        return addressing
    return "-".join([_module(), *sys.argv[1:]])


def _module() -> str:
    """The name of the module that runs as a command."""
    module = getattr(sys.modules["__main__"], "__spec__", None)
    return module.name if module else Path(sys.argv[0]).stem


def _title() -> str:
    """The running stage as a person names it: "urn:train_dyck@turn", or by hand "stages.urn.train dyck turn"."""
    addressing = os.environ.get("DVC_STAGE")
    if addressing:
        return addressing.removeprefix("stages/").replace("/dvc.yaml:", ":")
    return " ".join([_module(), *sys.argv[1:]])


def _end_quietly(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        return sys.__excepthook__(kind, error, trace)
    print(f"{_title()}: interrupted", file=sys.stderr)
    sys.exit(130)


# `python -m stages.x.y` imports this package first, and spends its first seconds with imports: Ctrl-C may come in them
if sys.argv[0] == "-m":
    sys.excepthook = _end_quietly


# NumPy and PyTorch read it when they are loaded, which is after this. Without it each would take every core, and stages
# that run side by side would take them from each other: small matrix products then last twenty times as long.
os.environ["OMP_NUM_THREADS"] = str(threads())
