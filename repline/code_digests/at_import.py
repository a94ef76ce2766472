"""What a statement at top level does when its module is imported, as far as its text says."""

import ast
from collections.abc import Iterable, Iterator

from .syntax import COMPREHENSIONS, FUNCTIONS, NAMED_NODES, Chain, chain_of

LITERALS = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.BinOp, *COMPREHENSIONS)
COLLECTIONS = {"bytes", "dict", "float", "frozenset", "int", "list", "range", "set", "sorted", "str", "tuple"}
# functions that keep what they are given, and do not call it
KEEPING = {
    *("AfterValidator", "BeforeValidator", "NewType", "PlainSerializer", "PlainValidator", "TypeVar", "WrapValidator"),
    *("cast", "defaultdict", "isinstance", "issubclass", "partial", "partialmethod", "property"),
}
PLAIN_METACLASSES = {"ABCMeta", "EnumMeta", "EnumType"}


def executed_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts that importing the module executes: not the bodies of functions, but of lambdas that are arguments."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, FUNCTIONS):
            waiting += [*node.decorator_list, node.args]
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Call):
            waiting += (argument.body for argument in _arguments(node) if isinstance(argument, ast.Lambda))


def calls(executed: Iterable[ast.AST]) -> Iterator[Chain]:
    """The functions that are called, decorators among them."""
    for node in executed:
        if isinstance(node, ast.Call):
            yield _callee(node.func)
        for decorator in node.decorator_list if isinstance(node, NAMED_NODES) else ():
            if not isinstance(decorator, ast.Call):  # one that is called is met by itself
                yield _callee(decorator)


def passed(executed: Iterable[ast.AST]) -> Iterator[Chain]:
    """The names that are arguments of calls."""
    all_calls = (node for node in executed if isinstance(node, ast.Call))
    arguments = (argument for call in all_calls for argument in _arguments(call))
    yield from (chain for argument in arguments if (chain := chain_of(argument)))


def called_without_arguments(executed: Iterable[ast.AST]) -> set[str]:
    """The names of functions that are called without arguments."""
    all_calls = (node for node in executed if isinstance(node, ast.Call) and not (node.args or node.keywords))
    return {call.func.id for call in all_calls if isinstance(call.func, ast.Name)}


def bases(executed: Iterable[ast.AST]) -> Iterator[Chain]:
    """The base classes of the classes that are defined; ("",) for one that has no name."""
    for node in executed:
        for base in node.bases if isinstance(node, ast.ClassDef) else ():
            while isinstance(base, ast.Subscript):  # Generic[T]
                base = base.value
            if not isinstance(base, ast.Call):  # which is met by itself
                yield chain_of(base) or ("",)


def changes_others(executed: Iterable[ast.AST]) -> bool:
    """Whether it sets an attribute or an item of something else, or defines a class that is told of its subclasses."""
    return any(
        _is_told_of_subclasses(node)
        if isinstance(node, ast.ClassDef)
        else isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)
        for node in executed
    )


def computed_from(statement: ast.stmt) -> Iterator[Chain]:
    """The names that importing the module computes something from.

    A name that is only kept is none of these: a base, a decorator, a type, a default, `b` in `a = b`.
    """
    waiting: list[ast.AST | None] = [statement]
    while waiting:
        node = waiting.pop()
        chain = chain_of(node) if node else None
        if chain and isinstance(node.ctx, ast.Load):  # type: ignore[union-attr]
            yield chain
        elif isinstance(node, FUNCTIONS):
            waiting += (decorator for decorator in node.decorator_list if not chain_of(decorator))
            waiting += (default for default in (*node.args.defaults, *node.args.kw_defaults) if not _is_name(default))
        elif isinstance(node, ast.ClassDef):
            waiting += (part for part in (*node.decorator_list, *node.bases) if not chain_of(part))
            waiting += (keyword.value for keyword in node.keywords if not _is_name(keyword.value))
            waiting += node.body
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            waiting += node.targets if isinstance(node, ast.Assign) else [node.target]
            waiting += [] if _is_name(node.value) else [node.value]
        elif node:
            waiting += ast.iter_child_nodes(node)


def is_constant(statement: ast.stmt) -> bool:
    """Whether it binds a value that is written out and that nothing can change, such as a number or a text."""
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    kinds = (ast.Constant, ast.Tuple, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load)
    return value is not None and all(isinstance(node, kinds) for node in ast.walk(value))


def is_literal(statement: ast.stmt) -> bool:
    """Whether it binds a string, a number or a collection that is written out."""
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    if isinstance(value, ast.Call):
        name = _callee(value.func)
        return name[0] in COLLECTIONS if len(name) == 1 else issubclass(_root(value.func), LITERALS)
    return isinstance(value, LITERALS)


def _is_name(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Name)


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that may call them: a factory of defaults is called later."""
    if _callee(call.func)[-1] not in KEEPING:
        yield from (argument.value if isinstance(argument, ast.Starred) else argument for argument in call.args)
        yield from (keyword.value for keyword in call.keywords if keyword.arg != "default_factory")


def _callee(function: ast.expr) -> Chain:
    """The name and attributes of what is called, items left out: `TABLE["a"].get` is ("TABLE", "get")."""
    attributes: list[str] = []
    while isinstance(function, ast.Attribute | ast.Subscript):
        if isinstance(function, ast.Attribute):
            attributes.append(function.attr)
        function = function.value
    return (function.id if isinstance(function, ast.Name) else "", *reversed(attributes))


def _root(function: ast.expr) -> type[ast.expr]:
    while isinstance(function, ast.Attribute | ast.Subscript):
        function = function.value
    return type(function)


def _is_told_of_subclasses(node: ast.ClassDef) -> bool:
    metaclasses = (keyword.value for keyword in node.keywords if keyword.arg == "metaclass")
    return any((chain_of(metaclass) or ("",))[-1] not in PLAIN_METACLASSES for metaclass in metaclasses) or any(
        isinstance(part, FUNCTIONS) and part.name == "__init_subclass__" for part in node.body
    )
