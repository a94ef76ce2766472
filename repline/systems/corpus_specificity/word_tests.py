"""Choose the categories and questions that a corpus is tested on, once: those whose words are rarest in it."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from scipy import sparse

from repline.errors import InputError

Category = tuple[str, tuple[str, ...]]


def usable_categories(
    words: Sequence[str], categories: Sequence[str], counts: Mapping[str, int], *, size: int = 10, lowest: int = 5
) -> list[Category]:
    """The categories that have enough words in a corpus, each with its first ones.

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
    whole = {category: tuple(found)[:size] for category, found in members.items() if len(found) >= size}
    shared = Counter(word for found in whole.values() for word in found)
    usable = [(category, found) for category, found in whole.items() if all(shared[word] == 1 for word in found)]
    if len(usable) < 2:
        raise InputError(
            f"the corpus has {len(usable)} categories of {size} words that occur {lowest} times, expected two or more; "
            "take a larger corpus, or ask for fewer words"
        )
    return usable


def rarest(groups: Sequence[Sequence[str]], held: sparse.csr_array, words: Sequence[str], number: int) -> list[int]:
    """The places of the `number` groups of words that occur in the fewest documents, the rarest first.

    A group occurs in a document that holds at least one of its words.

    Args:
        groups: categories or questions.
        held: bool [T, N], which document holds which word (`document_removal.carriers`).
        words: [T] of `held`, all words of the groups among them.
        number: at most so many.
    """
    row = {word: place for place, word in enumerate(words)}
    frequency = []
    for group in groups:
        rows = held[[row[word] for word in group]]
        frequency.append(len(np.unique(rows.indices)))
    return sorted(range(len(groups)), key=lambda place: (frequency[place], place))[:number]
