"""The files that a run wrote and Git tracks: DVC's locks and metrics. After a run they hold its numbers."""

import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from flows.display.progress import Progress


def lines(progress: Progress) -> Iterator[str]:
    """One line that says which kinds of tracked files differ from those in Git, how to keep or restore them; or none.

    Args:
        progress: a run at its end.
    """
    modified = _modified(progress)
    if not modified:
        return
    count = len(modified)
    kinds = Counter(Path(name).name for name in modified)
    counted = ", ".join(f"{number} {name}" for name, number in kinds.most_common())
    paths = " ".join(f"'*{name}'" for name in kinds)
    hold, them = ("file that Git tracks holds", "it") if count == 1 else ("files that Git tracks hold", "them")
    ways = f"to keep {them}: git add {paths}; to put {them} back: git restore {paths}"
    yield f"{count} {hold} what this run measured: {counted}; {ways}"


def _modified(progress: Progress) -> list[str]:
    """The locks and outputs of the plan that Git tracks and that differ from its last commit."""
    written = {out for stage in progress.plan.values() for out in stage.outs}
    written |= {str(Path(address.rpartition(":")[0] or "dvc.yaml").with_name("dvc.lock")) for address in progress.plan}
    command = ["git", "-C", str(progress.root), "diff", "--name-only", "--relative", "HEAD", "-z"]
    try:
        difference = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return []
    changed = difference.stdout.split("\0") if difference.returncode == 0 else []
    return [name for name in changed if name and _is_in(name, written)]


def _is_in(name: str, outputs: set[str]) -> bool:
    """Whether a file is one of some outputs, or lies in one."""
    return any(path in outputs for path in (name, *map(str, Path(name).parents)))
