"""data/evaluation/word_vector_suite/scores -> data/evaluation/word_vector_suite/{table,metrics}.json."""

import json
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.evaluation.word_vectors import suite
from repline.files import write_json
from repline.parameters import load
from stages import run
from stages.word_vector_suite.settings import Settings

FOLDER = Path("data/evaluation/word_vector_suite")


def main() -> None:
    settings = load(Settings, "word_vector_suite")
    results = {name: _read(name) for name in settings.vectors}
    others = {name: _read(name) for name in settings.other_languages}
    described = suite.table(results)
    languages = {}
    for language in dict.fromkeys(result["language"] for result in others.values()):
        languages[language] = suite.table(
            {name: result for name, result in others.items() if result["language"] == language}
        )
    write_json(FOLDER / "table.json", described | {"languages": languages})
    write_json(FOLDER / "metrics.json", results | others)
    for one in (described, *languages.values()):
        print(suite.as_text(one))


def _read(vectors: str) -> dict[str, Any]:
    path = FOLDER / "scores" / f"{vectors}.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: {vectors} is not evaluated yet; run `dvc repro` for it") from None


if __name__ == "__main__":
    run(main)
