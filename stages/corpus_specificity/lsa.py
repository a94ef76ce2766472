"""data/corpora/corpus_specificity{,_tests} -> data/models/corpus_specificity/lsa.parquet: scores of LSA."""

from pathlib import Path

from repline.parameters import bind, load
from repline.systems.corpus_specificity.settings import Settings
from repline.systems.corpus_specificity.training import lsa_scores
from stages import run, threads
from stages.corpus_specificity import scores
from stages.corpus_specificity.tests import DOCUMENTS, word_tests


def main() -> None:
    settings = load(Settings, "corpus_specificity")
    options = bind(lsa_scores, settings.lsa, "corpus_specificity.lsa", given=("threads", "progress"))
    rows = lsa_scores(DOCUMENTS, word_tests(), threads=threads(), progress=scores.tell, **options)
    scores.write(Path("data/models/corpus_specificity/lsa.parquet"), rows)


if __name__ == "__main__":
    run(main)
