"""Word vectors on disk and in memory: one store, readers of every common format, training."""

from repline.vectors.readers import read
from repline.vectors.store import load, save

__all__ = ["load", "read", "save"]
