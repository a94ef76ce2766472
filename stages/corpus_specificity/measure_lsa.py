"""data/corpora/corpus_specificity{,_tests} -> data/models/corpus_specificity/lsa.parquet: scores of LSA."""

from repline.systems.corpus_specificity.scores import print_score, write_scores
from repline.systems.corpus_specificity.settings import load
from repline.systems.corpus_specificity.training import lsa_scores
from repline.systems.corpus_specificity.word_tests import read_tests
from stages import run, threads
from stages.folders import CORPORA, MODELS


def main() -> None:
    tests = read_tests(CORPORA / "corpus_specificity_tests")
    documents = CORPORA / "corpus_specificity"
    rows = lsa_scores(documents, tests, load().lsa, threads=threads(), progress=print_score)
    write_scores(MODELS / "corpus_specificity" / "lsa.parquet", rows)


if __name__ == "__main__":
    run(main)
