"""data/evaluation/word_vector_suite/scores -> data/evaluation/word_vector_suite/{table,metrics}.json."""

import json

from repline.errors import InputError
from repline.evaluation.word_vectors import suite_table
from repline.evaluation.word_vectors.suite_records import SuiteTable, VectorsResult
from repline.files import write_json
from stages import run
from stages.folders import EVALUATION
from stages.word_vector_suite.settings import load

FOLDER = EVALUATION / "word_vector_suite"


def main() -> None:
    settings = load()
    results = {name: _read(name) for name in settings.vectors}
    other_results = {name: _read(name) for name in settings.other_languages}
    table, languages = suite_table.table(results), suite_table.tables_by_language(other_results)
    with_languages: SuiteTable = {**table, "languages": languages}
    write_json(FOLDER / "table.json", with_languages)
    write_json(FOLDER / "metrics.json", results | other_results)
    for language_table in (table, *languages.values()):
        print(suite_table.as_text(language_table))


def _read(vectors: str) -> VectorsResult:
    path = FOLDER / "scores" / f"{vectors}.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: {vectors} is not evaluated yet; run `dvc repro` for it") from None


if __name__ == "__main__":
    run(main)
