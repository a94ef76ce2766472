"""The stages that are meant by targets: those of DVC, and systems of the project."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from dvc.exceptions import NoOutputOrStageError
from dvc.repo import Repo
from dvc.stage import Stage as DvcStage
from dvc.stage.exceptions import StageFileDoesNotExistError

from flows.errors import InputError
from flows.planning.selection import Selection
from flows.project import settings
from flows.project.nearest import nearest


def collect(repo: Repo, selection: Selection, folder: Path) -> list[DvcStage]:
    """The stages that the targets name; an empty list for all stages of the project.

    Args:
        folder: what the targets are relative to.

    Raises:
        InputError: there are no targets, and no dvc.yaml in their place.
    """
    if selection.all_pipelines:
        return []
    targets = selection.targets or ["dvc.yaml"]
    if not selection.targets and not (folder / "dvc.yaml").exists():
        raise InputError(f"{folder} has no dvc.yaml; name a target, or take every stage of the project with -P")
    stages: dict[DvcStage, None] = {}
    here = os.getcwd()
    os.chdir(folder)
    try:
        for target in targets:
            stages.update(dict.fromkeys(_named(repo, target, selection)))
    finally:
        os.chdir(here)
    return list(stages)


def _named(repo: Repo, target: str, selection: Selection) -> Sequence[DvcStage]:
    """The stages that DVC finds under a target; where it finds none, those of a system, or a stage of a system."""
    if selection.recursive or selection.glob:
        return list(repo.stage.collect(target, recursive=selection.recursive, glob=selection.glob))
    try:
        return [info.stage for info in repo.stage.collect_granular(target)]
    except (NoOutputOrStageError, StageFileDoesNotExistError) as error:
        systems_folder = settings.of(repo.root_dir).systems
        if systems_folder is None:
            raise
        system, colon, name = target.partition(":")
        root = Path(repo.root_dir)
        file = root / systems_folder / system / "dvc.yaml"
        if file.is_file():
            return [info.stage for info in repo.stage.collect_granular(f"{os.path.relpath(file)}{colon}{name}")]
        systems = [path.parent.name for path in root.glob(f"{systems_folder}/*/dvc.yaml")]
        if not systems or re.search("[/.@]", target):  # meant as a file, or as a stage of a group
            raise
        near = nearest(system, systems)
        raise InputError(f"{target!r} is no output, stage or system{near}") from error
