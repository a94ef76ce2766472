"""Word vectors on disk and in memory: one store, readers of every common format, training.

`read`, `load` and `save` are imported when they are first used: gensim takes a second, and a stage that only maps a
stored matrix does not depend on the readers of other formats.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from repline.vectors.formats.readers import read
    from repline.vectors.store import load, save

__all__ = ["load", "read", "save"]

_HOMES = {"load": "repline.vectors.store", "read": "repline.vectors.formats.readers", "save": "repline.vectors.store"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
