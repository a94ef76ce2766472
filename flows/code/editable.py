"""Packages that are installed as folders (`pip install -e libs/foo`), and where Python finds their modules."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from flows.code.environment import environment
from flows.project import settings

FINDER = re.compile(r"__editable___.*_finder\.py")  # a module of setuptools that finds packages one by one
LAYOUTS = ("src", ".")  # where packages lie in a folder, where nothing says so


@dataclass(frozen=True)
class Editable:
    """A distribution that is installed as a folder.

    Attributes:
        folder: the folder, as it was given to the installer.
        searched: the folders that Python searches for its modules.
    """

    folder: Path
    searched: tuple[Path, ...]


@cache
def editables(root: Path) -> Mapping[str, Editable]:
    """The name of each distribution that is installed as a folder for a project's stages -> where it lies."""
    return {
        str(distribution.name): Editable(folder, tuple(dict.fromkeys(_searched(distribution, folder))))
        for distribution in distributions(path=list(environment(root).folders))
        if (folder := _folder(distribution))
    }


def is_inside(folder: Path, root: Path) -> bool:
    """Whether a folder lies in a project; a workspace has the installed packages of its checkout."""
    return folder.resolve().is_relative_to(_checkout(root).resolve())


def searched(root: Path) -> list[Path]:
    """The folders inside a project that Python searches because a package in them is installed."""
    checkout = _checkout(root)
    folders = [folder for editable in editables(root).values() for folder in editable.searched]
    inside = (folder.resolve() for folder in folders if is_inside(folder, root))
    return [checkout / folder.relative_to(checkout.resolve()) for folder in inside]


def _checkout(root: Path) -> Path:
    if not settings.is_workspace(root):
        return root
    return next((folder for folder in root.parents if (folder / ".dvc").is_dir()), root)


def _folder(distribution: Distribution) -> Path | None:
    text = distribution.read_text("direct_url.json")
    values = json.loads(text) if text else {}
    return Path(url2pathname(urlsplit(values["url"]).path)) if values.get("dir_info", {}).get("editable") else None


def _searched(distribution: Distribution, folder: Path) -> Iterator[Path]:
    """The folders that a file .pth or the finder of setuptools names; the usual ones, where there is neither."""
    paths = [Path(str(file.locate())) for file in distribution.files or ()]
    pointers = [path for path in paths if path.is_file() and (path.suffix == ".pth" or FINDER.fullmatch(path.name))]
    for path in pointers:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".pth":
            lines = (line.strip() for line in text.splitlines() if not line.startswith(("import ", "import\t", "#")))
            yield from (path.parent / line for line in lines if line and (path.parent / line).is_dir())
        else:
            yield from _mapped(text)
    if not pointers:
        yield from (folder / layout for layout in LAYOUTS if (folder / layout).is_dir())


def _mapped(finder: str) -> Iterator[Path]:
    """The folders of the packages that a finder lists, where each package has the name of its folder."""
    for statement in ast.parse(finder).body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        target: ast.expr = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        for name, text in ast.literal_eval(statement.value).items() if ast.unparse(target) == "MAPPING" else ():
            path, parts = Path(text), name.split(".")
            if path.with_suffix("").parts[-len(parts) :] == tuple(parts):
                yield path.parents[len(parts) - 1]
