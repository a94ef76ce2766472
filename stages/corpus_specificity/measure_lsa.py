"""Score LSA on the tests, and write its vectors of the whole corpus.

data/corpora/corpus_specificity{,_tests} -> data/models/corpus_specificity/lsa{.parquet,}
"""

from repline.systems.corpus_specificity.lsa_training import lsa_scores, write_lsa
from repline.systems.corpus_specificity.scores import best_dimensions, print_score, write_scores
from repline.systems.corpus_specificity.settings import load
from repline.systems.corpus_specificity.word_tests import read_tests
from stages import run, threads
from stages.folders import CORPORA, MODELS


def main() -> None:
    tests = read_tests(CORPORA / "corpus_specificity_tests")
    documents = CORPORA / "corpus_specificity"
    recipe, models = load().lsa, MODELS / "corpus_specificity"
    rows = lsa_scores(documents, tests, recipe, threads=threads(), progress=print_score)
    write_scores(models / "lsa.parquet", rows)
    write_lsa(models / "lsa", documents, best_dimensions(rows, "us"), recipe, threads=threads())


if __name__ == "__main__":
    run(main)
