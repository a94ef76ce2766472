"""New lines of .gitignore in the order of the plan: DVC adds those of a stage when it ends, in any order here."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from dulwich.file import FileLocked
from dvc.exceptions import DvcException
from dvc.repo import Repo, lock_repo

from flows.files import new_file


class IgnoredOutputs:
    """The .gitignore files that the stages of a run may add lines to, as they are before it.

    Args:
        root: the DVC repository.
        outs: the outputs of all stages in the order of the plan, relative to the root.
    """

    def __init__(self, root: Path, outs: Sequence[str]):
        self._root = root
        self._names: dict[Path, list[str]] = {}
        for out in outs:
            self._names.setdefault((root / out).parent / ".gitignore", []).append(f"/{Path(out).name}")
        self._before = {file: _lines(file) for file in self._names}

    def put_in_order(self) -> None:
        """Put the lines that are new into the order in which `dvc repro` adds them.

        Where the project sets `core.autostage`, DVC has staged the files in Git, and they are staged once more.
        """
        if self._in_another_order():
            with (
                suppress(DvcException, FileLocked),
                Repo(str(self._root), _wait_for_lock=True) as repo,
                lock_repo(repo),
                repo.scm_context(quiet=True) as staging,
            ):
                for file, lines in self._in_another_order().items():
                    with new_file(os.path.realpath(file)) as partial:
                        partial.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")
                    staging.track_file(str(file))

    def _in_another_order(self) -> dict[Path, list[str]]:
        """The files that need another order -> their lines in it."""
        written = {file: _lines(file) for file in self._names}
        ordered = {file: in_order(lines, self._before[file], self._names[file]) for file, lines in written.items()}
        return {file: lines for file, lines in ordered.items() if lines != written[file]}


def in_order(lines: Sequence[str], before: Sequence[str], names: Sequence[str]) -> list[str]:
    """Lines of a .gitignore with the new ones in the order of `names`; all others stay where they are.

    Args:
        before: the lines that are not new.
        names: the outputs in the folder, each after a slash.
    """
    rank = {name.replace("\\", ""): position for position, name in enumerate(names)}
    ordered, old = list(lines), set(before)

    # DVC puts a backslash before what is a pattern to Git
    new = {row: line.rstrip("\n").replace("\\", "") for row, line in enumerate(lines) if line not in old}
    rows = [row for row, name in new.items() if name in rank]
    for row, source in zip(rows, sorted(rows, key=lambda row: rank[new[row]]), strict=True):
        ordered[row] = lines[source]
    return ordered


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8", errors="surrogateescape").splitlines(keepends=True) if file.exists() else []
