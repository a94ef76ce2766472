"""The systems that a run evaluates, by the names of its outputs."""

from collections.abc import Iterable
from pathlib import Path


def evaluated_systems(outs: Iterable[str]) -> list[str]:
    """The systems whose evaluation, data/evaluation/SYSTEM, is among some outputs."""
    parts = (Path(out).parts for out in outs)
    return sorted({names[2] for names in parts if names[:2] == ("data", "evaluation") and len(names) > 2})
