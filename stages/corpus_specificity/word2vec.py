"""data/corpora/corpus_specificity{,_tests} -> data/models/corpus_specificity/word2vec.parquet: scores of skip-gram."""

import shutil
from pathlib import Path

from repline.parameters import arguments, check, load, signature
from repline.systems.corpus_specificity.settings import Settings, Word2vec
from repline.systems.corpus_specificity.training import word2vec_scores
from stages import run
from stages.corpus_specificity import scores
from stages.corpus_specificity.tests import DOCUMENTS, word_tests

SCRATCH = Path("data/scratch/corpus_specificity-word2vec")


def main() -> None:
    settings = load(Settings, "corpus_specificity")
    knobs = signature(word2vec_scores, given=("progress",), base=Word2vec)
    chosen = check(knobs, settings.word2vec, "corpus_specificity.word2vec")
    tests = word_tests()
    wanted = {name: tests[name] for name in chosen.tests}
    options = arguments(chosen, of=word2vec_scores)
    rows = word2vec_scores(DOCUMENTS, wanted, SCRATCH, progress=scores.tell, **options)
    scores.write(Path("data/models/corpus_specificity/word2vec.parquet"), rows)
    shutil.rmtree(SCRATCH, ignore_errors=True)


if __name__ == "__main__":
    run(main)
