"""data/vectors/VECTORS, data/raw/SOURCE -> data/evaluation/word_vector_suite/scores/VECTORS/SOURCE.json."""

import sys
from pathlib import Path

from repline import parameters
from repline.errors import InputError
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.embedding import Embedding
from repline.files import write_json
from repline.vectors import store
from stages import run

SCORES = Path("data/evaluation/word_vector_suite/scores")


def main() -> None:
    if len(sys.argv) != 3:
        raise InputError("expected a folder of data/vectors and a source: python -m ... VECTORS SOURCE")
    vectors, source = sys.argv[1:]
    values = dict(parameters.section(parameters.read(), "word_vector_suite"))
    for key in ("vectors", "sources"):
        values.pop(key, None)  # what DVC made this call from
    case = {key: values.pop(key) for key in ("ignore_case",) if key in values}
    case = parameters.bind(Embedding.of, case, "word_vector_suite")
    options = parameters.bind(suite.evaluate, values, "word_vector_suite")
    keyed = store.load(Path("data/vectors") / vectors)
    embedding = Embedding.of(keyed, **case)
    result = {"words": len(embedding), "dimensions": keyed.vector_size, "tests": {}}
    for test in suite.tests_of(source):
        result["tests"][test.name] = suite.evaluate(embedding, test, Path("data/raw") / source, **options)
        print(suite.as_text(suite.table({vectors: result}, [test])).splitlines()[1], flush=True)
    write_json(SCORES / vectors / f"{source}.json", result)


if __name__ == "__main__":
    run(main)
