"""Which words of a vocabulary a person's lexicon relates."""

import pytest

from repline.errors import InputError
from repline.lexicons.vocabulary_edges import listed_words, vocabulary_edges

WORDS = ["cat", "kitten", "b2b", "dog", "puppy"]


@pytest.fixture
def lists(tmp_path):
    path = tmp_path / "lists.txt"
    path.write_text("cat kitten b2b unseen\ndog\nDog puppy\nlion cat\n", encoding="utf-8")
    return path


def test_edges_are_rows_of_the_vocabulary(lists):
    assert vocabulary_edges(lists, WORDS).tolist() == [[0, 1], [0, 2], [3, 4]]
    assert vocabulary_edges(lists, WORDS, plain=True).tolist() == [[0, 1], [3, 4]]
    assert listed_words(lists, WORDS) == 2


def test_a_lexicon_without_two_of_the_words_is_told(lists):
    with pytest.raises(InputError, match=r"lists\.txt: no two words of the vectors are neighbours"):
        vocabulary_edges(lists, ["cat", "dog"])
