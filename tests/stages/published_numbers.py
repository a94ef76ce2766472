"""What an evaluation would write had it measured just what a paper prints."""

from collections.abc import Iterable, Mapping
from typing import Any


def percent_as_metrics(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Nested metrics of rows of published.yaml that are measured by `100 * ` and a dotted name."""
    metrics: dict[str, Any] = {}
    for row in rows:
        *path, last = row["measured"].removeprefix("100 * ").split(".")
        inner = metrics
        for name in path:
            inner = inner.setdefault(name, {})
        inner[last] = row["value"] / 100
    return metrics
