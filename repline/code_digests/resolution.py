"""What a name in a module stands for: definitions, modules and libraries."""

import fnmatch
import re
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .cache import Modules
from .module_definitions import Definition
from .statement_reader import ANY, Import
from .syntax import Chain

MODULE_ATTRIBUTES = {"__name__", "__file__", "__path__", "__spec__", "__doc__"}
ADDRESS = re.compile(rf"\.*[^\W\d][\w.{ANY}]*(:[\w.]+)?")  # of a module or something in it, as a text
Asked = frozenset[tuple[str, Chain]]  # modules, and what was looked for in each


class Node(NamedTuple):
    """Something that a command can reach.

    kind: "definition" (of `name` in `module`), "import" (importing the module executes something), "module" (all its
    definitions), "command" (all of them and its `__main__` block), "name" (what `name` of another package stands for:
    its address is in `module`), "sources" (the order of what binds `name` in `module`), "library" (whose version
    counts).
    """

    kind: str
    module: str
    name: str = ""

    def __str__(self) -> str:
        if self.kind == "definition":
            return f"{self.module}:{self.name}"
        if self.kind == "sources":
            return f"order of {self.module}:{self.name}"
        return f"{self.name} = {self.module}" if self.kind == "name" else f"{self.kind} {self.module}"


class Names:
    """The names of some modules.

    Args:
        modules: the modules of a project.
    """

    def __init__(self, modules: Modules):
        self._modules = modules

    def is_own(self, module: str) -> bool:
        """Whether a module is the project's, by its name."""
        return module.split(".")[0] in self._modules.packages

    def bound(self, module: str, name: str) -> list[str]:
        """The definitions of a module that bind a name."""
        return self._modules.bound(module).get(name, [])

    def named(self, module: str, chain: Chain, asked: Asked = frozenset()) -> Iterator[Node]:
        """The nodes that a name of a module, with attributes, leads to: a definition, or what is imported under it."""
        yield from (Node("definition", module, name) for name in self.bound(module, chain[0]))
        if chain[0] in self._modules.read(module).sources:
            yield Node("sources", module, chain[0])
        for imported in self._modules.imported(module).get(chain[0], ()):
            yield from self.imported(imported, chain[1:], asked)

    def imported(self, imported: Import, attributes: Chain, asked: Asked = frozenset()) -> Iterator[Node]:
        """The nodes that an imported name, with attributes, leads to."""
        if self.is_own(imported.module):
            chain = (imported.attribute, *attributes) if imported.attribute else attributes
            yield from self.inside(imported.module, chain, asked)
        else:
            yield from self.library(imported)

    def library(self, imported: Import) -> Iterator[Node]:
        """The name that an import from a library binds, and the library, whose version counts."""
        top = imported.module.split(".")[0]
        yield Node("name", ".".join(filter(None, (imported.module, imported.attribute))), imported.name)
        if top not in sys.stdlib_module_names:
            yield Node("library", top)

    def inside(self, module: str, chain: Chain, asked: Asked = frozenset()) -> Iterator[Node]:
        """The nodes that a chain of attributes of a module leads to.

        Args:
            asked: the questions on the way to this one. An import that asks one of them again has no name to give, but
                for a module inside a package: `from . import module` in its `__init__.py`.
        """
        if not self._modules.has(module):  # a folder without __init__.py, which only leads on, or not there at all
            if chain:
                yield from self.inside(f"{module}.{chain[0]}", chain[1:], asked)
            else:
                yield from self._below(module)
            return
        is_asked = (module, chain) in asked
        asked |= {(module, chain)}
        yield Node("import", module)
        if not chain:
            yield Node("module", module)
        elif not is_asked and (nodes := list(self.named(module, chain, asked))):
            yield from nodes
        elif self._modules.is_package(inner := f"{module}.{chain[0]}") or self._modules.has(inner):
            yield from self.named(module, ("__getattr__",), asked)  # which `from package import module` asks first
            yield from self.inside(inner, chain[1:], asked)
        elif chain[0] == "__path__":  # of a package: whoever reads it looks for modules
            yield from self._below(module)
        elif chain[0] not in MODULE_ATTRIBUTES and not is_asked:
            yield from list(self.named(module, ("__getattr__",), asked)) or [Node("module", module)]

    def executed(self, imports: Iterable[Import]) -> Iterator[str]:
        """The modules of the project that imports execute."""
        for imported in imports:
            if self.is_own(imported.module):
                inner = f"{imported.module}.{imported.attribute}"
                name = inner if imported.attribute and self._modules.has(inner) else imported.module
                yield from self.above(name)
                if self._modules.has(name):
                    yield name

    def above(self, module: str) -> Iterator[str]:
        """The packages that contain a module: they are imported before it."""
        parts = module.split(".")
        names = (".".join(parts[:depth]) for depth in range(1, len(parts)))
        yield from (name for name in names if self._modules.has(name))

    def by_text(self, text: str, module: str, is_taken: bool) -> Iterator[Node]:
        """The nodes that a text leads to as the address of modules, or of something in a module.

        Args:
            is_taken: whether a function near it takes modules by name, so that a single word, or the name of a module
                beside this one, may be meant.
        """
        if is_taken and text.endswith(".py"):  # the path of a file
            text = text.removesuffix(".py").removeprefix("./").replace("/", ".")
        if not ADDRESS.fullmatch(text) or not (is_taken or ("." in text and self.is_own(text))):
            return
        yield from self._at_address(text)
        if is_taken and (package := self._package(module)):
            yield from self._at_address(f"{package}.{text.lstrip('.')}")

    def library_names(self, module: str, definition: Definition) -> set[str]:
        """The full names that a definition reads of what it and its module import."""
        names = set()
        for chain in definition.chains:
            inner = (imported for imported in definition.imports if imported.name == chain[0])
            for imported in (*self._modules.imported(module).get(chain[0], ()), *inner):
                names.add(".".join(filter(None, (imported.module, imported.attribute, *chain[1:]))))
        return names

    def _at_address(self, address: str) -> Iterator[Node]:
        path, colon, name = address.partition(":")
        parts = path.split(".")
        for depth in range(len(parts), 0, -1):
            attributes = (*parts[depth:], *(name.split(".") if colon else ()))
            modules = fnmatch.filter(self._modules.names(), ".".join(parts[:depth]))
            for module in modules:
                if depth == len(parts) or any(self.named(module, attributes)):
                    yield from self.inside(module, attributes)
            if modules:
                return

    def _below(self, package: str) -> Iterator[Node]:
        return (Node("module", name) for name in self._modules.names() if name.startswith(f"{package}."))

    def _package(self, module: str) -> str:
        path = self._modules.path(module)
        return module if path and path.name == "__init__.py" else module.rpartition(".")[0]
