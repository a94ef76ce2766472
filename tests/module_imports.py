"""Which module of the project imports which, and which libraries, by reading their text."""

import ast
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path

PACKAGES = ("repline", "stages")


class Imports:
    """The imports of all modules of some packages.

    Args:
        root: the folder of the packages.
        packages: names of the packages.
    """

    def __init__(self, root: Path, packages: Iterable[str] = PACKAGES):
        self.root, self.packages = root, tuple(packages)
        self.files = {
            _dotted(path.relative_to(root)): path
            for package in self.packages
            for path in sorted((root / package).rglob("*.py"))
        }
        self._imports: dict[str, tuple[frozenset[str], frozenset[str]]] = {}

    def of(self, module: str) -> tuple[frozenset[str], frozenset[str]]:
        """The project's modules and the libraries that a module imports anywhere in its text."""
        if module not in self._imports:
            modules, libraries = set(), set()
            for name in _imported(ast.parse(self.files[module].read_text(encoding="utf-8"))):
                if name.split(".")[0] in self.packages:
                    modules |= self._modules(name)
                else:
                    libraries.add(name.split(".")[0])
            self._imports[module] = frozenset(modules - {module}), frozenset(libraries - set(sys.stdlib_module_names))
        return self._imports[module]

    def _modules(self, name: str) -> set[str]:
        """The module of an import, and the packages above it that run code."""
        while name not in self.files:  # a function or class
            name = name.rpartition(".")[0]
        parts = name.split(".")
        above = {".".join(parts[:depth]) for depth in range(1, len(parts))}
        return {name} | {package for package in above if package in self.files and self._runs(package)}

    @cache  # noqa: B019 - lives as long as the command
    def _runs(self, package: str) -> bool:
        """Whether a package is more than a docstring and a few names."""
        body = ast.parse(self.files[package].read_text(encoding="utf-8")).body
        return any(not isinstance(node, ast.Expr | ast.Assign) for node in body)

    def closure(self, module: str, without: Collection[str] = ()) -> set[str]:
        """The module and all that it imports, directly or not.

        Packages that are only a docstring are left out, and the modules of `without` with what they alone import.
        """
        modules, waiting = set(), list(self._modules(module))
        while waiting:
            name = waiting.pop()
            if name not in modules and name not in without:
                modules.add(name)
                waiting += self.of(name)[0]
        return modules


def _imported(tree: ast.AST) -> Iterator[str]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
