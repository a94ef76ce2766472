"""The functions of a project that its runs ask, each named in [tool.dvc-parallel.hooks] as "module:function".

read_parameters, merge_parameters    a parameter file, and one over another (`flows.project.parameters`)
check_parameters    refuse parameters before anything runs: (root, dvc.yaml files, names of params.yaml by stage)
reference_seconds   seconds of stages that have not run here: (root, profile) -> by address
summary             lines of the summary, and what to look at first: (root, outputs of the run) -> lines, place or None
compare             lines on how a run compares with an earlier one: (root, profile, outputs of the run) -> lines
artifacts           tables for Prefect: (root, profile, outputs that were written) -> `Artifact` mappings
schedule            when `refresh` looks for new data, and for which profile and targets: (root) -> `Schedule`
news                what is new upstream: (root, unfinished sources) -> what is new by source, sentences on the rest
acquiring           the stage that acquires a source: (source) -> address
explain_code        what changed behind a digest that the project writes itself: (root, key, digest before) -> lines

A function says what is wrong by a ValueError of one sentence.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypedDict

from flows.errors import InputError
from flows.project import settings
from flows.project.nearest import nearest

NAMES = (
    *("read_parameters", "merge_parameters", "check_parameters", "reference_seconds", "summary", "compare"),
    *("artifacts", "schedule", "news", "acquiring", "explain_code"),
)


class Artifact(TypedDict, total=False):
    """What Prefect shows of a run: a table (rows) or a text in Markdown; or a complaint about what it cannot show."""

    key: str
    description: str
    table: list[dict[str, object]]
    markdown: str
    complaint: str


class Schedule(TypedDict, total=False):
    """When `refresh` runs, the profile that it looks at, and the targets that it brings up to date.

    Attributes:
        cron: minute, hour, day of the month, month, day of the week.
        timezone: the zone of these times, such as Europe/Berlin; by default that of the machine.
        profile: by default that of the project.
        targets: by default everything that depends on what is new.
    """

    cron: str
    timezone: str
    profile: str
    targets: list[str]


def find(name: str) -> Callable[..., Any] | None:
    """The project's function of this name; None where it has none.

    Raises:
        InputError: it is not where pyproject.toml says, or a name that no run asks for.
    """
    hooks = settings.current().hooks
    for hook in hooks:
        if hook not in NAMES:
            raise InputError(f"pyproject.toml: there is no hook {hook!r}{nearest(hook, NAMES)}")
    if name not in hooks:
        return None
    module, _, function = hooks[name].partition(":")
    root = str(settings.current_root())
    if root not in sys.path:
        sys.path.insert(0, root)
    try:
        return _in_sentences(getattr(importlib.import_module(module), function))
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"pyproject.toml: the hook {name} is {hooks[name]!r}, which cannot be imported: {error}"
        ) from None


def _in_sentences(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def asked(*arguments: Any) -> Any:
        with _errors_for_people():
            return function(*arguments)

    return asked


@contextmanager
def _errors_for_people() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise InputError(str(error)) from error
