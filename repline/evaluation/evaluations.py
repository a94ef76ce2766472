"""What an evaluation yields: numbers that claims are judged by, their replicates, and details for figures."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.evaluation.nested_measures import Replicate
from repline.evaluation.replication import replicate_files
from repline.evaluation.replication.bootstrap import side_by_side
from repline.files import new_folder, write_json

Metrics = dict[str, Any]  # nested mappings of numbers and lists of numbers; None for what could not be measured
Details = Mapping[str, Any]  # of any types: the figures of a system know what its evaluation gives them
SCORES, REPLICATES, NOT_CONVERGED = "scores.json", "replicates.parquet", "not_converged.json"  # of a saved evaluation


@dataclass(frozen=True)
class Evaluation:
    """The result of a system's `evaluate`.

    Attributes:
        metrics: point values, nested by name; claims and published rows name them.
        replicates: parts of the metrics, measured again with other seeds or on other test items; one mapping each.
        details: what figures show apart from the metrics, by name; it is not judged.
        not_converged: groups of metrics, such as "chapters.networks.hcan", that are of a training which ended before
            it had converged (`repline.training.convergence`). What rests on one is undecided.
    """

    metrics: Metrics
    replicates: Sequence[Replicate] = ()
    details: Details = field(default_factory=dict)
    not_converged: Sequence[str] = ()

    def save(self, folder: str | Path) -> None:
        """Write all but the details to a new folder: scores.json, replicates.parquet, and any not_converged.json."""
        with new_folder(folder) as partial:
            write_json(partial / SCORES, self.metrics)
            replicate_files.write(partial / REPLICATES, self.replicates)
            if self.not_converged:
                write_json(partial / NOT_CONVERGED, list(self.not_converged))

    @classmethod
    def load(cls, folder: str | Path) -> "Evaluation":
        """Read the evaluation that `save` wrote; InputError if there is none."""
        try:
            metrics = json.loads((Path(folder) / SCORES).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(f"{Path(folder) / SCORES}: there is no such file; run `dvc repro` for it") from None
        marks = Path(folder) / NOT_CONVERGED
        return cls(
            metrics,
            replicate_files.read(Path(folder) / REPLICATES),
            not_converged=json.loads(marks.read_text(encoding="utf-8")) if marks.exists() else (),
        )

    @classmethod
    def side_by_side(cls, parts: Mapping[str, "Evaluation"]) -> "Evaluation":
        """Several evaluations as one, each under its name."""
        return cls(
            {name: part.metrics for name, part in parts.items()},
            side_by_side(**{name: part.replicates for name, part in parts.items()}),
            {name: part.details for name, part in parts.items()},
            [f"{name}.{group}" for name, part in parts.items() for group in part.not_converged],
        )
