"""The code that each stage of a DVC project runs, and the digest of it."""

import os
import tomllib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count
from pathlib import Path

from dvc.dependency import ParamsDependency
from dvc.output import Output
from dvc.repo import Repo
from dvc.stage import PipelineStage, Stage

from flows.code import editable
from flows.code.commands import Run, Unseen, runs
from flows.code.project_code import ProjectCode, Start, module_name
from flows.code.versions import Versions
from flows.code_digests.statement_reader import digest
from flows.project import settings

SOURCES = "src"  # a folder of packages that needs no setting


@dataclass
class StageCode:
    """What a stage runs.

    Attributes:
        starts: key of its digest -> where its commands enter the project's code, for each file or function they run.
        unseen: what it runs besides, in words.
        programs: names of programs that it runs and that are not the project's.
    """

    stage: PipelineStage
    starts: dict[str, set[Start]] = field(default_factory=dict)
    unseen: list[str] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)


class StagesCode:
    """The code of all stages of a project.

    Args:
        repo: the project; nothing is run.
    """

    def __init__(self, repo: Repo):
        self.root = Path(repo.root_dir)
        self.versions = Versions(self.root)
        self.code = ProjectCode(self.versions)
        self.digests_file = self.root / settings.of(self.root).digests
        self.stages = [
            self._of_stage(stage)
            for stage in repo.index.stages
            if isinstance(stage, PipelineStage) and stage.cmd and not writes_digests(stage)
        ]
        keys = {key for stage in self.stages for key in stage.starts}
        names = distinct(keys, {key for stage in self.stages for key in self.named(stage)})
        for stage in self.stages:
            stage.starts = {names[key]: starts for key, starts in stage.starts.items()}

    def named(self, stage: StageCode) -> set[str]:
        """The digests that a stage depends on."""
        files = [entry for entry in stage.stage.deps if isinstance(entry, ParamsDependency)]
        return {key for entry in files if Path(entry.fs_path) == self.digests_file for key in entry.params}

    def starts(self) -> dict[str, set[Start]]:
        """Key of a digest -> all starts of the project that it is of."""
        starts: dict[str, set[Start]] = {}
        for stage in self.stages:
            for key, entries in stage.starts.items():
                starts.setdefault(key, set()).update(entries)
        return starts

    def parts(self, starts: Iterable[Start]) -> dict[str, str]:
        """The parts of a digest: each definition and library that can be reached -> its digest or version."""
        parts: dict[str, str] = {}
        for start in sorted(starts, key=str):
            for name, text in self.code.reached(start).parts.items():
                parts[name] = text if parts.get(name, text) == text else f"{parts[name]} {text}"
        return parts

    def digest(self, starts: Iterable[Start]) -> str:
        """16 hex digits that change with any part."""
        return digest(f"{name} {text}" for name, text in sorted(self.parts(starts).items()))

    def files(self, stage: StageCode) -> set[Path]:
        """The files of modules that a stage imports or runs, all of whose definitions it reaches.

        Where it may run what nobody sees, the `__main__` block of a file is one of them.
        """
        all_reached = [self.code.reached(start) for starts in stage.starts.values() for start in starts]
        if stage.unseen or any(reached.unseen for reached in all_reached):
            return {path for reached in all_reached for path in reached.files - reached.imported}
        return {path for reached in all_reached for path in reached.files}

    def _of_stage(self, stage: PipelineStage) -> StageCode:
        stage_code = StageCode(stage)
        commands = [stage.cmd] if isinstance(stage.cmd, str) else stage.cmd
        for run in (run for command in commands for run in runs(command, self._entry_points)):
            if isinstance(run, Unseen):
                stage_code.unseen.append(run.what)
            elif isinstance(entry := self._entry(run, Path(stage.wdir)), Unseen):
                stage_code.unseen.append(entry.what)
            elif entry is None:
                stage_code.programs.append(run.name)
            else:
                key, start = entry
                stage_code.starts.setdefault(key, set()).add(start)
        return stage_code

    def _entry(self, run: Run, wdir: Path) -> tuple[str, Start] | Unseen | None:
        """The key and the start of something that a command runs; None for a program that is not the project's."""
        current = Path(os.path.normpath(wdir / run.folder))
        folders = [*(Path(os.path.normpath(current / folder)) for folder in run.python_path), current, self.root]
        folders += [self.root / SOURCES, *(self.root / name for name in settings.of(self.root).packages)]
        folders += editable.searched(self.root)
        if run.kind == "script":
            file = Path(os.path.normpath(current / run.name))
            if not file.is_file():
                return Unseen(f"the script {run.name}, which is not there")
            return self._start([file.parent, *folders], module_name(file), file)
        if run.kind == "module":
            for name in (f"{run.name}.__main__", run.name):
                if file_of_module := _file_of(name, folders):
                    return self._start(folders, name, file_of_module)
            return Unseen(f"the module {run.name}, which is not the project's")
        if run.name not in self._entry_points:
            return None
        module, _, function = self._entry_points[run.name].partition(":")
        if (file_of_module := _file_of(module, folders)) is None:
            return Unseen(f"the program {run.name}, whose module {module} is not there")
        return self._start(folders, f"{module}:{function.partition('.')[0]}", file_of_module)

    def _start(self, folders: Iterable[Path], address: str, file: Path) -> tuple[str, Start] | Unseen:
        if not file.is_relative_to(self.root):
            return Unseen(f"{os.path.relpath(file, self.root)}, which lies outside of the project")
        start = Start(tuple(dict.fromkeys(folder for folder in folders if folder.is_dir())), address, file)
        try:
            self.code.of(start).start(address)
        except KeyError:
            return Unseen(f"{address}, which is not there")
        _, colon, function = address.partition(":")
        path = file.relative_to(self.root).as_posix().removesuffix(".py")
        return path.removesuffix("/__init__") + colon + function, start

    @cached_property
    def _entry_points(self) -> dict[str, str]:
        """Programs that the project installs, or that its settings name -> the functions that they call."""
        try:
            tables = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        except (OSError, ValueError):  # none, or a broken one, which whoever installs it is told
            return {}
        poetry = tables.get("tool", {}).get("poetry", {}).get("scripts", {})
        return {
            name: target
            for name, target in {**poetry, **tables.get("project", {}).get("scripts", {})}.items()
            if isinstance(target, str)
        } | settings.of(self.root).programs


