"""Which definitions a command can reach, and the digest of all of them.

A command runs a module. The module's definitions lead to others by the names that they read, from module to module by
its imports, and importing a module leads to whatever that executes. What is reached counts, whether or not it will be
called, so that a command whose digest is unchanged gives the same results.
"""

import sys
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from pathlib import Path

from .cache import Modules
from .effects import Effects
from .module_definitions import Definition
from .order import Order
from .resolution import MODULE_ATTRIBUTES, Names, Node
from .statement_reader import BUILT_IN, NAMESPACES, digest

# functions and tables of libraries that find code by a name
BY_NAME = {
    *("builtins.__import__", "builtins.eval", "builtins.exec", "imp.load_source", "importlib.import_module"),
    *("importlib.machinery.SourceFileLoader", "importlib.metadata.entry_points", "pkg_resources.iter_entry_points"),
    *("importlib.util.spec_from_file_location", "lazy_loader.attach", "lazy_loader.attach_stub", "lazy_loader.load"),
    *("pkgutil.iter_modules", "pkgutil.resolve_name", "pkgutil.walk_packages", "pydoc.locate"),
    *("runpy.run_module", "runpy.run_path", "sys.modules"),
}
DOCUMENTING = {"inspect.getdoc", "pydoc.getdoc", "pydoc.render_doc", "pydoc.plain", "pydoc.splitdoc"}
OF_THE_CALLER = {"fire.Fire"}  # functions of libraries that read the names of the module that calls them
RUNNING = {"run_module", "run_path", "runpy.run_module", "runpy.run_path"}  # these may run a `__main__` block, too
FINDING_LIBRARIES = {name.split(".")[0] for name in BY_NAME | OF_THE_CALLER}
COUNTED = ("definition", "name", "sources", "library")


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
        modules: its modules, where they are found in another way than in `root`.
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
        modules: Modules | None = None,
    ):
        self.packages = tuple(packages)
        self.modules = modules or Modules(root, packages, cache)
        self.names = Names(self.modules)
        self._effects = Effects(self.modules, self.names, pure)
        self._order = Order(self.modules, self.names, self._effects)
        self._version, self._without = version, set(without)
        self._next: dict[Node, set[Node]] = {}

    def digest(self, command: str) -> str:
        """16 hex digits of all that a command can reach.

        Args:
            command: a module that is run ("stages.urn.train"), or a definition ("repline.corpora.made:write").
        """
        return digest(f"{node} {text}" for node, text in sorted(self.parts(command).items()))

    def parts(self, command: str) -> dict[str, str]:
        """The parts of a command's digest: name of each node -> digest of the definition, or version of the library.

        A name that stands for something of a library has an empty text. The order in which a module executes what
        counts is a part as well, and so are docstrings where something reads docstrings.
        """
        nodes = self.reach(command)
        texts = {str(node): self._text(node) for node in nodes if node.kind in COUNTED}
        return (
            {name: text for name, text in texts.items() if text is not None}
            | self._orders(nodes)
            | self._docstrings(nodes)
        )

    def reach(self, command: str) -> dict[Node, Node | None]:
        """Each node that a command can reach -> the one before it on the shortest path; None for the command itself."""
        start = self.start(command)
        before: dict[Node, Node | None] = {start: None}
        waiting = [start]
        for node in waiting:  # it grows in the loop
            for following in (*sorted(self._leads_to(node)), *self._attributes(node, before)):
                if following not in before and str(following) not in self._without:
                    before[following] = node
                    waiting.append(following)
        return before

    def _attributes(self, node: Node, reached: Container[Node]) -> Iterator[Node]:
        """Where a package and a module in it are reached, one taken whole, the other imported: all of the module."""
        if node.kind == "import" and "." in node.module and Node("module", node.module.rpartition(".")[0]) in reached:
            yield Node("module", node.module)
        if node.kind == "module":
            yield from (
                Node("module", name) for name in self.modules.inside(node.module) if Node("import", name) in reached
            )

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
        if not self.modules.has(module) or (colon and not self.names.bound(module, name)):
            raise KeyError(command)
        return Node("definition", module, name) if colon else Node("command", module)

    def dynamic(self, commands: Iterable[str]) -> dict[str, list[str]]:
        """Definitions within reach of some commands that find code by a computed name -> by which functions."""
        functions: dict[str, list[str]] = {}
        for command in commands:
            for node in self.reach(command):
                if node.kind == "definition":
                    finders = self._finders(self._definition(node), node.module)
                    if names := sorted(finders - OF_THE_CALLER):
                        functions[str(node)] = names
        return functions

    def _orders(self, nodes: Collection[Node]) -> dict[str, str]:
        """For each module that executes two statements or more, the digest of their order."""
        reached = {(node.module, node.name) for node in nodes if node.kind == "definition"}
        acting = {module for module, name in reached if self._order.depends_on_position(module, name)}
        modules = (node.module for node in nodes if node.kind == "import")
        orders = {module: self._order.of(module, reached, acting) for module in modules}
        return {f"order of {module}": digest(order) for module, order in orders.items() if len(order) > 1}

    def _docstrings(self, nodes: Collection[Node]) -> dict[str, str]:
        """For each module, the digest of the docstrings that may be read; none where nothing reads any."""
        definitions = {node: self._definition(node) for node in nodes if node.kind == "definition"}
        if not any(self._reads_docstrings(node.module, definition) for node, definition in definitions.items()):
            return {}
        texts = {node.module: [self.modules.read(node.module).docstring] for node in nodes if node.kind == "import"}
        for node, definition in sorted(definitions.items()):
            texts.setdefault(node.module, []).append(definition.docstrings)
        return {
            f"docstrings of {module}": digest(docstrings) for module, docstrings in texts.items() if any(docstrings)
        }

    def _reads_docstrings(self, module: str, definition: Definition) -> bool:
        imports = (*self.modules.read(module).imports, *definition.imports)
        return definition.reads_docstrings or (
            any(imported.module in ("inspect", "pydoc") for imported in imports)
            and not DOCUMENTING.isdisjoint(self.names.library_names(module, definition))
        )

    def _text(self, node: Node) -> str | None:
        if node.kind == "definition":
            return self._definition(node).digest
        if node.kind == "sources":
            return digest(self.modules.read(node.module).sources[node.name])
        return self._version(node.module) if node.kind == "library" else ""

    def _definition(self, node: Node) -> Definition:
        return self.modules.definitions(node.module)[node.name]

    def _leads_to(self, node: Node) -> set[Node]:
        if node not in self._next:
            self._next[node] = set(self._ways(node))
        return self._next[node]

    def _ways(self, node: Node) -> Iterator[Node]:
        if node.kind in ("name", "sources", "library"):
            return
        if node.kind == "definition":
            yield from self._from_definition(self._definition(node), node.module)
            return
        definitions = self.modules.definitions(node.module).values()
        if node.kind == "import":
            if (top := node.module.split(".")[0]) in self.modules.perhaps_libraries:
                yield Node("library", top)
            yield from self._imports(self.names.above(node.module))
            yield from self._imports(self.names.executed(self.modules.read(node.module).imports))
            yield from self._imported_for_effect(node.module)
            executed = [
                definition
                for definition in definitions
                if not definition.is_main and self._effects.acts(node.module, definition.name)
            ]
        else:
            yield Node("import", node.module)
            executed = [definition for definition in definitions if node.kind == "command" or not definition.is_main]
        if node.kind == "module":
            for imported in self.modules.read(node.module).imports:
                if imported.name:
                    yield from self.names.imported(imported, ())
        yield from (Node("definition", node.module, definition.name) for definition in executed)

    def _from_definition(self, definition: Definition, module: str) -> Iterator[Node]:
        yield Node("import", module)
        yield from self._imports(self.names.executed(definition.imports))
        for imported in definition.imports:  # `import a.b` inside a function may be for its effect
            if not self.names.is_own(imported.module):
                yield from self.names.library(imported)
        for chain in definition.chains:
            for imported in definition.imports:
                if imported.name == chain[0]:
                    yield from self.names.imported(imported, chain[1:])
            yield from self.names.named(module, chain)
        finders = self._finders(definition, module)
        relative = [text for text in definition.texts if finders and text.startswith(".")]
        for text in (*definition.texts, *(package + text for package in definition.texts for text in relative)):
            for node in self.names.by_text(text, module, is_taken=bool(finders)):
                yield node
                if node.kind == "module" and finders & RUNNING:
                    yield Node("command", node.module)
        own_attributes = {chain[0] for chain in definition.chains} & MODULE_ATTRIBUTES
        if "__path__" in own_attributes:
            yield from self.names.inside(module, ("__path__",))
        if (BUILT_IN | NAMESPACES | OF_THE_CALLER) & finders or (finders and "__name__" in own_attributes):
            yield Node("module", module)  # any name of their module may be meant

    def _finders(self, definition: Definition, module: str) -> set[str]:
        """The functions and tables by which a definition finds code by a name."""
        imports = (*self.modules.read(module).imports, *definition.imports)
        if not any(imported.module.split(".")[0] in FINDING_LIBRARIES for imported in imports):
            return set(definition.dynamic)
        names = (name.split(".") for name in self.names.library_names(module, definition))
        starts = {".".join(parts[:depth]) for parts in names for depth in range(2, len(parts) + 1)}
        finders = starts & (BY_NAME | OF_THE_CALLER)
        return {*definition.dynamic, *(name for name in finders if name.split(".")[-1] not in definition.dynamic)}

    def _imports(self, modules: Iterable[str]) -> Iterator[Node]:
        return (Node("import", module) for module in modules)

    def _imported_for_effect(self, module: str) -> Iterator[Node]:
        """The libraries that a module imports at top level under names that nothing in it reads."""
        definitions = self.modules.definitions(module).values()
        read = {chain[0] for definition in definitions for chain in definition.chains}
        for imported in self.modules.read(module).imports:
            standard = imported.module.split(".")[0] in sys.stdlib_module_names
            if imported.name not in read and not standard and not self.names.is_own(imported.module):
                yield from self.names.library(imported)


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """The differences between the parts of two digests: name -> "is new", "is gone" or "changed"."""
    names = sorted(before.keys() | after.keys())
    words = {name: "is new" if name not in before else "is gone" if name not in after else "changed" for name in names}
    return {name: word for name, word in words.items() if word != "changed" or before[name] != after[name]}
