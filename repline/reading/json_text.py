"""JSON of a file that a user brings, checked for what a parser lets pass."""

import json

from repline.parameters import Json


def json_object(text: str) -> dict[str, Json]:
    """The object that a line of JSON says.

    Raises:
        ValueError: no JSON, no object, a key that is there twice, a number that is NaN, half of a character (a
            lonely surrogate), or too many brackets in each other.
    """
    try:
        value = json.loads(text, object_pairs_hook=_with_distinct_keys, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("too many brackets in each other") from None
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, found {type(value).__name__}")
    if "\\ud" in text.lower():
        json.dumps(value, ensure_ascii=False).encode()  # fails for half a character, with an error that is a ValueError
    return value


def _with_distinct_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key is there twice")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
