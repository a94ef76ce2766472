"""What an evaluation comes to: numbers that claims are judged by, their replicates, and what figures show beside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from repline.evaluation.replication.bootstrap import side_by_side

Metrics = dict[str, Any]  # nested mappings of numbers and lists of numbers; None for what could not be measured


@dataclass(frozen=True)
class Evaluation:
    """The result of a system's `evaluate`.

    Attributes:
        metrics: point values, nested by name; claims and published rows name them.
        replicates: parts of the metrics, measured again with other seeds or on other test items; one mapping each.
        details: what figures show beside the metrics, by name; it is not judged.
    """

    metrics: Metrics
    replicates: Sequence[Mapping[str, Any]] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def side_by_side(cls, parts: Mapping[str, "Evaluation"]) -> "Evaluation":
        """Several evaluations as one, each under its name."""
        return cls(
            {name: part.metrics for name, part in parts.items()},
            side_by_side(**{name: part.replicates for name, part in parts.items()}),
            {name: part.details for name, part in parts.items()},
        )
