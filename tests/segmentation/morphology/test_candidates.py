"""Candidate segmentations by word vectors: the paper's chain, counts of splits, unseen words, suffix lists."""

from math import comb

import numpy as np
import pytest

from repline.segmentation.morphology.candidates import (
    Candidate,
    Prefixes,
    candidates,
    longest_suffixes,
    suffix_links,
    unseen_candidates,
)

WIDE = {"segments": 4, "keep": 1000}


def with_cosines(words, cosines):
    """Words whose vectors have these cosines, by the Cholesky factor of their matrix."""
    return Prefixes(words, np.linalg.cholesky(np.array(cosines)))


def morphs(segmentations):
    return {candidate.morphs for candidate in segmentations}


def test_a_far_pair_of_prefixes_is_no_link():
    prefixes = with_cosines(["a", "ab", "abc"], [[1, 0.65, 0.2], [0.65, 1, 0.41], [0.2, 0.41, 1]])
    segmentations = candidates("abc", prefixes, threshold=0.25, **WIDE)
    assert morphs(segmentations) == {("abc",), ("ab", "c"), ("a", "b", "c")}
    assert dict(segmentations)["a", "b", "c"] == pytest.approx((0.65 + 0.41) / 2)
    assert segmentations[0].morphs == ("a", "b", "c") and segmentations[-1] == Candidate(("abc",), 1.0)


def test_the_chain_of_arabalarimin_stands_at_one_threshold_and_falls_at_another():
    words = ["araba", "arabalar", "arabalarım", "arabalarımın"]
    cosines = np.eye(4)
    for row, cosine in enumerate((0.65, 0.41, 0.26)):
        cosines[row, row + 1] = cosines[row + 1, row] = cosine
    prefixes = with_cosines(words, cosines)
    assert ("araba", "lar", "ım", "ın") in morphs(candidates(words[-1], prefixes, threshold=0.25, **WIDE))
    assert morphs(candidates(words[-1], prefixes, threshold=0.3, **WIDE)) == {(words[-1],)}


def test_without_a_threshold_every_split_is_a_candidate():
    word = "abcdefghijkl"
    words = [word[:end] for end in range(1, 13)]
    segmentations = candidates(word, Prefixes(words, np.ones((12, 3))), threshold=-2, **WIDE)
    assert len(segmentations) == sum(comb(11, k) for k in range(4)) == 232
    assert {"".join(candidate.morphs) for candidate in segmentations} == {word}
    few = candidates(word, Prefixes(words, np.ones((12, 3))), threshold=-2, segments=4, keep=10, shortest=3)
    assert len(few) == 10 and all(len(candidate.morphs[0]) >= 3 for candidate in few)


def test_a_prefix_without_a_vector_is_no_link_and_a_word_without_one_stays_whole():
    prefixes = Prefixes(["ab", "abcd"], np.ones((2, 3)))
    assert morphs(candidates("abcd", prefixes, threshold=0, **WIDE)) == {("ab", "cd"), ("abcd",)}
    assert morphs(candidates("abce", prefixes, threshold=0, **WIDE)) == {("abce",)}


def test_unseen_words_end_in_suffixes_of_known_words():
    words = ["walk", "walks", "talk", "talks", "talked", "bird", "walker"]
    vectors = np.ones((7, 2)) + 0.1 * np.random.default_rng(0).normal(size=(7, 2))
    prefixes = Prefixes(words, vectors)
    segmented = [candidates(word, prefixes, threshold=0.5, **WIDE) for word in words]
    assert set(suffix_links(segmented, prefixes)) == {"s"}
    links = suffix_links(segmented, prefixes, least=1)
    assert set(links) == {"s", "ed", "er"}
    of_s = np.mean([float(prefixes.directions[a] @ prefixes.directions[b]) for a, b in ((0, 1), (2, 3))])
    assert links["s"] == pytest.approx(of_s)
    segmentations = unseen_candidates("walkers", prefixes, links, threshold=0.5, **WIDE)
    assert morphs(segmentations) == {("walker", "s"), ("walk", "er", "s")}
    assert unseen_candidates("walkery", prefixes, links, threshold=0.5, **WIDE) == []
    assert unseen_candidates("cats", prefixes, links, threshold=0.5, **WIDE) == []


def test_longest_suffixes_leave_a_stem():
    suffixes = {"lar", "dan", "an", "ki", "kitap"}
    assert longest_suffixes("kitaplardan", suffixes, segments=4) == ("kitap", "lar", "dan")
    assert longest_suffixes("kitaplardan", suffixes, segments=2) == ("kitaplar", "dan")
    assert longest_suffixes("dan", suffixes, segments=4) == ("dan",)
