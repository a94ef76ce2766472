"""Which definitions a command can reach, and the digest of all of them.

A command runs a module. The module's definitions lead to others by the names that they read, from module to module by
its imports, and importing a module leads to whatever that executes. What is reached counts, whether or not it will be
called, so that a command whose digest is unchanged gives the same results.
"""

import builtins
import fnmatch
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from .cache import Modules
from .module_definitions import ANY, BUILT_IN, Chain, Definition, Import, digest

# builtins that do something when they are called at import
ACTING_BUILTINS = {
    "__import__",
    "breakpoint",
    "delattr",
    "eval",
    "exec",
    "globals",
    "input",
    "open",
    "print",
    "setattr",
}
# modules of the standard library whose calls at import do nothing but return a value
PURE = {
    *("abc", "collections", "contextlib", "dataclasses", "datetime", "enum", "fractions", "functools", "itertools"),
    *("math", "operator", "pathlib", "re", "string", "struct", "types", "typing"),
}
# methods of strings, numbers and collections that do nothing but return a value
PURE_METHODS = {
    *("difference", "encode", "endswith", "format", "get", "index", "intersection", "items", "join", "keys", "lower"),
    *("removeprefix", "removesuffix", "replace", "split", "splitlines", "startswith", "strip", "union", "upper"),
    "values",
}
MODULE_ATTRIBUTES = {"__name__", "__file__", "__path__", "__spec__", "__doc__"}

Asked = frozenset[tuple[str, Chain]]  # modules, and what was looked for in each


class Node(NamedTuple):
    """Something that a command can reach.

    kind: "definition" (of `name` in `module`), "import" (importing the module executes something), "module" (all its
    definitions), "command" (all of them and its `__main__` block), "name" (what `name` of another package stands for:
    its address is in `module`), "library" (whose version counts).
    """

    kind: str
    module: str
    name: str = ""

    def __str__(self) -> str:
        if self.kind == "definition":
            return f"{self.module}:{self.name}"
        return f"{self.name} = {self.module}" if self.kind == "name" else f"{self.kind} {self.module}"


COUNTED = ("definition", "name", "library")


