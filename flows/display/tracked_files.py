"""The files that a run wrote and Git tracks: DVC's locks and metrics. After a run they hold its numbers."""

import os
import re
import shlex
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from flows.display.progress import Progress
from flows.project.addresses import dvc_yaml

MAX_LISTED = 6  # more files are named by patterns
SPECIAL = re.compile(r"[*?\[\]\\:]|^-")  # in a path Git and its options read these as something else
STAGED = " "  # the second letter of `git status` for a file that is as it is staged


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
    paths = shlex.join(_pathspecs(progress.root, modified, list(kinds)))
    hold, them = ("file that Git tracks holds", "it") if count == 1 else ("files that Git tracks hold", "them")
    ways = f"to keep {them}: git add {paths}; to put {them} back: git restore {paths}"
    yield f"{count} {hold} what this run measured: {counted}; {ways}"


def _modified(progress: Progress) -> list[str]:
    """The locks and outputs of the plan that Git tracks and that differ from what is staged or committed."""
    written = {out for stage in progress.plan.values() for out in stage.outs}
    written |= {str(Path(dvc_yaml(address)).with_name("dvc.lock")) for address in progress.plan}
    changed = _git(progress.root, "diff", "--name-only", "--relative", "-z").split("\0")
    return [name for name in changed if name and _is_in(name, written)]


def _is_in(name: str, outputs: set[str]) -> bool:
    """Whether a file is one of some outputs, or lies in one."""
    return any(path in outputs for path in (name, *map(str, Path(name).parents)))


def _pathspecs(root: Path, names: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """What Git is told so that it takes these files and no others: patterns where they are many, else each path.

    Args:
        names: paths of files, relative to `root`.
        kinds: their names without folders, each once.
    """
    if len(names) > max(MAX_LISTED, len(kinds)) and not any(map(SPECIAL.search, kinds)):
        patterns = [f":(top,glob)**/{kind}" for kind in kinds]
        prefix = _git(root, "rev-parse", "--show-prefix").removesuffix("\n")
        if _changed(root, patterns) == {prefix + name for name in names}:
            return patterns
    paths = [os.path.relpath(root / name) for name in names]
    return [f":(literal){path}" if SPECIAL.search(path) else path for path in paths]


def _changed(root: Path, pathspecs: Sequence[str]) -> set[str]:
    """The files that `git add` or `git restore` could change, relative to the root of the Git repository."""
    status = _git(root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *pathspecs)
    return {entry[len("XY ") :] for entry in status.split("\0") if entry and entry[1] != STAGED}


def _git(root: Path, *arguments: str) -> str:
    """What a command of Git printed; nothing where there is no Git, or no repository."""
    try:
        process = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True)
    except FileNotFoundError:
        return ""
    return os.fsdecode(process.stdout) if process.returncode == 0 else ""
