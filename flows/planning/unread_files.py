"""Why DVC cannot read a project, in one sentence: the line of a broken file, the name that params.yaml lacks."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dvc.exceptions import DvcException
from dvc.utils.serialize import ParseError
from ruamel.yaml.error import MarkedYAMLError

from flows.errors import InputError
from flows.project import parameters
from flows.project.nearest import nearest

PARAMETERS = "params.yaml"
TWICE = re.compile(r'found duplicate key "(.*?)" with value')
UNKNOWN = re.compile(r"Could not find '([\w.-]+)'")


def sentence(root: Path, error: DvcException) -> str:
    """What DVC says, for a person.

    Args:
        root: the project's folder.
        error: of DVC, while it read the files of the project.
    """
    cause = error.__cause__
    if isinstance(error, ParseError) and isinstance(cause, MarkedYAMLError):
        line = f", line {cause.problem_mark.line + 1}" if cause.problem_mark else ""
        return f"{error.path}{line}: this is not valid YAML ({_problem(cause)})"
    if unknown := UNKNOWN.search(str(error)):
        return f"{error}{_where_missing(root, unknown[1])}"
    return f"{error} ({cause})" if cause else str(error)


def _problem(error: MarkedYAMLError) -> str:
    problem = str(error.problem or error.context)
    twice = TWICE.match(problem)
    return f"the key {twice[1]!r} is there twice" if twice else problem


def _where_missing(root: Path, name: str) -> str:
    """The first part of a name that params.yaml lacks, and what is nearest to it; nothing where it has the name."""
    try:
        values: Any = parameters.read(root / PARAMETERS)
    except InputError:
        return ""
    above: list[str] = []
    for part in name.split("."):
        if not isinstance(values, Mapping):
            return ""
        if part not in values:
            return f": {PARAMETERS} has no {'.'.join([*above, part])!r}{nearest(part, values)}"
        above.append(part)
        values = values[part]
    return ""
