"""What a statement says: its syntax tree as a text without comments, docstrings and layout, and the names it reads."""

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .syntax import FUNCTIONS, Chain, chain_of, of_scope

# these find code by a name that is computed, which no reader of the text can follow
DYNAMIC = {
    *("__import__", "__subclasses__", "exec_module", "f_globals", "import_module", "load_module", "run_module"),
    "run_path",
}
BUILT_IN = {"eval", "exec", "globals"}  # built-ins that do so, too; a method of such a name does not
NAMESPACES = {"locals", "vars"}  # built-ins that do so where they are called at top level, without arguments
OPTIONS = {"allow_pickle", "weights_only"}  # arguments that are noted where they are true
ANY = "*"  # in a text, what is put into an f-string
NOT_MEANT = ("ctx", "kind", "type_comment")  # fields of a syntax tree that say nothing


class Import(NamedTuple):
    """One name that an import binds; `name` is empty for `import a.b`, which binds `a` and runs `a.b` too."""

    name: str
    module: str
    attribute: str = ""


class StatementReader:
    """Writes a syntax tree down, without what does not count, and notes what it reads."""

    def __init__(self, package: list[str]):
        self.package = package
        self.parts: list[str] = []
        self.chains: set[Chain] = set()
        self.imports: list[Import] = []
        self.texts: set[str] = set()
        self.dynamic: set[str] = set()
        self.options: set[str] = set()
        self.docstrings: list[str] = []
        self.reads_docstrings = self.has_types = False

    def write(self, value: Any, local: frozenset[str], in_annotation: bool = False) -> None:
        """`local`: the names that are a function's own here, and lead nowhere."""
        if isinstance(value, list):
            self.parts.append("[")
            for part in value:
                if is_text(part):
                    self.docstrings.append(part.value.value)
                else:
                    self.write(part, local, in_annotation)
            self.parts.append("]")
        elif not isinstance(value, ast.AST):
            self.parts.append(f"{type(value).__name__} {value!a}")
        elif chain := chain_of(value):
            self.parts.append(".".join(chain))
            self.reads_docstrings |= "__doc__" in chain[1:]
            self.dynamic |= {chain[-1]} & (DYNAMIC | BUILT_IN if len(chain) == 1 else DYNAMIC)
            if chain[0] not in local:
                self.chains.add(chain)
        else:
            self._note(value, local, in_annotation)
            self._write_fields(value, local, in_annotation)

    def _write_fields(self, node: ast.AST, local: frozenset[str], in_annotation: bool) -> None:
        self.parts.append(type(node).__name__)
        inner = _locals(node, local) if isinstance(node, (*FUNCTIONS, ast.Lambda)) else local
        for field_name in node._fields:
            value = getattr(node, field_name, None)
            if isinstance(node, ast.JoinedStr):  # some releases of Python 3.12 end a nested format with an empty text
                value = [part for part in node.values if not (isinstance(part, ast.Constant) and part.value == "")]
            if value not in (None, []) and field_name not in NOT_MEANT:
                self.parts.append(field_name)
                scope = inner if field_name == "body" else local  # decorators and defaults are outside
                is_type = field_name in ("annotation", "returns")
                self.has_types |= is_type
                self.write(value, scope, in_annotation or is_type)

    def _note(self, node: ast.AST, local: frozenset[str], in_annotation: bool) -> None:
        if isinstance(node, ast.Attribute):
            self.dynamic |= {node.attr} & DYNAMIC
            self.reads_docstrings |= node.attr == "__doc__"
        elif isinstance(node, ast.Call):  # of getattr
            values = (argument.value for argument in node.args if isinstance(argument, ast.Constant))
            self.reads_docstrings |= "__doc__" in values
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self.imports += imports_of(node, self.package)
        elif isinstance(node, ast.Global):
            self.chains |= {(name,) for name in node.names}
        elif isinstance(node, ast.ClassDef):  # what its body imports are attributes
            self.chains |= {(name,) for name in _imported_names(of_scope(node.body))}
        elif isinstance(node, ast.JoinedStr):
            self.texts.add("".join(str(part.value) if isinstance(part, ast.Constant) else ANY for part in node.values))
        elif isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant) and node.value.value is True:
            self.options |= {node.arg or ""} & OPTIONS
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.texts.add(node.value)
            variables = re.findall(r"(?<!\w)@([^\W\d]\w*)", node.value)  # of a query of pandas
            self.chains |= {(name,) for name in variables if name not in local}
            if in_annotation:  # a type in quotes
                self.chains |= {(name,) for name in re.findall(r"[^\W\d]\w*", node.value)}


def digest(parts: Iterable[str]) -> str:
    """16 hex digits of a sequence of texts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _locals(function: ast.AST, outer: frozenset[str]) -> frozenset[str]:
    """The names that lead nowhere in a function: those around it, its parameters, and what it assigns.

    A name that it imports, perhaps besides, or declares global leads somewhere.
    """
    arguments: ast.arguments = function.args  # type: ignore[attr-defined]
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    nodes = list(of_scope(function.body)) if isinstance(function.body, list) else []  # type: ignore[attr-defined]
    assigned = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    shared = {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
    names = outer | {parameter.arg for parameter in parameters if parameter} | assigned
    return names - shared - _imported_names(nodes)


def _imported_names(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that imports among some nodes bind."""
    imports = (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    return {alias.asname or alias.name.split(".")[0] for node in imports for alias in node.names}


def imports_of(node: ast.Import | ast.ImportFrom, package: list[str]) -> Iterator[Import]:
    """The names that an import binds in a module of a package; ValueError for an import of `*`."""
    level = getattr(node, "level", 0)
    above = package[: len(package) - level + 1] if level else []
    for alias in node.names:
        if alias.name == "*":
            raise ValueError(f"line {node.lineno}: an import of * hides what the names of this module are")
        if isinstance(node, ast.ImportFrom):
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield Import(alias.asname or alias.name, module, alias.name)
        elif alias.asname:
            yield Import(alias.asname, alias.name)
        else:
            yield Import(alias.name.split(".")[0], alias.name.split(".")[0])
            if "." in alias.name:
                yield Import("", alias.name)


def is_text(node: object) -> bool:
    """Whether a statement is a text alone, as a docstring is."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
