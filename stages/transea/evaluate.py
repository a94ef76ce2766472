"""data/evaluation/transea/graphs -> data/evaluation/transea: metrics, claims, figures, plots."""

import json
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.evaluation.replication.bootstrap import together
from repline.evaluation.replication.replicate_files import read as read_replicates
from repline.parameters import load
from repline.systems.transea.settings import Settings
from stages import run
from stages.conclusion import conclude
from stages.transea import figures
from stages.transea.rank import GRAPHS


def main() -> None:
    metrics: dict[str, Any] = {}
    relations, repeated = {}, []
    for name in load(Settings, "transea").graphs:
        folder = GRAPHS / name
        metrics[name], relations[name] = (_read(folder / f"{part}.json") for part in ("scores", "relations"))
        repeated.append(read_replicates(folder / "replicates.parquet"))
    conclude("transea", metrics, figures.figures(metrics), figures.plots(metrics, relations), together(*repeated))


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{path}: there is no such file; run `python -m stages.transea.rank {path.parent.name}`"
        ) from None


if __name__ == "__main__":
    run(main)
