"""The modules of a project, each read when first needed, and cached in a file under the hash of its text."""

import hashlib
import json
import os
from collections.abc import Collection
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path

from .module_definitions import Definition, Module, read
from .statement_reader import Import

FORMAT = 11  # of the file; a file of another format is ignored


class Modules:
    """The modules of some packages.

    Args:
        root: the folder that the packages lie in.
        packages: names of the packages.
        file: the cache; None for no cache.

    Attributes:
        perhaps_libraries: those of the packages that may be found as libraries, so that their versions count as well.
    """

    def __init__(self, root: Path, packages: Collection[str], file: Path | None):
        self.perhaps_libraries: frozenset[str] = frozenset()
        self.root, self.packages, self._file = root, tuple(packages), file
        self._stored: dict[str, dict] = _load(file)
        self._used: dict[str, dict] = {}
        self.path = cache(self._path)
        self.read = cache(self._read)
        self.names = cache(self._names)
        self.definitions = cache(self._definitions)
        self.bound = cache(self._bound)
        self.imported = cache(self._imported)
        self.inside = cache(self._inside)
        self.is_package = cache(self._is_package)

    def has(self, name: str) -> bool:
        """Whether there is a file of this module."""
        return self.path(name) is not None

    def save(self) -> None:
        """Write the cache, if it has anything new."""
        if self._file and not self._used.keys() <= self._stored.keys():
            modules = {**self._stored, **self._used} if len(self._stored) < 4 * len(self._used) else self._used
            self._file.parent.mkdir(parents=True, exist_ok=True)
            partial = self._file.with_name(f".{self._file.name}.{os.getpid()}.partial")
            try:
                partial.write_text(json.dumps({"format": FORMAT, "modules": modules}), encoding="utf-8")
                os.replace(partial, self._file)
            finally:  # where the disk is full
                partial.unlink(missing_ok=True)

    def _path(self, name: str) -> Path | None:
        if name.split(".")[0] not in self.packages:
            return None
        stem = self.root.joinpath(*name.split("."))
        return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()), None)

    def _is_package(self, name: str) -> bool:
        return name.split(".")[0] in self.packages and self.root.joinpath(*name.split(".")).is_dir()

    def _read(self, name: str) -> Module:
        path = self.path(name)
        if path is None:
            raise KeyError(name)
        text = path.read_bytes()
        key = hashlib.sha256(b"%s\0%s" % (name.encode(), text)).hexdigest()[:32]
        if key in self._stored:
            self._used[key] = self._stored[key]
            return Module.from_json(self._stored[key])
        module = read(text.decode("utf-8"), name, path.name == "__init__.py")
        self._used[key] = module.as_json()
        return module

    def _names(self) -> list[str]:
        """All modules of the packages."""
        paths = (path.relative_to(self.root) for name in self.packages for path in (self.root / name).rglob("*.py"))
        return sorted({".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths})

    def _inside(self, name: str) -> list[str]:
        """The modules of a package, without those of packages in it."""
        return [inner for inner in self.names() if inner.rpartition(".")[0] == name]

    def _definitions(self, name: str) -> dict[str, Definition]:
        """The definitions of a module by their names."""
        return {definition.name: definition for definition in self.read(name).definitions}

    def _bound(self, name: str) -> dict[str, list[str]]:
        """What a module binds at top level -> the definitions that bind it."""
        bound: dict[str, list[str]] = {}
        for definition in self.read(name).definitions:
            for bound_name in definition.names:
                bound.setdefault(bound_name, []).append(definition.name)
        return bound

    def _imported(self, name: str) -> dict[str, list[Import]]:
        """What a module imports under each name at top level, or where it is run as `__main__`."""
        module = self.read(name)
        imports_of_main = (definition.imports for definition in module.definitions if definition.is_main)
        imported_by_name: dict[str, list[Import]] = {}
        for imported in chain(module.imports, *imports_of_main):
            imported_by_name.setdefault(imported.name, []).append(imported)
        return imported_by_name


def _load(file: Path | None) -> dict[str, dict]:
    if file is not None:
        with suppress(OSError, ValueError, KeyError):  # no file yet, or one of another version
            values = json.loads(file.read_text(encoding="utf-8"))
            if values["format"] == FORMAT:
                return values["modules"]
    return {}
