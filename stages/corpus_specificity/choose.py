"""data/corpora/corpus_specificity, categories, synonyms -> data/corpora/corpus_specificity_tests: the tests, frozen."""

import csv
from pathlib import Path
from typing import Any

from repline.cards import read_card, write_card
from repline.errors import InputError
from repline.evaluation.word_vectors.benchmark_files import read_categories, read_synonyms
from repline.files import new_folder
from repline.lexicons.synonym_questions import synonym_questions
from repline.lexicons.wordnet import storage as wordnet_files
from repline.parameters import bind, read, section
from repline.systems.corpus_specificity import document_removal
from repline.systems.corpus_specificity.word_tests import rarest, usable_categories
from repline.vectors.tokens import Tokens
from stages import run
from stages.corpus_specificity.tests import DOCUMENTS, TESTS


def main() -> None:
    values = section(read(), "corpus_specificity")
    words, counts = Tokens(DOCUMENTS, lower=False).vocabulary()
    counted = dict(zip(words, counts.tolist(), strict=True))
    names, categories, usable = _categories(values, counted)
    questions, asked = _questions(values, counted)
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
            parameters={key: values[key] for key in ("categories", "category_test", "synonyms", "synonym_test")},
            counts={
                "categories": len(names),
                "usable_categories": usable,
                "questions": len(questions),
                "usable_questions": asked,
            },
        )
    print(f"{TESTS}: {len(names)} of {usable} categories ({', '.join(names)}), {len(questions)} of {asked} questions")


def _categories(values: dict[str, Any], counted: dict[str, int]) -> tuple[list[str], list[tuple[str, ...]], int]:
    settings = dict(section(values, "category_test"))
    number = _number(settings, "category_test")
    settings = bind(usable_categories, settings, "corpus_specificity.category_test")
    listed = read_categories(Path("data") / values["categories"])
    usable = usable_categories(*listed, counted, **settings)
    chosen = [usable[place] for place in _rarest([group for _, group in usable], number)]
    return [name for name, _ in chosen], [group for _, group in chosen], len(usable)


def _questions(values: dict[str, Any], counted: dict[str, int]) -> tuple[list[tuple[str, ...]], int]:
    settings = dict(section(values, "synonym_test"))
    number = _number(settings, "synonym_test")
    source = Path("data") / values["synonyms"]
    if source.is_file():
        questions = [question for question in read_synonyms(source) if all(word in counted for word in question)]
        if not questions:
            raise InputError(f"{source}: the words of no question are all in the corpus; take a larger one")
    else:
        settings["number"] = settings.pop("made", 80)
        settings = bind(synonym_questions, settings, "corpus_specificity.synonym_test")
        questions = synonym_questions(wordnet_files.read(source), counted, **settings)
    return [questions[place] for place in _rarest(questions, number)], len(questions)


def _rarest(groups: list[tuple[str, ...]], number: int) -> list[int]:
    words = sorted({word for group in groups for word in group})
    return rarest(groups, document_removal.carriers(DOCUMENTS, words), words, number)


def _number(settings: dict[str, Any], name: str) -> int:
    number = settings.pop("number", None)
    if not isinstance(number, int) or number < 2:
        raise InputError(f"params.yaml: corpus_specificity.{name}.number should be at least 2, found {number!r}")
    return number


def _write(path: Path, delimiter: str, rows: list[tuple[str, ...]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    run(main)
