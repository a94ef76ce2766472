"""data/vectors/VECTORS, data/raw/SOURCE -> data/evaluation/word_vector_suite/scores/VECTORS/SOURCE.json."""

import sys
from pathlib import Path

from repline.errors import InputError
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.embedding import Embedding
from repline.files import write_json
from repline.parameters import arguments, load
from repline.vectors import store
from stages import run
from stages.word_vector_suite.settings import Settings

SCORES = Path("data/evaluation/word_vector_suite/scores")


def main() -> None:
    if len(sys.argv) != 3:
        raise InputError("expected a folder of data/vectors and a source: python -m ... VECTORS SOURCE")
    vectors, source = sys.argv[1:]
    settings = load(Settings, "word_vector_suite")
    options = arguments(settings, of=suite.evaluate)
    words, matrix = store.words_and_matrix(Path("data/vectors") / vectors)
    embedding = Embedding(words, matrix, **arguments(settings, of=Embedding.of))
    result = {"words": len(embedding), "dimensions": matrix.shape[1], "tests": {}}
    for test in suite.tests_of(source):
        result["tests"][test.name] = suite.evaluate(embedding, test, Path("data/raw") / source, **options)
        print(suite.as_text(suite.table({vectors: result}, [test])).splitlines()[1], flush=True)
    write_json(SCORES / vectors / f"{source}.json", result)


if __name__ == "__main__":
    run(main)
