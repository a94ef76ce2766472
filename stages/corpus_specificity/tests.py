"""Where the documents and the two tests of corpus specificity lie."""

from pathlib import Path

from repline.evaluation.word_vectors.benchmark_files import read_categories, read_synonyms
from repline.systems.corpus_specificity.evaluation import Categories, Questions

DOCUMENTS = Path("data/corpora/corpus_specificity")
TESTS = Path("data/corpora/corpus_specificity_tests")


def word_tests() -> dict[str, Categories | Questions]:
    """Both tests, by name."""
    groups: dict[str, list[str]] = {}
    for word, name in zip(*read_categories(TESTS / "categories.csv"), strict=True):
        groups.setdefault(name, []).append(word)
    return {
        "categories": Categories(tuple(map(tuple, groups.values()))),
        "synonyms": Questions(tuple(read_synonyms(TESTS / "synonyms.tsv"))),
    }
