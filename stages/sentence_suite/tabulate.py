"""data/evaluation/sentence_suite/scores -> data/evaluation/sentence_suite/{table,metrics}.json."""

import json
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.evaluation.sentences import sentence_table
from repline.files import write_json
from repline.parameters import load
from stages import run
from stages.sentence_suite.settings import Settings

FOLDER = Path("data/evaluation/sentence_suite")


def main() -> None:
    settings = load(Settings, "sentence_suite")
    results = {name: _read(name) for name in settings.encoders}
    described = sentence_table.table(results)
    write_json(FOLDER / "table.json", described)
    write_json(FOLDER / "metrics.json", {name: _numbers(result) for name, result in results.items()})
    print(sentence_table.as_text(described))


def _read(encoder: str) -> dict[str, Any]:
    path = FOLDER / "scores" / f"{encoder}.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: {encoder} is not evaluated yet; run `dvc repro` for it") from None


def _numbers(result: dict[str, Any]) -> dict[str, Any]:
    """A result without its resamples."""
    tasks = {
        task: {name: value for name, value in found.items() if name not in ("replicates", "penalties")}
        for task, found in result["tasks"].items()
    }
    return result | {"tasks": tasks}


if __name__ == "__main__":
    run(main)
