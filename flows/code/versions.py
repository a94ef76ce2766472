"""Which version of a library counts: the one that the project's lock file pins, else the one that is installed."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.machinery import PathFinder
from pathlib import Path

from flows.code.editable import editables
from flows.code.environment import environment

LOCKS = ("uv.lock", "pylock.toml", "pdm.lock", "poetry.lock", "Pipfile.lock")
PIN = re.compile(
    r"^([A-Za-z0-9._-]+)[ \t]*(?:\[[^\]]*\])?[ \t]*(?:={2,3}[ \t]*([^\s;\\#,]+)|@[ \t]*(\S+))", re.MULTILINE
)
IN_SCRIPT = re.compile(r"^# /// script$\n((?:^#(?: .*)?$\n)+?)^# ///$", re.MULTILINE)  # the block of PEP 723
OF_THE_PROJECT = {"editable", "virtual", "directory"}  # kinds of source in uv.lock
# packages with another name than their distribution, for those that are in a lock file and not installed here
OTHER_NAMES = {
    **{"bs4": "beautifulsoup4", "cv2": "opencv-python", "dateutil": "python-dateutil", "dotenv": "python-dotenv"},
    **{"fitz": "pymupdf", "git": "gitpython", "PIL": "pillow", "skimage": "scikit-image", "sklearn": "scikit-learn"},
    **{"umap": "umap-learn", "yaml": "pyyaml", "pytorch_lightning": "pytorch-lightning"},
}


class Versions:
    """The version of each library by the top-level package that is imported.

    Args:
        root: the project's folder; lock files of the folders above it count too, up to the root of the repository.

    Attributes:
        unknown: packages asked for whose version neither a lock file nor the stages' environment knows.
    """

    def __init__(self, root: Path):
        self.unknown: set[str] = set()
        self._root, self._pins = root, _pins(root)

    def __call__(self, package: str) -> str:
        """The distributions of a package with their versions; empty where nothing is known of them."""
        names = self._installed.get(package) or [OTHER_NAMES.get(package, package)]
        versions = {_normal(name): self._pins.get(_normal(name)) or self._here(package, name) for name in names}
        if package and not any(versions.values()):  # `from . import x` outside of a package names no library
            self.unknown.add(package)
        return ", ".join(f"{name} {text}" for name, text in sorted(versions.items()) if text)

    def is_library(self, package: str) -> bool:
        """Whether Python takes a library of this name before a folder of the project without `__init__.py`."""
        if package in self._installed:
            spec = PathFinder.find_spec(package, environment(self._root).folders)
            return spec is not None and spec.origin is not None  # else one more folder without __init__.py
        return _normal(OTHER_NAMES.get(package, package)) in self._pins

    def folder_of(self, package: str) -> Path | None:
        """The folder that a package is installed from, where it is installed as a folder."""
        names = {_normal(name) for name in (package, *environment(self._root).packages.get(package, ()))}
        folders = (editable.folder for name, editable in editables(self._root).items() if _normal(name) in names)
        return next(folders, None)

    def _here(self, package: str, name: str) -> str | None:
        return environment(self._root).versions.get(name) if package in self._installed else None

    @cached_property
    def _installed(self) -> Mapping[str, list[str]]:
        """Top-level package -> its distributions, but for those that are installed as folders, whose code is read."""
        names = {
            package: sorted({name for name in distributions if name not in editables(self._root)})
            for package, distributions in environment(self._root).packages.items()
        }
        return {package: kept_names for package, kept_names in names.items() if kept_names}


def of_script(path: Path) -> str:
    """The libraries that a script asks for in the comments at its head, for `uv run` and its like; empty: none."""
    block = IN_SCRIPT.search(path.read_text(encoding="utf-8", errors="replace"))
    if not block:
        return ""
    try:
        tables = tomllib.loads(re.sub("^# ?", "", block[1], flags=re.MULTILINE))
    except ValueError:  # whoever runs it is told
        return ""
    return ", ".join(sorted(map(str, tables.get("dependencies", ()))))


def _pins(root: Path) -> dict[str, str]:
    """Distribution -> version, of the nearest lock file that has it; all where a marker decides which counts."""
    pins: dict[str, str] = {}
    for folder in (root, *root.parents):
        for path in _lock_files(folder):
            versions: dict[str, list[str]] = {}
            for name, pinned in _of_lock(path) if path.name in LOCKS else _of_requirements(path):
                versions.setdefault(_normal(name), []).append(pinned)
            pins = {name: " or ".join(dict.fromkeys(pinned)) for name, pinned in versions.items()} | pins
        if (folder / ".git").exists():
            break
    return pins


def _lock_files(folder: Path) -> list[Path]:
    """The lock files of a folder; requirements.txt counts before those for documents, tests and the like."""
    requirements = {*folder.glob("requirements*.txt"), *folder.glob("requirements*.lock")}
    locks = [path for path in (folder / name for name in LOCKS) if path.is_file()]
    return locks + sorted(requirements, key=lambda path: (path.stem != "requirements", path))


def _of_requirements(path: Path) -> Iterator[tuple[str, str]]:
    for name, pinned, address in PIN.findall(path.read_text(encoding="utf-8", errors="replace")):
        yield name, pinned or address


def _of_lock(path: Path) -> Iterator[tuple[str, str]]:
    try:
        text = path.read_text(encoding="utf-8")
        tables: Mapping[str, object] = json.loads(text) if path.name == "Pipfile.lock" else tomllib.loads(text)
    except ValueError:  # half merged: the installed versions count
        return
    packages = tables.get("package") or tables.get("packages")
    for entry in packages if isinstance(packages, list) else ():
        source = entry.get("source", {})
        if "name" in entry and "version" in entry and not (isinstance(source, dict) and OF_THE_PROJECT & source.keys()):
            yield str(entry["name"]), str(entry["version"])
    default = tables.get("default")
    for name, entry in default.items() if isinstance(default, dict) else ():
        if "version" in entry:
            yield name, str(entry["version"]).removeprefix("==")


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
