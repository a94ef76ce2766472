"""Score skip-gram on the tests, and write its vectors of the whole corpus.

data/corpora/corpus_specificity{,_tests} -> data/models/corpus_specificity/word2vec{.parquet,}
"""

import shutil
from pathlib import Path

from repline.systems.corpus_specificity.scores import print_score, write_scores
from repline.systems.corpus_specificity.settings import load
from repline.systems.corpus_specificity.word2vec_training import word2vec_scores
from repline.systems.corpus_specificity.word_tests import read_tests
from stages import run
from stages.folders import CORPORA, MODELS

SCRATCH = Path("data/scratch/corpus_specificity-word2vec")


def main() -> None:
    recipe = load().word2vec
    tests = read_tests(CORPORA / "corpus_specificity_tests")
    recipe_tests = {str(name): tests[name] for name in recipe.tests}
    documents, models = CORPORA / "corpus_specificity", MODELS / "corpus_specificity"
    vectors = models / "word2vec"
    rows = word2vec_scores(documents, recipe_tests, SCRATCH, recipe, vectors=vectors, progress=print_score)
    write_scores(models / "word2vec.parquet", rows)
    shutil.rmtree(SCRATCH, ignore_errors=True)


if __name__ == "__main__":
    run(main)
