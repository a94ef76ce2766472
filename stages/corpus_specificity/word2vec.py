"""data/corpora/corpus_specificity{,_tests} -> data/models/corpus_specificity/word2vec.parquet: scores of skip-gram."""

import shutil
from pathlib import Path

from repline.errors import InputError
from repline.parameters import bind, nearest, read, section
from repline.systems.corpus_specificity.training import word2vec_scores
from stages import run
from stages.corpus_specificity import scores
from stages.corpus_specificity.tests import DOCUMENTS, word_tests

SCRATCH = Path("data/scratch/corpus_specificity-word2vec")


def main() -> None:
    settings = dict(section(read(), "corpus_specificity.word2vec"))
    tests = word_tests()
    wanted = settings.pop("tests", list(tests))
    for name in wanted:
        if name not in tests:
            raise InputError(f"params.yaml: corpus_specificity.word2vec.tests names {name!r}{nearest(name, tests)}")
    settings = bind(word2vec_scores, settings, "corpus_specificity.word2vec", given=("progress",))
    chosen = {name: tests[name] for name in wanted}
    rows = word2vec_scores(DOCUMENTS, chosen, SCRATCH, progress=scores.tell, **settings)
    scores.write(Path("data/models/corpus_specificity/word2vec.parquet"), rows)
    shutil.rmtree(SCRATCH, ignore_errors=True)


if __name__ == "__main__":
    run(main)
