"""The command `digests`: write the digests of the code that each stage can reach, and let the stages depend on them."""

import os
from collections.abc import Iterator
from pathlib import Path

from dvc.repo import Repo

from flows.code import editable, explanation
from flows.code.additions import additions, files_still_named
from flows.code.environment import environment
from flows.code.stage_code import StagesCode
from flows.code.words import count, listed
from flows.errors import InputError
from flows.files import new_file, write_json
from flows.inside_dvc.quick_reading import read_quickly
from flows.project import hooks
from flows.project.broken_files import explained

NOTHING_TO_ADD = (
    "nothing to add: every stage that is seen to run Python of the project depends on the digest of its code"
)


def command(root: Path, program: str, *, add: bool) -> int:
    """Write the digests, or add the stage and the parameters that make DVC use them; returns 0.

    Args:
        root: the folder of the project.
        program: how this program is started ("dvc-parallel"), for the stage.
        add: edit the dvc.yaml files; the stage that is added writes the digests then.

    Raises:
        InputError: DVC cannot read the project, or a dvc.yaml is written in a way that cannot be edited.
    """
    if hooks.find("explain_code"):
        raise InputError("this project writes digests of its code itself: pyproject.toml has a hook explain-code")
    here = os.getcwd()
    read_quickly()
    try:
        with explained(root), Repo(str(root)) as repo:
            os.chdir(repo.root_dir)
            code = StagesCode(repo)
            print("\n".join(_add(repo, code, program) if add else _write(code, program)))
    finally:
        os.chdir(here)
    return 0


def _write(code: StagesCode, program: str) -> Iterator[str]:
    """Write the file and, for `explain`, what each digest is of; say what it leaves out."""
    values: dict = {}
    for key, starts in sorted(code.starts().items()):
        *folders, name = key.split(".")  # as DVC looks for a parameter
        section = values
        for folder in folders:
            section = section.setdefault(folder, {})
        section[name] = explanation.record(code, starts)
    write_json(code.digests_file, values)
    explanation.prune(code.root)
    yield f"{code.digests_file.relative_to(code.root)}: the digests of {count(code.starts(), 'command')}"
    yield from _unseen(code)
    for stage in code.stages:
        if missing := sorted(set(stage.starts) - code.named(stage)):
            yield (
                f"{stage.stage.addressing} runs {', '.join(missing)} and does not depend on the digest of it: "
                f"`{program} digests --add` adds that"
            )


def _add(repo: Repo, code: StagesCode, program: str) -> Iterator[str]:
    new = additions(repo, code, program)
    for path, text in new.texts.items():
        windows = path.exists() and b"\r\n" in path.read_bytes()
        with new_file(path) as partial:
            partial.write_text(text, encoding="utf-8", newline="\r\n" if windows else "\n")
    yield from new.summary or [NOTHING_TO_ADD]
    yield from files_still_named(code)
    yield from _unseen(code)
    if without_python := [stage.stage.addressing for stage in code.stages if not stage.starts and not stage.unseen]:
        programs = {name: "" for stage in code.stages if not stage.starts for name in stage.programs}
        yield f"no Python of the project is seen in {listed(without_python)}, which run {listed(programs)}"


def _unseen(code: StagesCode) -> Iterator[str]:
    """What stages may run that no digest is about, a line each."""
    stages_by_text: dict[str, list[str]] = {}
    for stage in code.stages:
        texts = [f"runs {what}" for what in stage.unseen]
        for start in sorted({start for starts in stage.starts.values() for start in starts}, key=str):
            texts += code.code.reached(start).unseen
        for text in dict.fromkeys(texts):
            stages_by_text.setdefault(text, []).append(stage.stage.addressing)
    if stages_by_text:
        yield "not seen in full, so what it runs belongs under deps:"
    for text, stages in sorted(stages_by_text.items()):
        yield f"  {listed(stages)}: {text}"
    yield from _without_version(code)


def _without_version(code: StagesCode) -> Iterator[str]:
    """The packages that no digest is about, because neither their code nor their version is known; a line each."""
    unknown = sorted(code.versions.unknown)
    folders = {package: folder for package in unknown if (folder := code.versions.folder_of(package))}
    if silent := environment(code.root).silent:
        yield f"{silent} does not say which libraries it has, so that versions are those beside this program"
    if absent := [package for package in unknown if package not in folders]:
        yield f"no version counts of {listed(absent)}: no lock file has it, and it is not installed here"
    for package, folder in folders.items():
        problem = f"nothing counts of {package}, which is installed as the folder {os.path.relpath(folder, code.root)}"
        if editable.is_inside(folder, code.root):
            yield f"{problem}: `packages` of [tool.dvc-parallel] in pyproject.toml may name the folder that it lies in"
        else:
            yield f"{problem}, outside of the project"
