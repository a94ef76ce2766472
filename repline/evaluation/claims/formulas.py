"""Arithmetic over a system's metrics: the small language of `claims.yaml` and `published.yaml`.

`min(dyck.turn.accuracy_by_attractors[7:10])`, `dyck.full.validation_loss - dyck.arbitrary.validation_loss`,
`agreement.turn.effects["is"]`: numbers, + - * /, dotted names into the metrics, [index], [start:stop], ["key"], and
the functions min, max, mean, abs, sum, len. Everything else is refused, so a file from elsewhere cannot run code.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Any

from repline.errors import InputError
from repline.evaluation.claims.yaml_records import is_number
from repline.evaluation.nested_measures import Measures

MAX_CHARACTERS = 1000  # characters; the parser's own recursion is what a longer one would test

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "mean": lambda values: sum(values) / len(values),
    "abs": abs,
    "sum": sum,
    "len": len,
}


class NotMeasured(LookupError):
    """The expression is sound, but the metrics lack (or hold null for) a value that it names."""


def evaluate(expression: str | float, metrics: Measures, where: str) -> float:
    """The value of `expression` over `metrics`.

    Args:
        expression: as in the module's first lines; a number stands for itself.
        metrics: nested mappings whose leaves are numbers, lists of numbers, or None for "not measured".
        where: who asks ("stages/urn/claims.yaml: claim 'dyck-turn-deep'"), for messages.

    Raises:
        InputError: the expression is not in the language, or its value is not one number.
        NotMeasured: a name, an index or an end of a slice is not in the metrics, or is null.
        ZeroDivisionError: as Python has it.
    """
    try:
        value = _value(parse(expression, where), metrics, where)
    except OverflowError:
        raise InputError(f"{where}: {expression!r} is too large a number") from None
    if isinstance(value, Mapping | list):
        kind = "a group of metrics" if isinstance(value, Mapping) else f"a list of {len(value)} numbers"
        raise InputError(f"{where}: {expression!r} is {kind}, expected one number; use [index], min(...) or mean(...)")
    return value


def names(expression: str | float, where: str) -> set[tuple[str, ...]]:
    """The metrics that `expression` names, each as its keys down to the first index or slice.

    >>> sorted(names('min(turn.accuracy[7:10]) - turn.effects["is"]', "here"))
    [('turn', 'accuracy'), ('turn', 'effects', 'is')]
    """
    metric_names, nodes = set(), [parse(expression, where)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            metric_names.add(_keys(node))
        elif isinstance(node, ast.Call):
            nodes += node.args
        else:
            nodes += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return metric_names


def _keys(node: ast.AST) -> tuple[str, ...]:
    """The keys of a name from the metrics' root, up to an index or a slice."""
    steps: list[str | None] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        index = node.slice.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) else None
        steps.append(node.attr if isinstance(node, ast.Attribute) else index if isinstance(index, str) else None)
        node = node.value
    root = node.id if isinstance(node, ast.Name) else None
    return tuple(key for key in takewhile(lambda key: key is not None, [root, *reversed(steps)]) if key is not None)