def distinct(keys: Collection[str], named: Collection[str]) -> dict[str, str]:
    """A name for each key in a file where dots lead into tables, as DVC reads it: a table has no value besides.

    Args:
        keys: paths of what is run; "train.v2" cannot stand beside "train".
        named: those that stages depend on already, which keep their names where they can.

    Returns:
        key -> the same, or without dots and with a number where that is taken as well.
    """
    names: dict[str, str] = {}
    for key in sorted(keys, key=lambda key: (key not in named, key)):
        plain = key.replace(".", "_")
        candidates = chain([key, plain], (f"{plain}_{number}" for number in count(2)))
        names[key] = next(name for name in candidates if not any(_overlap(name, other) for other in names.values()))
    return names


def _overlap(name: str, other: str) -> bool:
    return f"{name}.".startswith(f"{other}.") or f"{other}.".startswith(f"{name}.")


def writes_digests(stage: Stage) -> bool:
    """Whether a stage is the one that writes the digests."""
    return isinstance(stage, PipelineStage) and len(stage.outs) == 1 and is_digests_file(stage.outs[0])


def is_digests_file(file: Output) -> bool:
    """Whether an output or a dependency is the file of digests."""
    root = Path(file.repo.root_dir)
    return Path(file.fs_path) == root / settings.of(root).digests


def _file_of(module: str, folders: Iterable[Path]) -> Path | None:
    return next(_files_of(module, folders), None)


def _files_of(module: str, folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        stem = folder.joinpath(*module.split("."))
        for path in (stem / "__init__.py", stem.with_name(f"{stem.name}.py")):
            if path.is_file():
                yield path
