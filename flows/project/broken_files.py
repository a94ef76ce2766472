"""Why DVC cannot read a project, in one sentence: an unfinished merge, a broken line, a name that params.yaml lacks."""

import itertools
import os
import re
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from dvc.exceptions import DvcException
from dvc.scm import SCMError
from dvc.utils.serialize import ParseError, parse_yaml_for_update
from dvc.utils.strictyaml import YAMLValidationError
from ruamel.yaml.error import MarkedYAMLError

from flows.errors import InputError
from flows.project import parameters
from flows.project.nearest import nearest

PARAMETERS = "params.yaml"
MARKER = "<<<<<<< "  # begins what Git leaves of a merge that it cannot finish
KEEP = "so keep one side (`git checkout --ours {path}` or `--theirs`), and run again"
TWICE = re.compile(r'found duplicate key "(.*?)" with value')
UNKNOWN = re.compile(r"Could not find '([\w.-]+)'")
UNSUPPORTED = "Unsupported value of type"  # how DVC's TypeError about a date in params.yaml begins
UNEXPECTED = (ValueError, TypeError, AttributeError, KeyError, ImportError)
NO_TEXT = "where a path or a name is a number, a date or true, write it as text, in quotes"
OURS = __name__.partition(".")[0]
NO_GIT = "is in no Git repository, and DVC needs one here; run `git init && git add .` in it, or clone the project"


@contextmanager
def explained(root: Path) -> Iterator[None]:
    """Say in one sentence why DVC cannot read the project in `root`, also where DVC ends in an error of Python.

    Raises:
        InputError: it cannot.
    """
    try:
        yield
    except DvcException as error:
        raise InputError(reason(root, error)) from error
    except UNEXPECTED as error:
        if isinstance(error, InputError) or not _is_dvcs(error) or str(error).startswith(UNSUPPORTED):
            raise
        number = "" if isinstance(error, ImportError) else f"; {NO_TEXT}"
        raise InputError(f"{root}: DVC cannot read the project ({error}){number}") from error


def _is_dvcs(error: BaseException) -> bool:
    """Whether an error was raised in DVC or by a library for it, and not in this package or a hook of the project."""
    frames = [
        frame.f_globals.get("__name__", "").partition(".")[0] for frame, _ in traceback.walk_tb(error.__traceback__)
    ]
    return "dvc" in itertools.takewhile(lambda name: name != OURS, reversed(frames))


def reason(root: Path, error: DvcException) -> str:
    """What a person can do about an error of DVC while it read the files of the project in `root`."""
    if any(isinstance(cause, SCMError) and "is not a git repository" in str(cause) for cause in _causes(error)):
        return f"{root} {NO_GIT}"
    path = next(filter(None, (getattr(cause, "path", None) for cause in _causes(error))), None)
    if isinstance(path, str | os.PathLike) and (problem := _damage(path)):
        return problem
    cause = error.__cause__
    if isinstance(error, YAMLValidationError):
        return f"{error.path.removeprefix('./')} is not valid: {'; '.join(dict.fromkeys(_wrong_entries(error)))}"
    if isinstance(error, ParseError) and isinstance(cause, MarkedYAMLError):
        line = f", line {cause.problem_mark.line + 1}" if cause.problem_mark else ""
        return f"{error.path}{line}: this is not valid YAML ({_problem(cause)})"
    unknown = UNKNOWN.search(str(error))
    explanation = _where_missing(root, unknown[1]) if unknown else f" ({cause})" if cause else ""
    return f"{root}: {' '.join(f'{error}{explanation}'.split())}"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _damage(path: str | os.PathLike[str]) -> str | None:
    """The sentence for a file that holds a merge, or for an empty dvc.lock; None for others."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    number = next((number for number, line in enumerate(text.splitlines(), 1) if line.startswith(MARKER)), None)
    if number:
        return f"{path}, line {number}: a merge of Git is not finished there, {KEEP.format(path=path)}"
    if not text.strip() and str(path).endswith(".lock"):
        return f"{path} is empty; restore it (`git checkout {path}`), or remove it to run its stages again"
    return None


def _wrong_entries(error: YAMLValidationError) -> Iterator[str]:
    """Each entry of a file that DVC does not allow or misses: its line, its keys from the outermost on, and why."""
    entries = parse_yaml_for_update(error.text, error.path)
    for problem in error.exc.errors:
        line = _line(entries, problem.path)
        where = ", ".join(filter(None, (f"line {line}" if line else "", ".".join(map(str, problem.path)))))
        yield f"{where}: {problem.error_message}" if where else problem.error_message


def _line(entries: Any, keys: Iterable[Any]) -> int | None:
    """The line of an entry of a file; of the nearest one above it where there is none."""
    line = None
    with suppress(AttributeError, KeyError, IndexError, TypeError):
        for key in keys:
            row, _ = entries.lc.item(key) if isinstance(key, int) else entries.lc.key(key)
            line, entries = row + 1, entries[key]
    return line


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
