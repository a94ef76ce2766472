"""Select the categories and questions that a corpus is tested on: those whose words are rarest in it."""

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from scipy import sparse

from repline.cards import Card, read_card, write_card
from repline.errors import InputError
from repline.evaluation.word_vectors.benchmark_files import read_categories, read_synonyms
from repline.files import new_folder
from repline.lexicons.synonym_questions import synonym_questions
from repline.lexicons.wordnet import storage as wordnet_files
from repline.systems.corpus_specificity.document_removal import documents_with_words
from repline.systems.corpus_specificity.settings import Settings, SynonymTest
from repline.systems.corpus_specificity.word_tests import CATEGORIES, SYNONYMS
from repline.vectors.tokens import Tokens

Item = TypeVar("Item")
Category = tuple[str, tuple[str, ...]]


def write_tests(folder: str | Path, documents: str | Path, settings: Settings, data: str | Path = "data") -> Card:
    """Write the categories and the questions that are the tests, and return their card.

    Args:
        folder: replaces what was there.
        documents: the folder of the whole corpus, whose words count.
        settings: the sources of both tests, folders and files of `data`, and how many of them to select.

    Raises:
        InputError: a source cannot be read, or has too few words that are in the corpus.
    """
    words, counts = Tokens(documents, lower=False).vocabulary()
    counted = dict(zip(words, counts.tolist(), strict=True))
    listed = read_categories(Path(data) / settings.categories)
    usable = usable_categories(
        *listed, counted, size=settings.category_test.words, lowest=settings.category_test.lowest
    )
    categories = _rarest(documents, usable, [group for _, group in usable], settings.category_test.number)
    usable_questions = _questions(Path(data) / settings.synonyms, settings.synonym_test, counted)
    questions = _rarest(documents, usable_questions, usable_questions, settings.synonym_test.number)
    with new_folder(folder) as partial:
        rows = [(name, word) for name, group in categories for word in group]
        _write(partial / CATEGORIES, ",", [("category", "word"), *rows])
        _write(partial / SYNONYMS, "\t", questions)
        return write_card(
            partial,
            name=Path(folder).name,
            description="The categories and the synonym questions whose words are rarest in the documents",
            licence="as of the categories and of the wordnet",
            sources=[{"corpus": read_card(documents)}],
            parameters=settings.model_dump(include={"categories", "category_test", "synonyms", "synonym_test"}),
            counts={
                "categories": len(categories),
                "usable_categories": len(usable),
                "questions": len(questions),
                "usable_questions": len(usable_questions),
            },
        )


def usable_categories(
    words: Sequence[str], categories: Sequence[str], counts: Mapping[str, int], *, size: int = 10, lowest: int = 5
) -> list[Category]:
    """The categories that have enough words in a corpus, each cut to its first `size` words.

    Args:
        words, categories: [n] each, in the order of a word's typicality within its category; a word of several parts
            (with a blank, a hyphen, a digit) is left out.
        counts: occurrences of each word in the corpus, in lower case.
        size: words of each category.
        lowest: occurrences that a word needs.

    Returns:
        (category, its words); a category with fewer words, or that shares one of them with another, is left out.

    Raises:
        InputError: fewer than two categories are left.
    """
    members: dict[str, dict[str, None]] = {}
    for word, category in zip(words, categories, strict=True):
        word = word.lower()
        if word.isalpha() and counts.get(word, 0) >= lowest:
            members.setdefault(category, {})[word] = None
    whole = {category: tuple(listed)[:size] for category, listed in members.items() if len(listed) >= size}
    shared = Counter(word for group in whole.values() for word in group)
    usable = [(category, group) for category, group in whole.items() if all(shared[word] == 1 for word in group)]
    if len(usable) < 2:
        raise InputError(
            f"the corpus has {len(usable)} categories of {size} words that occur {lowest} times, expected two or more; "
            "take a larger corpus, or ask for fewer words"
        )
    return usable


def rarest(
    groups: Sequence[Sequence[str]], word_in_document: sparse.csr_array, words: Sequence[str], number: int
) -> list[int]:
    """The positions of the `number` groups of words that occur in the fewest documents, the rarest first.

    A group occurs in a document that holds at least one of its words.

    Args:
        groups: categories or questions.
        word_in_document: bool [T, N], which document holds which word (`document_removal.documents_with_words`).
        words: [T] of `word_in_document`, all words of the groups among them.
        number: how many groups at most.
    """
    row = {word: number for number, word in enumerate(words)}
    frequency = []
    for group in groups:
        rows = word_in_document[[row[word] for word in group]]
        frequency.append(len(np.unique(rows.indices)))
    return sorted(range(len(groups)), key=lambda group: (frequency[group], group))[:number]


def _questions(source: Path, test: SynonymTest, counts: Mapping[str, int]) -> list[tuple[str, ...]]:
    """The questions of a file whose words are all in the corpus, or questions made of a wordnet."""
    if not source.is_file():
        return synonym_questions(
            wordnet_files.read(source),
            counts,
            number=test.made,
            distractors=test.distractors,
            lowest=test.lowest,
            highest=test.highest,
            seed=test.seed,
        )
    questions = [question for question in read_synonyms(source) if all(word in counts for word in question)]
    if not questions:
        raise InputError(
            f"{source}: expected questions whose words are all in the corpus, found none; take a larger corpus"
        )
    return questions


def _rarest(documents: str | Path, items: Sequence[Item], groups: Sequence[Sequence[str]], number: int) -> list[Item]:
    """The items whose groups of words are rarest in the documents."""
    words = sorted({word for group in groups for word in group})
    return [items[group] for group in rarest(groups, documents_with_words(documents, words), words, number)]


def _write(path: Path, delimiter: str, rows: Sequence[tuple[str, ...]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)
