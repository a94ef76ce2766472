import pytest

from repline.lexicons import word_questions
from repline.lexicons.wordnet.synsets import Pointer, Synset, WordNet


def noun(identifier, *lemmas, above=None):
    pointers = (Pointer("hypernym", above),) if above else ()
    return Synset(identifier, "n", lemmas, pointers)


def with_hyponyms(synsets):
    """The synsets with the pointers down that belong to their pointers up."""
    down = {
        synset.id: [hyponym.id for hyponym in synsets if Pointer("hypernym", synset.id) in hyponym.pointers]
        for synset in synsets
    }
    return WordNet(
        [
            synset._replace(
                pointers=synset.pointers + tuple(Pointer("hyponym", hyponym) for hyponym in down[synset.id])
            )
            for synset in synsets
        ]
    )


@pytest.fixture
def wordnet():
    synsets = [noun("thing", "thing")]
    for kind, words in {
        "bird": ["owl", "wren", "duck", "rare", "Capital", "two_words"],
        "fish": ["cod", "hake", "duck"],  # duck is in two synsets
        "tool": ["saw", "axe", "file"],
    }.items():
        synsets.append(noun(kind, kind, above="thing"))
        synsets += [noun(f"{kind}-{word}", word, above=kind) for word in words]
    synsets.append(noun("else", "else"))
    synsets += [noun(f"else-{word}", word, above="else") for word in ("one", "two", "three")]
    return with_hyponyms(synsets)


FREQUENT = ["wren", "duck", "Capital", "two_words", "cod", "hake", "saw", "file", "one", "two", "three"]
COUNTS = dict.fromkeys(FREQUENT, 100)
COUNTS |= {"rare": 1, "axe": 300, "owl": 50, "bird": 0, "fish": 0, "tool": 0, "thing": 0}


def test_groups_by_hand(wordnet):
    groups = word_questions.outlier_groups(wordnet, COUNTS, roots=["thing"], size=2, lowest=20)
    members = [group[0] for group in groups]
    # thing has 7 words below it, more than three times two; duck, rare, Capital, two_words fall away; else is outside
    assert members == [["wren", "owl"], ["cod", "hake"], ["axe", "file"]]
    for words, outliers in groups:
        foreign_words = {word for group in members if group != words for word in group}
        assert len(outliers) == len(set(outliers)) == 2
        assert set(outliers) <= foreign_words
    assert groups == word_questions.outlier_groups(wordnet, COUNTS, roots=["thing"], size=2, lowest=20)


def test_a_word_is_in_one_group_only(wordnet):
    groups = word_questions.outlier_groups(wordnet, COUNTS, roots=["thing"], size=3, lowest=20)
    # now thing itself has few enough words, and those below it are taken
    assert [group[0] for group in groups] == [["axe", "cod", "file"]]
    assert groups[0][1] == []
