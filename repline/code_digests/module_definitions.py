"""The definitions of a module: what each says, which names it reads, and what it does when the module is imported.

A definition is a statement at top level, such as a function, a class or an assignment. Its digest is of its syntax
tree without comments, docstrings and layout, and is the same under every version of Python from 3.11 on.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from . import at_import
from .statement_reader import NAMESPACES, Import, StatementReader, digest, imports_of, is_text
from .syntax import NAMED_NODES, Chain

Json = None | bool | int | str | Sequence["Json"] | Mapping[str, "Json"]
CHAINS = ("chains", "calls", "passed", "bases", "computed_from")  # attributes of a definition

TYPES_ARE_TEXTS = Import("annotations", "__future__", "annotations")  # at the head of a module


@dataclass
class Definition:
    """One statement at top level.

    Attributes:
        name: the names it binds, joined by commas, or "statement"; with a number from the second of a name on.
        digest: the digest of its syntax tree.
        names: the names that it binds.
        chains: the names that it reads, with their attributes.
        imports: the imports inside it.
        texts: its string constants, which may name a module.
        calls: what importing the module calls; ("", "method") for a method of a value without a name, and ("",) for
            such a value itself.
        passed: what importing the module hands to what it calls.
        bases: the base classes of the classes in it.
        computed_from: the names that importing the module computes something from.
        acts: whether importing the module does more by it than bind its names.
        is_function: whether it is a function or a class.
        is_literal: whether it binds a value that is written out, and no object with methods of the project's.
        is_constant: whether it binds a number, a text or a tuple of such.
        is_main: whether it is `if __name__ == "__main__":`.
        options: the arguments of `OPTIONS` that it sets to true.
        docstrings: the digest of its docstrings, empty where it has none.
        reads_docstrings: whether it reads those of something.
        dynamic: the functions of `DYNAMIC`, `BUILT_IN` and `NAMESPACES` that it names.
    """

    name: str
    digest: str = ""
    names: list[str] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    calls: list[Chain] = field(default_factory=list)
    passed: list[Chain] = field(default_factory=list)
    bases: list[Chain] = field(default_factory=list)
    computed_from: list[Chain] = field(default_factory=list)
    acts: bool = False
    is_function: bool = False
    is_literal: bool = False
    is_constant: bool = False
    is_main: bool = False
    options: list[str] = field(default_factory=list)
    docstrings: str = ""
    reads_docstrings: bool = False
    dynamic: list[str] = field(default_factory=list)


@dataclass
class Module:
    """The definitions and the imports of a file.

    Attributes:
        statements: names of definitions, and imports at top level, in order.
        sources: of each name that imports bind among others, what binds it, in order: "module:attribute" of an import,
            "" for a definition.
        docstring: its digest, empty where there is none.
    """

    definitions: list[Definition]
    imports: list[Import]
    statements: list[str | Import] = field(default_factory=list)
    sources: dict[str, list[str]] = field(default_factory=dict)
    docstring: str = ""

    def as_json(self) -> dict[str, Json]:
        """The module as mappings and lists, which `from_json` takes."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Any) -> "Module":
        """The module that `as_json` wrote."""
        definitions = [
            Definition(
                **values
                | {key: [tuple(chain) for chain in values[key]] for key in CHAINS}
                | {"imports": [Import(*names) for names in values["imports"]]}
            )
            for values in values["definitions"]
        ]
        statements = [part if isinstance(part, str) else Import(*part) for part in values["statements"]]
        return cls(
            definitions,
            [Import(*names) for names in values["imports"]],
            statements,
            values["sources"],
            values["docstring"],
        )