class Code:
    """The code of a project, read as far as it is asked for.

    Args:
        root: the folder of its packages.
        packages: names of its packages; other packages are not read.
        pure: dotted names of libraries, or of functions in them, whose calls at import have no effect but what they
            return ("numpy", "torch.no_grad").
        version: (top-level package of a library) -> the text of its version for the digest; None where it does not
            count.
        without: definitions ("repline.files:write_json") that no result depends on: they do not count nor lead on.
        cache: a file that keeps what was read of each module; None for no such file.
    """

    def __init__(
        self,
        root: Path,
        packages: Collection[str],
        *,
        pure: Collection[str] = (),
        version: Callable[[str], str | None] = lambda _: "",
        without: Collection[str] = (),
        cache: Path | None = None,
    ):
        self.packages = tuple(packages)
        self.modules = Modules(root, packages, cache)
        self._pure, self._version, self._without = {*PURE, *pure}, version, set(without)
        self._next: dict[Node, set[Node]] = {}
        self._address = re.compile(rf"({'|'.join(map(re.escape, self.packages))})(\.[\w{ANY}]+)+(:\w+)?")

    def digest(self, command: str) -> str:
        """16 hex digits of all that a command can reach.

        Args:
            command: a module that is run ("stages.urn.train"), or a definition ("repline.corpora.made:write").
        """
        return digest(f"{node} {text}" for node, text in sorted(self.parts(command).items()))

    def parts(self, command: str) -> dict[str, str]:
        """The parts of a command's digest: name of each node -> digest of the definition, or version of the library.

        A name that stands for something of a library has an empty text.
        """
        reached = (node for node in self.reach(command) if node.kind in COUNTED)
        texts = {str(node): self._text(node) for node in reached}
        return {name: text for name, text in texts.items() if text is not None}

    def reach(self, command: str) -> dict[Node, Node | None]:
        """Each node that a command can reach -> the one before it on the shortest path; None for the command itself."""
        start = self.start(command)
        before: dict[Node, Node | None] = {start: None}
        waiting = [start]
        for node in waiting:  # it grows in the loop
            for following in sorted(self._leads_to(node)):
                if following not in before and str(following) not in self._without:
                    before[following] = node
                    waiting.append(following)
        return before

    def way(self, command: str, target: str) -> list[str]:
        """The shortest path from a command to a node, as names; empty where there is none."""
        before = self.reach(command)
        node = next((node for node in before if str(node) == target), None)
        way: list[str] = []
        while node is not None:
            way.append(str(node))
            node = before[node]
        return way[::-1]

    def start(self, command: str) -> Node:
        """The node of a command.

        Raises:
            KeyError: there is no such module or definition.
        """
        module, colon, name = command.partition(":")
        if not self.modules.has(module) or (colon and not self._bound(module, name)):
            raise KeyError(command)
        return Node("definition", module, name) if colon else Node("command", module)

    def dynamic(self, commands: Iterable[str]) -> dict[str, list[str]]:
        """Definitions within reach of some commands that find code by a computed name -> by which functions."""
        functions: dict[str, list[str]] = {}
        for command in commands:
            for node in self.reach(command):
                if node.kind == "definition" and (names := self._definition(node).dynamic):
                    functions[str(node)] = names
        return functions

    def _text(self, node: Node) -> str | None:
        if node.kind == "definition":
            return self._definition(node).digest
        return self._version(node.module) if node.kind == "library" else ""

    def _definition(self, node: Node) -> Definition:
        return self.modules.definitions(node.module)[node.name]

    def _leads_to(self, node: Node) -> set[Node]:
        if node not in self._next:
            self._next[node] = set(self._ways(node))
        return self._next[node]

    def _ways(self, node: Node) -> Iterator[Node]:
        if node.kind in ("name", "library"):
            return
        if node.kind == "definition":
            yield from self._from_definition(self._definition(node), node.module)
            return
        definitions = self.modules.definitions(node.module).values()
        if node.kind == "import":
            yield from self._above(node.module)
            yield from self._executed(self.modules.read(node.module).imports)
            yield from self._imported_for_effect(node.module)
            executed = [
                definition
                for definition in definitions
                if not definition.is_main and (definition.acts or self._acts(definition, node.module))
            ]
        else:
            yield Node("import", node.module)
            executed = [definition for definition in definitions if node.kind == "command" or not definition.is_main]
        if node.kind == "module":
            for imported in self.modules.read(node.module).imports:
                if imported.name:
                    yield from self._imported(imported, ())
        yield from (Node("definition", node.module, definition.name) for definition in executed)

    def _from_definition(self, definition: Definition, module: str) -> Iterator[Node]:
        yield Node("import", module)
        yield from self._executed(definition.imports)
        for imported in definition.imports:  # `import a.b` inside a function may be for its effect
            if not self._is_own(imported.module):
                yield from self._library(imported)
        for chain in definition.chains:
            for imported in definition.imports:
                if imported.name == chain[0]:
                    yield from self._imported(imported, chain[1:])
            yield from self._named(module, chain)
        for text in filter(self._address.fullmatch, definition.texts):
            address, _, name = text.partition(":")
            for module_name in fnmatch.filter(self.modules.names(), address):
                yield from self._inside(module_name, (name,) if name else ())
        if BUILT_IN & set(definition.dynamic):  # they can read any name of their module
            yield Node("module", module)

    def _named(self, module: str, chain: Chain, asked: Asked = frozenset()) -> Iterator[Node]:
        """The nodes that a name of a module, with attributes, leads to: a definition, or what is imported under it."""
        yield from (Node("definition", module, name) for name in self._bound(module, chain[0]))
        for imported in self.modules.imported(module).get(chain[0], ()):
            yield from self._imported(imported, chain[1:], asked)

    def _imported(self, imported: Import, attributes: Chain, asked: Asked = frozenset()) -> Iterator[Node]:
        """The nodes that an imported name, with attributes, leads to."""
        if self._is_own(imported.module):
            chain = (imported.attribute, *attributes) if imported.attribute else attributes
            yield from self._inside(imported.module, chain, asked)
        else:
            yield from self._library(imported)

    def _library(self, imported: Import) -> Iterator[Node]:
        top = imported.module.split(".")[0]
        yield Node("name", ".".join(filter(None, (imported.module, imported.attribute))), imported.name)
        if top not in sys.stdlib_module_names:
            yield Node("library", top)

    def _inside(self, module: str, chain: Chain, asked: Asked = frozenset()) -> Iterator[Node]:
        """The nodes that a chain of attributes of a module leads to.

        Args:
            asked: the questions on the way to this one. An import that asks one of them again has no name to give, but
                for a module inside a package: `from . import module` in its `__init__.py`.
        """
        if not self.modules.has(module):  # a folder without __init__.py, which only leads on, or not there at all
            if chain:
                yield from self._inside(f"{module}.{chain[0]}", chain[1:], asked)
            else:
                yield from (Node("module", name) for name in self.modules.names() if name.startswith(f"{module}."))
            return
        is_asked = (module, chain) in asked
        asked |= {(module, chain)}
        yield Node("import", module)
        if not chain:
            yield Node("module", module)
        elif not is_asked and (nodes := list(self._named(module, chain, asked))):
            yield from nodes
        elif self.modules.is_package(inner := f"{module}.{chain[0]}") or self.modules.has(inner):
            yield from self._named(module, ("__getattr__",), asked)  # which `from package import module` asks first
            yield from self._inside(inner, chain[1:], asked)
        elif chain[0] not in MODULE_ATTRIBUTES and not is_asked:
            yield from list(self._named(module, ("__getattr__",), asked)) or [Node("module", module)]

    def _executed(self, imports: Iterable[Import]) -> Iterator[Node]:
        """The modules of the project that imports execute."""
        for imported in imports:
            if self._is_own(imported.module):
                inner = f"{imported.module}.{imported.attribute}"
                name = inner if imported.attribute and self.modules.has(inner) else imported.module
                yield from self._above(name)
                if self.modules.has(name):
                    yield Node("import", name)

    def _imported_for_effect(self, module: str) -> Iterator[Node]:
        """The libraries that a module imports at top level under names that nothing in it reads."""
        definitions = self.modules.definitions(module).values()
        read = {chain[0] for definition in definitions for chain in definition.chains}
        for imported in self.modules.read(module).imports:
            standard = imported.module.split(".")[0] in sys.stdlib_module_names
            if imported.name not in read and not standard and not self._is_own(imported.module):
                yield from self._library(imported)

    def _above(self, module: str) -> Iterator[Node]:
        """The packages that contain a module: they are imported before it."""
        parts = module.split(".")
        names = (".".join(parts[:depth]) for depth in range(1, len(parts)))
        yield from (Node("import", name) for name in names if self.modules.has(name))

    def _acts(self, definition: Definition, module: str) -> bool:
        """Whether a call at import may do more than return a value."""
        return any(self._call_acts(chain, module) for chain in definition.calls)

    def _call_acts(self, chain: Chain, module: str) -> bool:
        imports = [imported for imported in self.modules.read(module).imports if imported.name == chain[0]]
        libraries = [imported for imported in imports if not self._is_own(imported.module)]
        if libraries:
            return not all(self._is_pure(imported, chain[1:]) for imported in libraries)
        if len(chain) == 1 and not imports and not self._bound(module, chain[0]) and hasattr(builtins, chain[0]):
            return chain[0] in ACTING_BUILTINS
        return len(chain) == 1 or chain[-1] not in PURE_METHODS

    def _is_pure(self, imported: Import, attributes: Chain) -> bool:
        parts = ".".join(filter(None, (imported.module, imported.attribute, *attributes))).split(".")
        return any(".".join(parts[:depth]) in self._pure for depth in range(1, len(parts) + 1))

    def _is_own(self, module: str) -> bool:
        return module.split(".")[0] in self.packages

    def _bound(self, module: str, name: str) -> list[str]:
        """The definitions of a module that bind a name."""
        return self.modules.bound(module).get(name, [])


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """The differences between the parts of two digests: name -> "is new", "is gone" or "changed"."""
    names = sorted(before.keys() | after.keys())
    words = {name: "is new" if name not in before else "is gone" if name not in after else "changed" for name in names}
    return {name: word for name, word in words.items() if word != "changed" or before[name] != after[name]}
