"""Synthetic pairs: a label for each relation, one sentence in all three pairs of a noun, and no noun in two splits."""

import re
from collections import Counter, defaultdict

import pytest

from repline.corpora.sentence_pairs.recipes import WordnetInference
from repline.corpora.sentence_pairs.wordnet_inference import wordnet_inference
from repline.errors import InputError
from repline.lexicons.wordnet.synsets import Pointer, Synset, WordNet


def wordnet(kinds=14, breeds=4):
    """organism > animal > kinds > breeds, all of one sense."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    above = {"organism": None, "animal": "organism"}
    above |= {f"kind{letters[k]}": "animal" for k in range(kinds)}
    above |= {f"breed{letters[k]}{letters[b]}": f"kind{letters[k]}" for k in range(kinds) for b in range(breeds)}
    above |= {f"sub{letters[k]}{letters[b]}": f"breed{letters[k]}{letters[b]}" for k in range(kinds) for b in range(2)}
    below = defaultdict(list)
    for word, hypernym in above.items():
        below[hypernym].append(word)

    def pointers(word):
        up = [Pointer("hypernym", f"{above[word]}-n")] if above[word] else []
        return tuple(up + [Pointer("hyponym", f"{narrower}-n") for narrower in below[word]])

    return WordNet(Synset(f"{word}-n", "n", (word,), pointers(word), "a thing of some sort") for word in above), above


SETTINGS = WordnetInference(classes=["animal"], triples={"train": 8, "dev": 2, "test": 3}, levels=1)


def nouns(pair):
    first, second = (set(re.findall(r"\b(?:animal|kind\w|breed\w\w|sub\w\w)\b", text)) for text in pair[1][1:3])
    return first.pop(), second.pop()


@pytest.fixture(scope="module")
def pairs_made():
    net, above = wordnet()
    return list(wordnet_inference(net, SETTINGS)), above


def test_labels_follow_from_the_hierarchy(pairs_made):
    pairs, hypernym = pairs_made

    def ancestors(word):
        return [] if hypernym[word] is None else [hypernym[word], *ancestors(hypernym[word])]

    for pair in pairs:
        first, second = nouns(pair)
        expected = (
            "entailment" if second in ancestors(first) else "neutral" if first in ancestors(second) else "contradiction"
        )
        assert pair[1].label == expected
        if expected == "contradiction":
            assert first != second and set(ancestors(first)) & set(ancestors(second))


def test_the_sentence_that_three_pairs_share_says_nothing(pairs_made):
    groups = defaultdict(list)
    for split, pair in pairs_made[0]:
        groups[split, pair.group].append(pair)
    assert Counter(split for split, _ in groups) == SETTINGS.triples
    for three in groups.values():
        assert sorted(pair.label for pair in three) == ["contradiction", "entailment", "neutral"]
        assert 1 in (len({pair.first for pair in three}), len({pair.second for pair in three}))


def test_no_noun_is_in_two_splits(pairs_made):
    splits_by_noun = defaultdict(set)
    for pair in pairs_made[0]:
        splits_by_noun[pair[0]].update(nouns(pair))
    assert len(splits_by_noun) == 3
    assert (
        not splits_by_noun["train"] & splits_by_noun["test"]
        and not splits_by_noun["train"] & splits_by_noun["dev"]
        and not splits_by_noun["dev"] & splits_by_noun["test"]
    )


def test_the_same_seed_makes_the_same_pairs(pairs_made):
    assert list(wordnet_inference(wordnet()[0], SETTINGS)) == pairs_made[0]
    assert list(wordnet_inference(wordnet()[0], SETTINGS.model_copy(update={"seed": 1}))) != pairs_made[0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"triples": {"train": 500}}, "too few nouns for 500 triples of train"),
        ({"triples": {"training": 5}}, "no split 'training' of made sentence pairs; did you mean 'train'"),
        ({"classes": ["animals"]}, "no class 'animals' of made sentence pairs; did you mean 'animal'"),
    ],
)
def test_what_cannot_be_made(changes, message):
    with pytest.raises(InputError, match=message):
        list(wordnet_inference(wordnet()[0], SETTINGS.model_copy(update=changes)))
