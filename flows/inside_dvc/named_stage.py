"""Load a stage by its file and its name: not all that DVC runs can be said in one target of its command line.

A target has no room for `a@b/dvc.yaml:train`, nor for a stage `a/b` in another folder; an item `x.dvc` of a foreach is
taken for a file. `dvc repro` without targets runs them all.
"""

from typing import Any


def load_by_name(repo: Any, target: str, file: str, name: str) -> None:
    """Let one repository of DVC take `target` for a stage.

    Args:
        file: the dvc.yaml or .dvc file of the stage, relative to the current folder.
        name: the name of the stage; empty for a .dvc file.
    """
    collect = repo.stage.from_target

    def from_target(requested: str, **options: Any) -> Any:
        if requested != target:
            return collect(requested, **options)
        return repo.stage.load_all(file, name or None, accept_group=False)

    repo.stage.from_target = from_target
