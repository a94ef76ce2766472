"""data/evaluation/sentence_suite/scores -> data/evaluation/sentence_suite/{table,metrics}.json."""

import json

from repline.errors import InputError
from repline.evaluation.sentences import sentence_table
from repline.evaluation.sentences.sentence_records import EncoderResult
from repline.files import write_json
from stages import run
from stages.folders import EVALUATION
from stages.sentence_suite.settings import load

FOLDER = EVALUATION / "sentence_suite"


def main() -> None:
    settings = load()
    results = {name: _read(name) for name in settings.encoders}
    described = sentence_table.table(results)
    write_json(FOLDER / "table.json", described)
    metrics = {name: sentence_table.without_resamples(result) for name, result in results.items()}
    write_json(FOLDER / "metrics.json", metrics)
    print(sentence_table.as_text(described))


def _read(encoder: str) -> EncoderResult:
    path = FOLDER / "scores" / f"{encoder}.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: {encoder} is not evaluated yet; run `dvc repro` for it") from None


if __name__ == "__main__":
    run(main)
