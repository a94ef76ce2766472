"""Claims that are several at once, as that the least of six leads is above zero.

The least of several noisy numbers lies below their true values, and in replicates below the measured least. So such a
claim would fail by chance alone, and the more easily the more numbers it compares. It fails where one of its
comparisons fails by itself.
"""

import ast
from collections.abc import Iterator
from itertools import product

from repline.errors import InputError
from repline.evaluation.claims.formulas import evaluate, parse
from repline.evaluation.nested_measures import Measures

MAX_COMPARISONS = 64  # of one claim; one of more is judged as a whole
LARGER_IS_MORE = {"min": True, "max": False}  # a minimum is large where all of its numbers are, a maximum small


def comparisons(
    relation: str, measured: str | float, bounds: list[str], metrics: Measures, where: str
) -> list[tuple[str, str]]:
    """The comparisons that hold where a claim `measured relation bound` does, each as a number and its bound.

    `min(a, b) > 0` and `a > max(b, c)` are two comparisons each, `between` is one of its own kind and gives none.

    Args:
        metrics: what has the lengths of lists, as in `min(turn.accuracy[7:10])`.
    """
    if relation == "between":
        return []
    larger = relation in (">", ">=")
    sides = [_parts(parse(measured, where), larger, metrics), _parts(parse(bounds[0], where), not larger, metrics)]
    numbers, limits = (list(side) for side in sides)
    if len(numbers) * len(limits) > MAX_COMPARISONS:
        return []
    return [(ast.unparse(number), ast.unparse(limit)) for number, limit in product(numbers, limits)]


def _parts(node: ast.expr, larger: bool, metrics: Measures) -> Iterator[ast.expr]:
    """What takes the place of an expression that should be larger, or smaller: all of them should be."""
    match node:
        case ast.Call(func=ast.Name(id=("min" | "max") as name), args=arguments) if LARGER_IS_MORE[name] == larger:
            for argument in arguments if len(arguments) > 1 else _elements(arguments[0], metrics):
                yield from _parts(argument, larger, metrics)
        case ast.BinOp(left=left, op=(ast.Add() | ast.Sub()) as operation, right=right):
            rights = list(_parts(right, larger if isinstance(operation, ast.Add) else not larger, metrics))
            for left_part in _parts(left, larger, metrics):
                yield from (ast.BinOp(left_part, operation, right_part) for right_part in rights)
        case ast.BinOp(left=ast.Constant() as factor, op=ast.Mult() as times, right=values):
            yield from (ast.BinOp(factor, times, part) for part in _parts(values, larger, metrics))
        case ast.BinOp(left=values, op=(ast.Mult() | ast.Div()) as times, right=ast.Constant() as factor):
            yield from (ast.BinOp(part, times, factor) for part in _parts(values, larger, metrics))
        case ast.UnaryOp(op=ast.USub() as minus, operand=values):
            yield from (ast.UnaryOp(minus, part) for part in _parts(values, not larger, metrics))
        case _:
            yield node


def _elements(values: ast.expr, metrics: Measures) -> list[ast.expr]:
    """The numbers of a list."""
    try:
        count = int(evaluate(f"len({ast.unparse(values)})", metrics, "a list"))
        parts: list[ast.expr] = [ast.Subscript(values, ast.Constant(number), ast.Load()) for number in range(count)]
        for part in parts:
            evaluate(ast.unparse(part), metrics, "a list")
    except (InputError, LookupError):
        return [values]
    return parts
