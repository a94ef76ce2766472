"""Memory: how much there is on this machine, and how much a stage says it takes."""

import re
from pathlib import Path

import psutil

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container, on Linux


def bytes_of(text: str) -> int | None:
    """The bytes of a size such as "8 GiB", "500MB" or "2g"; None where it is no size."""
    size = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?", text.strip().lower())
    return round(float(size[1]) * UNITS[size[2]]) if size and size[2] in UNITS else None


def of_this_machine() -> int:
    """The bytes that the processes of this machine, or of this container, may take together."""
    total = psutil.virtual_memory().total
    try:
        return min(total, int(CGROUP_LIMIT.read_text(encoding="utf-8")))
    except (OSError, ValueError):  # no container, or one without a limit
        return total
