"""Read plain values out of a pickle without unpickling it: its opcodes are read as data, and no code runs."""

import pickletools
from pathlib import Path
from typing import Any

from repline.errors import InputError, in_one_line

VALUES = {
    "NONE": None,
    "NEWTRUE": True,
    "NEWFALSE": False,
}
WITH_VALUE = {
    "BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8",
}  # fmt: skip
EMPTY = {"EMPTY_DICT": dict, "EMPTY_LIST": list}
TUPLES = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
NOTHING = {"PROTO", "FRAME"}
_MARK = object()


def read_plain_pickle(path: str | Path) -> Any:
    """The value in a pickle of dictionaries, lists, tuples, strings, numbers, truth values and None.

    Raises:
        InputError: the pickle holds anything else (a class, a function, a call), is truncated, or is none.
    """
    try:
        return _value(Path(path).read_bytes(), str(path))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (ValueError, IndexError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: this is no whole pickle ({in_one_line(error)})") from None


def _value(content: bytes, path: str) -> Any:
    stack: list[Any] = []
    memo: dict[Any, Any] = {}
    for opcode, argument, position in pickletools.genops(content):
        name = opcode.name
        if name in WITH_VALUE:
            stack.append(argument)
        elif name in ("BINGET", "LONG_BINGET"):
            stack.append(memo[argument])
        elif name == "MEMOIZE":
            memo[len(memo)] = stack[-1]
        elif name in VALUES:
            stack.append(VALUES[name])
        elif name in EMPTY:
            stack.append(EMPTY[name]())
        elif name == "MARK":
            stack.append(_MARK)
        elif name == "SETITEMS":
            items = _above_mark(stack)
            stack[-1].update(zip(items[::2], items[1::2], strict=True))
        elif name == "SETITEM":
            item, key = stack.pop(), stack.pop()
            stack[-1][key] = item
        elif name == "APPENDS":
            items = _above_mark(stack)
            stack[-1].extend(items)
        elif name == "APPEND":
            item = stack.pop()
            stack[-1].append(item)
        elif name == "TUPLE":
            stack.append(tuple(_above_mark(stack)))
        elif name in TUPLES:
            length = TUPLES[name]
            stack[len(stack) - length :] = [tuple(stack[len(stack) - length :])]
        elif name == "STOP":
            return stack.pop()
        elif name not in NOTHING:
            raise InputError(
                f"{path}: byte {position} is the pickle operation {name}, which plain values do not need; only pickles "
                "of dictionaries, lists, tuples, strings and numbers are read"
            )
    raise InputError(f"{path}: this is no whole pickle")


def _above_mark(stack: list[Any]) -> list[Any]:
    position = len(stack) - 1
    while stack[position] is not _MARK:
        position -= 1
        if position < 0:
            raise ValueError("a mark is missing")
    items = stack[position + 1 :]
    del stack[position:]
    return items
