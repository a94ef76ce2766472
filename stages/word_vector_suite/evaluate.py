"""One entry of word_vector_suite.vectors on all tests: `python -m stages.word_vector_suite.evaluate word2vec`.

One of word_vector_suite.other_languages on the tests in the language that the card of its vectors names.

data/vectors, data/raw -> data/evaluation/word_vector_suite/scores/NAME.json.
"""

from pathlib import Path

import numpy as np

from repline.cards import language_of, read_card
from repline.errors import InputError
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.embedding import Embedding
from repline.files import write_json
from repline.parameters import arguments, load
from repline.vectors import store
from stages import run
from stages.argument import argument
from stages.word_vector_suite.settings import Settings, Vectors

SCORES = Path("data/evaluation/word_vector_suite/scores")
VECTORS = Path("data/vectors")


def main() -> None:
    settings = load(Settings, "word_vector_suite")
    chosen: dict[str, Vectors] = {**settings.vectors, **settings.other_languages}
    name = argument("the name of vectors", chosen)
    options = arguments(settings, of=suite.measure)
    embedding = cut(chosen[name], arguments(settings, of=Embedding.of))
    result = {"words": len(embedding), "dimensions": int(embedding.matrix.shape[1]), "tests": {}}
    sources, language = settings.sources, None
    if name in settings.other_languages:
        sources, language = settings.other_languages[name].sources, spoken(VECTORS / chosen[name].folder)
        result["language"] = language
    for source in dict.fromkeys(sources):
        for test in suite.tests_of(source, language):
            result["tests"][test.name] = suite.evaluate(embedding, test, Path("data/raw") / source, **options)
            print(suite.as_text(suite.table({name: result}, [test])).splitlines()[1], flush=True)
    write_json(SCORES / f"{name}.json", result)


def spoken(folder: Path) -> str:
    """The language that the card of some vectors, or of the corpus they come from, names; InputError if none does."""
    language = language_of(read_card(folder))
    if language is None:
        raise InputError(f"{folder}/card.json: expected the language of the vectors, and none is named there")
    return language


def cut(chosen: Vectors, options: dict[str, bool]) -> Embedding:
    """The vectors of one entry, in their own order, of the words that the folder `like` has.

    Raises:
        InputError: a folder is missing, or the two have no word in common.
    """
    embedding = Embedding(*store.words_and_matrix(VECTORS / chosen.folder), **options)
    if chosen.like == chosen.folder:
        return embedding
    rows = np.unique(embedding.rows(store.load_vocabulary(VECTORS / chosen.like)["word"].to_pylist()))
    rows = rows[rows >= 0]
    if not len(rows):
        raise InputError(f"{VECTORS / chosen.folder} and {VECTORS / chosen.like} have no word in common")
    return Embedding([embedding.words[row] for row in rows], np.asarray(embedding.matrix[rows]), **options)


if __name__ == "__main__":
    run(main)
