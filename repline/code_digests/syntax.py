"""Walks through the syntax tree of a module."""

import ast
from collections.abc import Iterable, Iterator

Chain = tuple[str, ...]  # a name and its attributes: ("np", "linalg", "svd")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NAMED_NODES = (*FUNCTIONS, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def chain_of(node: ast.AST) -> Chain | None:
    """The name and attributes of `a.b.c`; None for anything else."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return (node.id, *reversed(attributes)) if isinstance(node, ast.Name) else None


def of_scope(statements: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a body, without those of the functions, classes and comprehensions in it."""
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*NAMED_NODES, ast.Lambda, *COMPREHENSIONS)):
            waiting += ast.iter_child_nodes(node)