@lru_cache(maxsize=4096)
def parse(expression: str | float, where: str) -> ast.expr:
    """The checked syntax tree of `expression`; InputError if it leaves the language (see `evaluate`)."""
    text = str(expression)
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{where}: an expression has at most {MAX_CHARACTERS} characters, found {len(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        words = '; a word like is or in needs brackets, as in effects["is"]' if "syntax" in str(error) else ""
        raise InputError(f"{where}: {text!r} is not an expression ({getattr(error, 'msg', error)}){words}") from None
    _check(tree, text, where)
    return tree


def _check(node: ast.AST, text: str, where: str) -> None:
    """Refuse every node that `_value` has no rule for, before anything is evaluated."""
    match node:
        case ast.Constant(value=value) if is_number(value):
            return
        case ast.Name():
            return
        case ast.Attribute(value=inner):
            inners = [inner]
        case ast.Subscript(value=inner, slice=ast.Slice(lower=lower, upper=upper, step=None)):
            if all(bound is None or _integer(bound) is not None for bound in (lower, upper)):
                return _check(inner, text, where)
            raise InputError(f"{where}: {text!r} slices by something else than whole numbers")
        case ast.Subscript(value=inner, slice=index):
            if not (isinstance(index, ast.Constant) and isinstance(index.value, str)) and _integer(index) is None:
                raise InputError(f'{where}: {text!r} has an index that is neither a whole number nor a "key"')
            inners = [inner]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inners = [operand]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            inners = [left, right]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS and arguments:
            inners = arguments
        case _:
            shown_node = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
            raise InputError(
                f"{where}: {shown_node!r} is not allowed in {text!r}; allowed are numbers, + - * /, names of metrics, "
                f'[index], [start:stop], ["key"] and {", ".join(_FUNCTIONS)}'
            )
    for inner in inners:
        _check(inner, text, where)


@lru_cache(maxsize=16384)
def _words(node: ast.expr) -> str:
    """A part of an expression as it is written; the same few are asked for again in every replicate."""
    return ast.unparse(node)


def _value(node: ast.AST, metrics: Measures, where: str) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return _item(metrics, name, name, where)
        case ast.Attribute(value=inner, attr=name):
            return _item(_value(inner, metrics, where), name, _words(node), where)
        case ast.Subscript(value=inner, slice=ast.Slice(lower=lower, upper=upper)):
            return _slice(_value(inner, metrics, where), lower, upper, _words(node), where)
        case ast.Subscript(value=inner, slice=index):
            key: Any = index.value if isinstance(index, ast.Constant) else _integer(index)
            return _item(_value(inner, metrics, where), key, _words(node), where)
        case ast.UnaryOp(operand=operand):
            return -_number(operand, metrics, where)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](_number(left, metrics, where), _number(right, metrics, where))
        case ast.Call(func=ast.Name(id="abs"), args=arguments):
            if len(arguments) != 1:
                raise InputError(f"{where}: abs takes one number, found {len(arguments)}")
            return abs(_number(arguments[0], metrics, where))
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            values = _value(argument, metrics, where)
            if not isinstance(values, list):
                raise InputError(f"{where}: {_words(node)!r} needs a list or several numbers")
            if not values:
                raise NotMeasured(f"{_words(argument)} is empty")
            if name != "len":
                _all_numbers(values, _words(argument), where)
            return _FUNCTIONS[name](values)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _FUNCTIONS[name]([_number(argument, metrics, where) for argument in arguments])
    raise InputError(f"{where}: {_words(node)!r} is not allowed")


def _item(container: Any, key: str | int, shown: str, where: str) -> Any:
    if isinstance(key, str):
        if not isinstance(container, Mapping):
            raise InputError(f"{where}: {shown} looks up a name in a value without names")
        if container.get(key) is None:
            raise NotMeasured(f"{shown} is not measured")
        value = container[key]
    else:
        if not isinstance(container, list):
            raise InputError(f"{where}: {shown} looks up an index in a value that is not a list")
        if not -len(container) <= key < len(container):
            raise NotMeasured(f"{shown} is not measured (there are {len(container)} values)")
        value = container[key]
        if value is None:
            raise NotMeasured(f"{shown} is not measured")
    if not isinstance(value, Mapping | list) and not is_number(value):
        raise InputError(f"{where}: {shown} is {value!r:.80}, expected a number")
    return value


def _slice(values: Any, lower: ast.expr | None, upper: ast.expr | None, shown: str, where: str) -> list:
    if not isinstance(values, list):
        raise InputError(f"{where}: {shown} slices a value that is not a list")
    start = _bound(lower, 0)
    stop = _bound(upper, len(values))
    # a shorter list must not pass for the whole range: "attractors 7 to 9" is not "whatever is there"
    if max(start, stop) > len(values) or min(start, stop) < -len(values):
        raise NotMeasured(f"{shown} is not measured (there are {len(values)} values)")
    part = values[start:stop]
    if not part or any(value is None for value in part):
        raise NotMeasured(f"{shown} is not measured for every index")
    return part


def _number(node: ast.AST, metrics: Measures, where: str) -> float:
    value = _value(node, metrics, where)
    if not is_number(value):
        kind = "a list" if isinstance(value, list) else "a group of metrics"
        raise InputError(f"{where}: {_words(node)} is {kind}, expected one number")
    return value


def _all_numbers(values: list, shown: str, where: str) -> None:
    if any(value is None for value in values):
        raise NotMeasured(f"{shown} is not measured for every index")
    if not all(is_number(value) for value in values):
        raise InputError(f"{where}: {shown} should be a list of numbers")


def _bound(node: ast.expr | None, absent: int) -> int:
    """An end of a slice; `absent` where it has none."""
    number = None if node is None else _integer(node)
    return absent if number is None else number


def _integer(node: ast.AST) -> int | None:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))) if not isinstance(value, bool):
            return -value
    return None
