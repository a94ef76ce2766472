"""What a stage says under `meta` in its dvc.yaml: free text for DVC, so that other tools may have written it, too."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from flows.planning import memory

RETRY_DELAY = 10.0  # seconds, unless `meta: {retry_delay: ...}` says otherwise

Value = TypeVar("Value")


@dataclass(frozen=True)
class Meta:
    """The entries that a run reads.

    Attributes:
        retry_delay: seconds before another try.
        timeout: seconds that one try may take; None: no limit.
        memory: bytes; None: it does not say.
        left_out: a sentence for each entry that a run cannot use and takes the default for.
    """

    threads: int
    gpus: int
    retries: int
    retry_delay: float
    timeout: float | None
    memory: int | None
    left_out: tuple[str, ...] = ()


def read(entries: object) -> Meta:
    """The entries of a stage that a run reads.

    Args:
        entries: what dvc.yaml has under `meta`, which may be anything.
    """
    values = entries if isinstance(entries, Mapping) else {}
    left_out: list[str] = []

    def entry(key: str, default: Value, expected: str, convert: Callable[[object], Value | None]) -> Value:
        value = values.get(key)
        converted = convert(value)
        if converted is None and value is not None:
            left_out.append(f"meta.{key} is left out: it should be {expected}, found {value!r}")
        return default if converted is None else converted

    return Meta(
        threads=entry("threads", 1, "a whole number of at least 1", lambda value: _count(value) or None),
        gpus=entry("gpu", 0, "a whole number of at least 0", _count),
        retries=entry("retries", 0, "a whole number of at least 0", _count),
        retry_delay=entry("retry_delay", RETRY_DELAY, "a number of seconds", _seconds),
        timeout=entry("timeout", None, "a number of seconds", lambda value: _seconds(value) or None),
        memory=entry("memory", None, "a size such as 8 GiB", _size),
        left_out=tuple(left_out),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _seconds(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        return None
    return float(value)


def _size(value: object) -> int | None:
    """The bytes of a size; None where it is none."""
    return None if isinstance(value, bool) else memory.bytes_of(str(value)) or None
