"""Run records: which machine ran a stage, and for how long. The page shows them; no stage's output holds them."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from repline.errors import InputError, in_one_line
from repline.evaluation.claims.yaml_records import require_keys
from repline.report.result_records import RunRecord


def read_runs(folder: str | Path) -> list[RunRecord]:
    """The run records of a folder, by stage name.

    Args:
        folder: of `<stage>.json` files {"stage", "started" (seconds since 1970), "seconds", "core_seconds",
            "peak_bytes", "threads", "machine" {"cores", "platform", "python"}}; may be missing.

    Returns:
        The records, each with `ended` added, as "2026-11-21 19:44 UTC"; core_seconds and peak_bytes are 0 where an
        older record does not say.

    Raises:
        InputError: a file that is no such record.
    """
    records: list[RunRecord] = []
    for path in sorted(Path(folder).glob("*.json")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise InputError(
                f"{path}: expected a run record as JSON ({in_one_line(error)}); delete it and run again"
            ) from None
        require_keys(record, str(path), ("stage", "started", "seconds", "threads", "machine"), tuple(record))
        ended = datetime.fromtimestamp(record["started"] + record["seconds"], UTC)
        whole = {"core_seconds": 0.0, "peak_bytes": 0, **record, "ended": f"{ended:%Y-%m-%d %H:%M} UTC"}
        records.append(cast(RunRecord, whole))
    return sorted(records, key=lambda record: record["stage"])


def runs_of(records: Sequence[RunRecord], system: str) -> list[RunRecord]:
    """The records of the stages in `stages/<system>/`, whether DVC ran them or a person did by hand."""
    return [record for record in records if record["stage"].startswith((f"stages/{system}/", f"stages.{system}."))]


def by_hand(record: RunRecord) -> bool:
    """Whether a person ran the stage's command: the record has the name of the module then, not DVC's of the stage."""
    return record["stage"].startswith("stages.")
