"""One entry of word_vector_suite.vectors on all tests: `python -m stages.word_vector_suite.evaluate word2vec`.

One of word_vector_suite.other_languages on the tests in the language that the card of its vectors names.

data/vectors, data/raw -> data/evaluation/word_vector_suite/scores/NAME.json.
"""

from pathlib import Path

from repline.cards import language_of, read_card
from repline.errors import InputError
from repline.evaluation.word_vectors import suite, suite_table
from repline.evaluation.word_vectors.stored_embedding import stored_embedding
from repline.files import write_json
from stages import run
from stages.argument import argument
from stages.folders import EVALUATION, RAW, VECTORS
from stages.word_vector_suite.settings import OtherVectors, load

SCORES = EVALUATION / "word_vector_suite" / "scores"


def main() -> None:
    settings = load()
    name = argument("the name of vectors", settings.all_vectors)
    vectors = settings.all_vectors[name]
    folder = VECTORS / vectors.folder
    embedding = stored_embedding(folder, VECTORS / vectors.like, ignore_case=settings.ignore_case)
    sources, language = settings.sources, None
    if isinstance(vectors, OtherVectors):
        sources, language = vectors.sources, _language(folder)
    results = suite.evaluate_sources(
        embedding,
        sources,
        RAW,
        settings,
        language=language,
        report=lambda test, results: print(
            suite_table.as_text(suite_table.table({name: results}, [test])).splitlines()[1]
        ),
    )
    write_json(SCORES / f"{name}.json", results)


def _language(folder: Path) -> str:
    """The language that the card of some vectors, or of the corpus they come from, names; InputError if none does."""
    language = language_of(read_card(folder))
    if language is None:
        raise InputError(f"{folder}/card.json: expected the language of the vectors, and none is named there")
    return language


if __name__ == "__main__":
    run(main)
