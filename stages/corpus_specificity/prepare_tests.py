"""data/corpora/corpus_specificity, categories, synonyms -> data/corpora/corpus_specificity_tests: the tests, frozen."""

from repline.systems.corpus_specificity.rarest_test_items import write_tests
from repline.systems.corpus_specificity.settings import load
from stages import run
from stages.folders import CORPORA


def main() -> None:
    folder = CORPORA / "corpus_specificity_tests"
    counts = write_tests(folder, CORPORA / "corpus_specificity", load())["counts"]
    categories = f"{counts['categories']} of {counts['usable_categories']} categories"
    print(f"{folder}: {categories}, {counts['questions']} of {counts['usable_questions']} questions")


if __name__ == "__main__":
    run(main)
