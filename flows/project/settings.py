"""The table [tool.dvc-parallel] of a project's pyproject.toml, next to its folder .dvc; all of it may be left out."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from flows.errors import InputError
from flows.project.nearest import nearest

TABLE = "dvc-parallel"
COPIED = ".dvc/copied"  # in a workspace of a profile: the files that it has from the checkout


@dataclass(frozen=True)
class Fork:
    """Commands that run in forks of a process that has imported their libraries: `python -m PACKAGE.x.y`.

    The `python` of every stage is then the one that runs the flow, whatever PATH says: that of the forks.

    Attributes:
        package: the project's package of commands.
        libraries: what the process imports ahead; importing them must start no thread.
        reloaded: packages of the project that each command imports again, from the folder that it runs in.
    """

    package: str
    libraries: tuple[str, ...] = ()
    reloaded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """A page that a run rewrites: when a watched file changes, at the end, and where it is missing or out of date.

    Attributes:
        file: the page.
        sources: patterns of the other files that the page is made of; it is written again where one of them differs.
        watch: a pattern of files; a changed one means that the page has something new to show.
        live: the command for a page while the run goes on; one more argument says how far the run is.
        last: the command for the page at the end.
    """

    file: str
    sources: tuple[str, ...]
    watch: str
    live: tuple[str, ...]
    last: tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """What a project says about its runs.

    Attributes:
        scratch: the folder for logs, records, locks and workspaces; one that Git ignores.
        runs: the folder of run records, where the stages write some themselves.
        profile: the name of the parameters as they are in params.yaml; the others are profiles/*.yaml.
        systems: a folder whose folders with a dvc.yaml can be named as targets without it.
        data: a folder of results and users' files, which a workspace of another profile does not copy.
        first: stages without dependencies to run before anything is planned, because others depend on what they write.
        path_variables: environment variables that name a folder, relative to where a run was started.
        digests: the file with the digests of code by definition, which `digests` writes.
        packages: folders that packages of the project are imported from, besides its root folder and src.
        programs: commands that run code of the project (a plug-in, say) -> the function, as "module:function".
        hooks: functions of the project by the name of the hook (`flows.project.hooks`), as "module:function".
    """

    scratch: str = ".dvc/tmp/flow"
    runs: str | None = None
    profile: str = "default"
    systems: str | None = None
    data: str | None = None
    first: tuple[str, ...] = ()
    path_variables: tuple[str, ...] = ()
    digests: str = "code.json"
    packages: tuple[str, ...] = ()
    programs: dict[str, str] = field(default_factory=dict)
    hooks: dict[str, str] = field(default_factory=dict)
    fork: Fork | None = None
    page: Page | None = None


def of(root: str | Path) -> Settings:
    """The settings of the project whose root folder, that of its .dvc, is `root`.

    Raises:
        InputError: an unknown entry, one of another type, or a table that lacks one that it needs.
    """
    return _read(os.path.abspath(root))


def current() -> Settings:
    """The settings of the project that this process is in."""
    return of(current_root())


def current_root() -> Path:
    """The nearest folder with a .dvc, from this process's on upwards; its own where there is none."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / ".dvc").is_dir()), here)


def scratch(root: str | Path) -> Path:
    """The folder for files of a run that are no outputs: records, logs, workspaces."""
    return Path(root) / of(root).scratch


def runs(root: str | Path) -> Path:
    """The folder of the run records."""
    settings = of(root)
    return Path(root) / (settings.runs or f"{settings.scratch}/runs")


def is_workspace(root: str | Path) -> bool:
    """Whether a root folder is that of a workspace (`flows.workspaces.profiles`), and no checkout."""
    return Path(root, COPIED).exists()


@lru_cache(maxsize=64)
def _read(root: str) -> Settings:
    path = Path(root, "pyproject.toml")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get(TABLE, {})
    except FileNotFoundError:
        return Settings()
    except ValueError as error:
        raise InputError(f"{path}: this is not valid TOML ({error})") from None
    values = _checked(Settings, table, f"{path}: tool.{TABLE}")
    for name, kind in (("fork", Fork), ("page", Page)):
        if name in values:
            values[name] = kind(**_checked(kind, values[name], f"{path}: tool.{TABLE}.{name}"))
    if "hooks" in values:
        values["hooks"] = {name.replace("-", "_"): function for name, function in values["hooks"].items()}
    return Settings(**values)


def _checked(kind: type, table: Mapping[str, object], where: str) -> dict[str, Any]:
    """The entries of a table, with dashes in their names and lists in their values as this program has them."""
    values = {
        name.replace("-", "_"): tuple(value) if isinstance(value, list) else value for name, value in table.items()
    }
    names = [entry.name for entry in fields(kind)]
    for name, value in values.items():
        if name not in names:
            raise InputError(f"{where} has an entry {name!r}{nearest(name, names)}")
        annotation = next(str(entry.type) for entry in fields(kind) if entry.name == name)
        expected = tuple if "tuple" in annotation else str if "str" in annotation and "dict" not in annotation else dict
        if not isinstance(value, expected):
            words = {tuple: "a list", str: "a text", dict: "a table"}[expected]
            raise InputError(f"{where}.{name} should be {words}, found {value!r}")
    for entry in fields(kind):
        if entry.name not in values and entry.default is MISSING and entry.default_factory is MISSING:
            raise InputError(f"{where} has no entry {entry.name!r}, and needs one")
    return values
