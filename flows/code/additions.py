"""What `digests --add` writes into the dvc.yaml files of a project."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dvc.dependency import Dependency, ParamsDependency
from dvc.repo import Repo

from flows.code import dvc_yaml
from flows.code.commands import Run, runs
from flows.code.dvc_yaml import Change
from flows.code.stage_code import StageCode, StagesCode, writes_digests
from flows.code.words import count, listed
from flows.errors import InputError

NAMES = ("code", "code_digests")  # of the stage that writes the digests: the first that is free
TEMPLATE = re.compile(r"\$\{\s*([^}]*?)\s*\}")


@dataclass(frozen=True)
class Additions:
    """New texts of files, and what they add.

    Attributes:
        texts: the new text of each file that changes.
        summary: what they add, in lines.
    """

    texts: dict[Path, str]
    summary: list[str]


def additions(repo: Repo, code: StagesCode, program: str) -> Additions:
    """What is to be added so that each stage depends on the digests of its code.

    Args:
        program: how this program is started, for the stage that writes the digests.

    Raises:
        InputError: a file is written in a way that cannot be edited, or no name is free for the stage.
    """
    before = {path: path.read_text(encoding="utf-8") for path in {Path(stage.stage.path) for stage in code.stages}}
    texts, summary = dict(before), list[str]()
    for path in sorted(before):
        name = path.relative_to(code.root).as_posix()
        changes = {stage: _change(code, group, body) for stage, group, body in _groups(code, path, before[path])}
        texts[path] = dvc_yaml.with_changes(before[path], changes, name)
        if texts[path] != before[path]:
            covered = sorted({entry for change in changes.values() for entry in change.covered})
            summary.append(f"{name}: {count(changes, 'stage')} with digests of code under params")
            if covered:
                summary.append(
                    f"  and without its files under deps, so that a comment reruns nothing: {listed(covered)}"
                )
    has_stage = any(writes_digests(stage) for stage in repo.index.stages)
    if code.starts() and not has_stage:
        path, stage, output = code.root / "dvc.yaml", _free_name(repo, code), _relative(code.digests_file, code.root)
        text = texts.get(path, path.read_text(encoding="utf-8") if path.exists() else "")
        texts[path] = dvc_yaml.with_stage(text, stage, f"{program} digests", output, "dvc.yaml")
        summary += [
            f"dvc.yaml: the stage {stage!r}, which writes {output}",
            f"each stage runs once more now; if all were up to date, `dvc repro {stage} && dvc commit -f` spares that",
        ]
    return Additions({path: text for path, text in texts.items() if text != before.get(path)}, summary)


def files_still_named(code: StagesCode) -> Iterator[str]:
    """The Python that stages go on naming under `deps`, because a digest is not about all of it; a line each."""
    stages_by_name: dict[str, list[str]] = {}
    for stage in code.stages:
        covered = {entry.fs_path for entry in _dependencies(stage) if _is_covered(code, stage, entry)}
        for entry in _dependencies(stage) if stage.starts else ():
            if entry.fs_path not in covered and _modules(Path(entry.fs_path)):
                name = _relative(Path(entry.fs_path), code.root)
                stages_by_name.setdefault(name, []).append(stage.stage.addressing)
    for name, stages in sorted(stages_by_name.items()):
        yield f"{name} stays under deps of {listed(stages)}: its command does not reach all of it"


def _groups(code: StagesCode, path: Path, text: str) -> Iterator[tuple[str, list[StageCode], dict]]:
    """The stages of a file that run Python, those of a foreach or matrix together, with what the file says of them."""
    groups: dict[str, list[StageCode]] = {}
    for stage in code.stages:
        if Path(stage.stage.path) == path:
            groups.setdefault(stage.stage.name.partition("@")[0], []).append(stage)
    bodies = dvc_yaml.bodies(text)
    for name, group in sorted(groups.items()):
        if any(stage.starts for stage in group):
            yield name, group, bodies[name]


def _change(code: StagesCode, stages: list[StageCode], body: Mapping) -> Change:
    files = {os.path.relpath(code.digests_file, stage.stage.wdir) for stage in stages}
    if len(files) > 1:
        raise InputError(f"{stages[0].stage.addressing}: its folder depends on the item, so that no one path fits")
    entries = list(body.get("deps") or [])
    covered = []
    for position, entry in enumerate(entries):
        dependencies_by_stage = [_dependencies(stage) for stage in stages]
        if all(len(dependencies) == len(entries) for dependencies in dependencies_by_stage):
            pairs = zip(stages, dependencies_by_stage, strict=True)
            if isinstance(entry, str) and all(
                _is_covered(code, stage, dependencies[position]) for stage, dependencies in pairs
            ):
                covered.append(entry)
    return Change(files.pop(), _keys(code, stages, body), tuple(covered))


def _keys(code: StagesCode, stages: list[StageCode], body: Mapping) -> tuple[str, ...]:
    """The keys of stages that one entry of a file stands for: templates, where its items run different files."""
    keys = sorted({key for stage in stages for key in stage.starts})
    if all(sorted(stage.starts) == keys for stage in stages):
        return tuple(keys)
    command = body["cmd"]
    templates = {
        template
        for text in ([command] if isinstance(command, str) else command)
        for run in runs(TEMPLATE.sub(r"${\1}", text))
        if isinstance(run, Run) and (template := _template(run, _relative(Path(stages[0].stage.wdir), code.root)))
    }
    patterns = [re.compile(_pattern(template)) for template in templates]
    templates_fit = all(
        len(stage.starts) == len(patterns)
        and all(any(pattern.fullmatch(key) for pattern in patterns) for key in stage.starts)
        for stage in stages
    )
    return tuple(sorted(templates)) if templates_fit and templates else tuple(keys)


def _template(run: Run, folder: str) -> str | None:
    name = run.name.replace(".", "/") if run.kind == "module" else run.name
    path = os.path.normpath(os.path.join(folder, run.folder, name))
    return None if run.kind == "program" else path.removesuffix(".py")


def _pattern(template: str) -> str:
    parts = TEMPLATE.split(template)  # what stands between templates, and their insides in turn
    return "".join(re.escape(part) if position % 2 == 0 else ".+" for position, part in enumerate(parts))


def _dependencies(stage: StageCode) -> list[Dependency]:
    return [entry for entry in stage.stage.deps if not isinstance(entry, ParamsDependency)]


def _is_covered(code: StagesCode, stage: StageCode, entry: Dependency) -> bool:
    """Whether a dependency is a module or a folder of modules alone, all of whose code its stage's command reaches."""
    outputs = {out.fs_path for writer in code.stages for out in writer.stage.outs}
    path = Path(entry.fs_path)
    if not entry.is_in_repo or entry.fs_path in outputs:
        return False
    modules = _modules(path)
    return bool(modules) and modules == set(_contents(path)) and modules <= code.files(stage)


def _modules(path: Path) -> set[Path]:
    return {file for file in _contents(path) if file.suffix == ".py"}


def _contents(path: Path) -> Sequence[Path]:
    if path.is_file():
        return [path]
    return [file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts]


def _free_name(repo: Repo, code: StagesCode) -> str:
    """A name for the stage that writes the digests.

    Raises:
        InputError: none is free, or the file that it would write is something else.
    """
    if code.digests_file.exists() and not _has_digests(code.digests_file):
        raise InputError(
            f"{code.digests_file.name} is there and has no digests; "
            "[tool.dvc-parallel] in pyproject.toml may name another file: digests = ..."
        )
    taken = {getattr(stage, "name", "") for stage in repo.index.stages if Path(stage.path) == code.root / "dvc.yaml"}
    if name := next((name for name in NAMES if name not in taken), None):
        return name
    raise InputError(f"dvc.yaml: the names {' and '.join(NAMES)} belong to other stages")


def _has_digests(path: Path) -> bool:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return isinstance(values, dict) and all(isinstance(value, str | dict) for value in values.values())


def _relative(path: Path, root: Path) -> str:
    return Path(os.path.relpath(path, root)).as_posix()