def read(source: str, name: str, is_package: bool) -> Module:
    """Cut the text of a module into its definitions.

    Args:
        source: its text.
        name: its dotted name, for relative imports.
        is_package: whether it is the `__init__.py` of a package.

    Raises:
        SyntaxError: the text is no Python.
        ValueError: it imports everything of a module by `*`, so that its names are not known.
    """
    tree = ast.parse(source)
    package = name.split(".") if is_package else name.split(".")[:-1]
    text = ast.get_docstring(tree) or ""
    module = Module([], [], docstring=digest([text]) if text else "")
    taken: Counter[str] = Counter()
    bindings: list[tuple[ast.stmt, Definition | None, list[Import]]] = []  # in their order
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            imports = [*imports_of(statement, package)]
            new = [imported for imported in imports if imported not in module.imports]
            bindings.append((statement, None, imports))
            module.imports += new
            module.statements += new
        elif not is_text(statement) and not _tests(statement, "TYPE_CHECKING"):
            definition = _definition(statement, package, text, types_are_texts=TYPES_ARE_TEXTS in module.imports)
            taken[definition.name] += 1
            if taken[definition.name] > 1:  # defined again, as by @overload
                definition.name += f" {taken[definition.name]}"
            module.definitions.append(definition)
            module.statements.append(definition.name)
            binds = not isinstance(statement, NAMED_NODES) and not definition.is_main  # as `try: import ...` does
            bindings.append((statement, definition, definition.imports if binds else []))
            module.imports += bindings[-1][2]
    orders = _count_order(bindings)
    module.sources = {name: order for name, order in orders.items() if len(order) > 1 and any(order)}
    return module


def _count_order(bindings: Sequence[tuple[ast.stmt, Definition | None, list[Import]]]) -> dict[str, list[str]]:
    """Where a name is bound more than once, let the digests of what binds or reads it say after which of these.

    Returns:
        a name -> what binds it, in order.
    """
    orders: dict[str, list[str]] = {}
    bound_by_statement: list[set[str]] = []
    for _, definition, imports in bindings:
        sources = dict.fromkeys(definition.names if definition else (), "")
        sources |= {new.name: f"{new.module}:{new.attribute}" for new in imports if new.name}
        again = {name for name, source in sources.items() if source and orders.get(name, [])[-1:] == [source]}
        bound_by_statement.append(sources.keys() - again)
        for name in bound_by_statement[-1]:
            orders.setdefault(name, []).append(sources[name])
    several = {name for name, order in orders.items() if len(order) > 1}
    before: Counter[str] = Counter()
    for (statement, definition, _), bound in zip(bindings, bound_by_statement, strict=True) if several else ():
        if definition:
            executed = at_import.executed_nodes(statement)
            read_now = {node.id for node in executed if isinstance(node, ast.Name)} | bound
            texts = [f"{name} {before[name]}" for name in sorted(several) if definition.calls or name in read_now]
            texts += [f"{name} {orders[name]}" for name in sorted(several & {chain[0] for chain in definition.chains})]
            if texts:
                definition.digest = digest([definition.digest, *texts])
        before.update(bound)
    return orders


def _definition(statement: ast.stmt, package: list[str], module_text: str, *, types_are_texts: bool) -> Definition:
    names = sorted(set(_bound(statement)))
    definition = Definition(",".join(names) or "statement", names=names)
    reader = StatementReader(package)
    reader.write(statement, frozenset())
    if any(chain[0] == "__doc__" for chain in reader.chains):
        reader.parts.append(module_text)
    if types_are_texts and reader.has_types:
        reader.parts.append(TYPES_ARE_TEXTS.attribute)
    definition.digest = digest(reader.parts)
    definition.chains, definition.texts = sorted(reader.chains), sorted(reader.texts)
    definition.docstrings = digest(reader.docstrings) if reader.docstrings else ""
    definition.reads_docstrings = reader.reads_docstrings
    definition.imports, definition.options = reader.imports, sorted(reader.options)
    definition.is_main = _tests(statement, "__name__ == '__main__'")
    executed = list(at_import.executed_nodes(statement))
    definition.dynamic = sorted(reader.dynamic | at_import.called_without_arguments(executed) & NAMESPACES)
    definition.calls = sorted(set(at_import.calls(executed)))
    definition.passed = sorted(set(at_import.passed(executed)))
    definition.bases = sorted(set(at_import.bases(executed)))
    definition.computed_from = sorted(set(at_import.computed_from(statement)))
    definition.is_function = isinstance(statement, NAMED_NODES)
    definition.is_literal = at_import.is_literal(statement)
    definition.is_constant = at_import.is_constant(statement)
    simple = isinstance(statement, (*NAMED_NODES, ast.Assign, ast.AnnAssign))
    definition.acts = (not definition.is_main and not (simple and names)) or at_import.changes_others(executed)
    return definition


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds at top level, except for imports."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, NAMED_NODES):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            waiting += ast.iter_child_nodes(node)


def _tests(statement: ast.stmt, condition: str) -> bool:
    return isinstance(statement, ast.If) and not statement.orelse and ast.unparse(statement.test) == condition
