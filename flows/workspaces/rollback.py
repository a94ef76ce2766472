"""Results as they were before a run that failed."""

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict

from dvc.repo import Repo
from dvc.stage import PipelineStage
from dvc.stage import Stage as DvcStage
from dvc.utils.serialize import dumps_yaml, parse_yaml_for_update

from flows.files import new_file, write_json
from flows.planning.dvc_graph import address_of
from flows.project import settings

FOLDER = "before_refresh"
INDEX = "index.json"


class Index(TypedDict):
    """What is kept of some stages.

    Attributes:
        addresses: of the stages.
        copies: by file or folder, relative to the project, the name of its copy; None for one that was not there.
        locked: by dvc.lock, relative to the project, the names of the stages in it.
    """

    addresses: list[str]
    copies: dict[str, str | None]
    locked: dict[str, list[str]]


class Before:
    """The outputs of some stages as dvc.lock records them, to be restored from DVC's cache.

    Kept on disk: dvc.lock, and outputs that DVC's cache does not have (metrics, which Git keeps; those of --no-commit).
    So what was there before a run that is cut off can be restored by the run that goes on with it.

    Args:
        root: the project's folder.
        addresses: the stages.
        goes_on: whether a run that was cut off goes on: what was kept for it stays as it is.
    """

    def __init__(self, root: Path, addresses: Iterable[str], goes_on: bool = False) -> None:
        self._root, self._folder = root.resolve(), settings.scratch(root) / FOLDER
        if not goes_on:
            self.forget()
        self._index = self._read() or Index(addresses=[], copies={}, locked={})
        new = set(addresses) - set(self._index["addresses"])
        with Repo(str(root)) as repo:
            for stage in repo.index.stages:
                if address_of(stage) in new:
                    self._keep(stage)
        write_json(self._folder / INDEX, self._index)  # last: without it nothing is kept

    def restore(self) -> list[str]:
        """Restore every output that has changed.

        Returns:
            the outputs that DVC's cache has lost meanwhile, relative to the project.
        """
        for name, copy in self._index["copies"].items():
            kept_copy = self._folder / copy if copy else None
            if name in self._index["locked"]:
                self._restore_lock(name, kept_copy)
            else:
                _replace(self._root / name, kept_copy)
        with Repo(str(self._root), _wait_for_lock=True) as repo:
            outs = [
                out
                for stage in repo.index.stages
                if address_of(stage) in self._index["addresses"]
                for out in stage.outs
                if out.use_cache and out.hash_info and self._name(Path(out.fs_path)) not in self._index["copies"]
            ]
            if outs:
                repo.checkout(targets=[out.fs_path for out in outs], force=True, allow_missing=True)
            return [self._name(Path(out.fs_path)) for out in outs if out.changed_cache()]

    def forget(self) -> None:
        """Remove what is kept."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _read(self) -> Index | None:
        try:
            return json.loads((self._folder / INDEX).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None

    def _name(self, path: Path) -> str:
        return os.path.relpath(path, self._root)

    def _keep(self, stage: DvcStage) -> None:
        self._index["addresses"].append(address_of(stage))
        file = Path(stage.path)  # a stage in a file of its own has its hashes there
        if isinstance(stage, PipelineStage):
            file = file.with_name("dvc.lock")
            self._index["locked"].setdefault(self._name(file), []).append(stage.name)
        uncached = [out for out in stage.outs if out.is_in_repo and (not out.use_cache or out.changed_cache())]
        for path in [file, *(Path(out.fs_path) for out in uncached)]:
            name = self._name(path)
            if name not in self._index["copies"]:
                copy = str(len(self._index["copies"]))
                _replace(self._folder / copy, path)
                self._index["copies"][name] = copy if path.exists() else None

    def _restore_lock(self, name: str, kept_copy: Path | None) -> None:
        """Restore the entries of the stages in a dvc.lock; what other stages have recorded meanwhile stays."""
        lock, names = self._root / name, set(self._index["locked"][name])
        before = kept_copy.read_text(encoding="utf-8") if kept_copy else ""
        now = lock.read_text(encoding="utf-8") if lock.exists() else ""
        old, new = (parse_yaml_for_update(text, str(lock)) for text in (before, now))
        entries = {stage: entry for stage, entry in new.get("stages", {}).items() if stage not in names}
        if entries == {stage: entry for stage, entry in old.get("stages", {}).items() if stage not in names}:
            _replace(lock, kept_copy)
            return
        entries |= {stage: entry for stage, entry in old.get("stages", {}).items() if stage in names}
        with new_file(lock) as partial:
            partial.write_text(dumps_yaml({**new, "stages": dict(sorted(entries.items()))}), encoding="utf-8")


def _replace(path: Path, by: Path | None) -> None:
    """Let a file or folder be what another one is; None, and one that is not there, remove it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    if by is None or not by.exists():
        path.unlink(missing_ok=True)
    elif by.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(by, path, symlinks=True)
    else:
        with new_file(path) as partial:
            shutil.copy2(by, partial)
