"""Tests of antonymy made from a lexicon, where the published ones cannot be had: questions, and labelled pairs."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from repline.lexicons.constraints import Pair


def opposite_questions(
    antonyms: Sequence[Pair], synonyms: Sequence[Pair], words: Sequence[str], seed: int = 0
) -> list[tuple[str, list[str]]]:
    """For every antonym pair of known words whose first word has two known synonyms: five options, the opposite first.

    The options are the opposite, two synonyms of the cue, and two other words that have an antonym; both words of a
    pair are cues. No option is the cue or is there twice, and no synonym among them is an antonym of the cue.

    Args:
        antonyms, synonyms: unordered pairs of lower-case words.
        words: the vocabulary.
        seed: of the choice of synonyms and other words.

    Returns:
        [n] of (cue, five options): the opposite, two synonyms, two other words.
    """
    vocabulary = set(words)
    opposites, near = (_by_word(pairs, vocabulary) for pairs in (antonyms, synonyms))
    pool = sorted(opposites)
    random = np.random.default_rng(seed)
    questions = []
    for cue in pool:
        related = sorted(near[cue] - opposites[cue]) if cue in near else []
        for opposite in sorted(opposites[cue]):
            excluded = {cue, opposite} | near.get(cue, set()) | opposites[cue]
            unrelated = [word for word in pool if word not in excluded]
            if len(related) >= 2 and len(unrelated) >= 2:
                distractors = [related[number] for number in random.permutation(len(related))[:2]]
                distractors += [unrelated[number] for number in random.choice(len(unrelated), 2, replace=False)]
                questions.append((cue, [opposite, *distractors]))
    return questions


def contrast_pairs(
    antonyms: Sequence[Pair], synonyms: Sequence[Pair], words: Sequence[str], seed: int = 0
) -> list[tuple[str, str, int]]:
    """All antonym pairs of known words and as many synonym pairs, in a random order: (left, right, 1 for antonyms).

    Synonym pairs whose words are also antonyms are left out; where there are fewer synonyms, antonyms are drawn.
    """
    vocabulary = set(words)
    antonym_pairs = {pair for pair in map(_sorted, antonyms) if vocabulary.issuperset(pair)}
    synonym_pairs = {pair for pair in map(_sorted, synonyms) if vocabulary.issuperset(pair)} - antonym_pairs
    random = np.random.default_rng(seed)
    count = min(len(antonym_pairs), len(synonym_pairs))
    rows = []
    for label, pairs in ((1, sorted(antonym_pairs)), (0, sorted(synonym_pairs))):
        rows += [(*pairs[number], label) for number in random.permutation(len(pairs))[:count]]
    return [rows[number] for number in random.permutation(len(rows))]


def held_out(
    questions: Sequence[tuple[str, Sequence[str]]], pairs: Sequence[tuple[str, str, int]], share: float, seed: int = 0
) -> list[Pair]:
    """Pairs of the made tests for constraints to leave out, so that a part of the tests is no look-up.

    A share of the antonyms that are asked for are drawn; of their questions the pairs of the cue with the opposite and
    with both synonyms are left out. So is a share of the labelled pairs.

    Args:
        questions: as of `opposite_questions`; pairs: as of `contrast_pairs`.
        share: from 0 to 1.
        seed: of the draw.

    Returns:
        Unordered pairs, the words of each and the pairs in alphabetical order.
    """
    random = np.random.default_rng(seed)
    asked_pairs = sorted({_sorted((cue, options[0])) for cue, options in questions})
    drawn = {asked_pairs[number] for number in random.permutation(len(asked_pairs))[: round(share * len(asked_pairs))]}
    pairs_left_out = {
        _sorted((cue, option))
        for cue, options in questions
        if _sorted((cue, options[0])) in drawn
        for option in options[:3]
    }
    labelled = sorted(_sorted(pair[:2]) for pair in pairs)
    pairs_left_out |= {labelled[number] for number in random.permutation(len(labelled))[: round(share * len(labelled))]}
    return sorted(pairs_left_out)


def _by_word(pairs: Sequence[Pair], vocabulary: set[str]) -> dict[str, set[str]]:
    partners: dict[str, set[str]] = defaultdict(set)
    for first, second in pairs:
        if first in vocabulary and second in vocabulary and first != second:
            partners[first].add(second)
            partners[second].add(first)
    return dict(partners)


def _sorted(pair: Pair) -> Pair:
    return (min(pair), max(pair))
