"""What changed in the code behind a digest of data/code.json, for the flow's command `explain`."""

from functools import cache
from pathlib import Path

from repline.errors import InputError
from repline.parameters import Json
from stages.code import explain, project


def changes(root: Path, key: str, before: str | None) -> list[str]:
    """The definitions and libraries that changed since a stage ran, with the shortest way to each.

    Args:
        root: the project's folder.
        key: a digest, by the module that the stage runs ("stages.urn.train") or a source ("sources.urn").
        before: the digest in the stage's lock.

    Returns:
        a line each; none where the digest is the same.
    """
    now = _digest(root, key)
    if now == before:
        return []
    if key.startswith("sources."):
        return [f"the code that makes the source {key.partition('.')[2]} changed"]
    return explain.changes(root, key, before)


def _digest(root: Path, key: str) -> Json:
    value: Json = _digests(root)
    for name in key.split("."):
        if not isinstance(value, dict) or name not in value:
            raise InputError(f"{project.DIGESTS} has no digest of {key}: no stage runs it")
        value = value[name]
    return value


@cache
def _digests(root: Path) -> dict[str, Json]:
    return project.digests(root)
