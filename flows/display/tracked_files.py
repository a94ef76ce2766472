"""The files that a run wrote and Git tracks: DVC's locks and metrics. After a run they hold this machine's numbers."""

import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from flows.display.progress import Progress


def lines(progress: Progress) -> Iterator[str]:
    """One line that says which kinds of tracked files differ from those in Git, and how to put them back; or none.

    Args:
        progress: a run at its end.
    """
    modified = _modified(progress)
    if not modified:
        return
    count = len(modified)
    kinds = Counter(Path(name).name for name in modified)
    told = ", ".join(f"{count} {name}" for name, count in kinds.most_common())
    paths = " ".join(f"'*{name}'" for name in kinds)
    hold, them = ("file that Git tracks holds", "it") if count == 1 else ("files that Git tracks hold", "them")
    yield f"{count} {hold} what this machine measured: {told}; to put {them} back: git restore {paths}"


def _modified(progress: Progress) -> list[str]:
    """Of the locks and outputs of the plan, those that Git tracks and that differ from its last commit."""
    written = {out for stage in progress.plan.values() for out in stage.outs}
    written |= {str(Path(address.rpartition(":")[0] or "dvc.yaml").with_name("dvc.lock")) for address in progress.plan}
    command = ["git", "-C", str(progress.root), "diff", "--name-only", "--relative", "HEAD", "-z"]
    try:
        asked = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return []
    changed = asked.stdout.split("\0") if asked.returncode == 0 else []
    return [name for name in changed if name and any(one in written for one in (name, *map(str, Path(name).parents)))]
