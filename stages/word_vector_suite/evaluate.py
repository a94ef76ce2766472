"""One entry of word_vector_suite.vectors on all tests: `python -m stages.word_vector_suite.evaluate word2vec`.

data/vectors, data/raw -> data/evaluation/word_vector_suite/scores/NAME.json.
"""

import sys
from pathlib import Path

import numpy as np

from repline.errors import InputError
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.embedding import Embedding
from repline.files import write_json
from repline.parameters import arguments, load
from repline.vectors import store
from stages import run
from stages.word_vector_suite.settings import Settings, Vectors

SCORES = Path("data/evaluation/word_vector_suite/scores")
VECTORS = Path("data/vectors")


def main() -> None:
    settings = load(Settings, "word_vector_suite")
    if len(sys.argv) != 2 or sys.argv[1] not in settings.vectors:
        raise InputError(f"expected the name of vectors, one of: {', '.join(settings.vectors)}")
    name = sys.argv[1]
    options = arguments(settings, of=suite.measure)
    embedding = cut(settings.vectors[name], arguments(settings, of=Embedding.of))
    result = {"words": len(embedding), "dimensions": int(embedding.matrix.shape[1]), "tests": {}}
    for source in settings.sources:
        for test in suite.tests_of(source):
            result["tests"][test.name] = suite.evaluate(embedding, test, Path("data/raw") / source, **options)
            print(suite.as_text(suite.table({name: result}, [test])).splitlines()[1], flush=True)
    write_json(SCORES / f"{name}.json", result)


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
