"""data/corpora/corpus_specificity, categories, synonyms -> data/corpora/corpus_specificity_tests: the tests, frozen."""

import csv
from pathlib import Path

from repline.cards import read_card, write_card
from repline.errors import InputError
from repline.evaluation.word_vectors.benchmark_files import read_categories, read_synonyms
from repline.files import new_folder
from repline.lexicons.synonym_questions import synonym_questions
from repline.lexicons.wordnet import storage as wordnet_files
from repline.parameters import arguments, check, load, signature
from repline.systems.corpus_specificity import document_removal
from repline.systems.corpus_specificity.settings import CategoryTest, Settings, SynonymTest
from repline.systems.corpus_specificity.word_tests import rarest, usable_categories
from repline.vectors.tokens import Tokens
from stages import run
from stages.corpus_specificity.tests import DOCUMENTS, TESTS


def main() -> None:
    settings = load(Settings, "corpus_specificity")
    words, counts = Tokens(DOCUMENTS, lower=False).vocabulary()
    counted = dict(zip(words, counts.tolist(), strict=True))
    names, categories, usable = _categories(settings, counted)
    questions, asked = _questions(settings, counted)
    with new_folder(TESTS) as folder:
        rows = [(name, word) for name, group in zip(names, categories, strict=True) for word in group]
        _write(folder / "categories.csv", ",", [("category", "word"), *rows])
        _write(folder / "synonyms.tsv", "\t", questions)
        write_card(
            folder,
            name=TESTS.name,
            description="The categories and the synonym questions whose words are rarest in the documents",
            licence="as of the categories and of the wordnet",
            sources=[{"corpus": read_card(DOCUMENTS)}],
            parameters=settings.model_dump(include={"categories", "category_test", "synonyms", "synonym_test"}),
            counts={
                "categories": len(names),
                "usable_categories": usable,
                "questions": len(questions),
                "usable_questions": asked,
            },
        )
    print(f"{TESTS}: {len(names)} of {usable} categories ({', '.join(names)}), {len(questions)} of {asked} questions")


def _categories(settings: Settings, counted: dict[str, int]) -> tuple[list[str], list[tuple[str, ...]], int]:
    knobs = signature(usable_categories, base=CategoryTest)
    test = check(knobs, settings.category_test, "corpus_specificity.category_test")
    listed = read_categories(Path("data") / settings.categories)
    usable = usable_categories(*listed, counted, **arguments(test, of=usable_categories))
    chosen = [usable[place] for place in _rarest([group for _, group in usable], test.number)]
    return [name for name, _ in chosen], [group for _, group in chosen], len(usable)


def _questions(settings: Settings, counted: dict[str, int]) -> tuple[list[tuple[str, ...]], int]:
    knobs = signature(synonym_questions, given=("number",), base=SynonymTest)
    test = check(knobs, settings.synonym_test, "corpus_specificity.synonym_test")
    source = Path("data") / settings.synonyms
    if source.is_file():
        questions = [question for question in read_synonyms(source) if all(word in counted for word in question)]
        if not questions:
            raise InputError(f"{source}: the words of no question are all in the corpus; take a larger one")
    else:
        options = arguments(test, of=synonym_questions) | {"number": test.made}
        questions = synonym_questions(wordnet_files.read(source), counted, **options)
    return [questions[place] for place in _rarest(questions, test.number)], len(questions)


def _rarest(groups: list[tuple[str, ...]], number: int) -> list[int]:
    words = sorted({word for group in groups for word in group})
    return rarest(groups, document_removal.carriers(DOCUMENTS, words), words, number)


def _write(path: Path, delimiter: str, rows: list[tuple[str, ...]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    run(main)
