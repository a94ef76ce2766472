"""What an evaluation yields: numbers that claims are judged by, their replicates, and details for figures."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.evaluation.replication import replicate_files
from repline.evaluation.replication.bootstrap import side_by_side
from repline.files import new_folder, write_json

Metrics = dict[str, Any]  # nested mappings of numbers and lists of numbers; None for what could not be measured
SCORES, REPLICATES = "scores.json", "replicates.parquet"  # of a saved evaluation


@dataclass(frozen=True)
class Evaluation:
    """The result of a system's `evaluate`.

    Attributes:
        metrics: point values, nested by name; claims and published rows name them.
        replicates: parts of the metrics, measured again with other seeds or on other test items; one mapping each.
        details: what figures show apart from the metrics, by name; it is not judged.
    """

    metrics: Metrics
    replicates: Sequence[Mapping[str, Any]] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def save(self, folder: str | Path) -> None:
        """Write metrics and replicates, not the details: scores.json and replicates.parquet in a new folder."""
        with new_folder(folder) as partial:
            write_json(partial / SCORES, self.metrics)
            replicate_files.write(partial / REPLICATES, self.replicates)

    @classmethod
    def load(cls, folder: str | Path) -> "Evaluation":
        """Metrics and replicates that `save` wrote; InputError if there are none."""
        try:
            metrics = json.loads((Path(folder) / SCORES).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(f"{Path(folder) / SCORES}: there is no such file; run `dvc repro` for it") from None
        return cls(metrics, replicate_files.read(Path(folder) / REPLICATES))

    @classmethod
    def side_by_side(cls, parts: Mapping[str, "Evaluation"]) -> "Evaluation":
        """Several evaluations as one, each under its name."""
        return cls(
            {name: part.metrics for name, part in parts.items()},
            side_by_side(**{name: part.replicates for name, part in parts.items()}),
            {name: part.details for name, part in parts.items()},
        )
