"""Synonym questions in the manner of TOEFL, made from a wordnet and the counts of a corpus."""

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from repline.errors import InputError
from repline.lexicons.wordnet.synsets import Synset, WordNet

Question = tuple[str, ...]  # word, synonym, distractors


def synonym_questions(
    wordnet: WordNet,
    counts: Mapping[str, int],
    *,
    number: int = 80,
    distractors: int = 3,
    lowest: int = 5,
    highest: int = 200,
    seed: int = 0,
) -> list[Question]:
    """Questions (word; synonym, distractors) about words of a corpus.

    A word has one part of speech and one to `highest` occurrences, its synonym shares a synset with it, and the
    distractors are of the same part of speech and as frequent as the synonym (the same power of ten), but share no
    synset, hypernym or hyponym with the word. Words are single, lower-case, of letters, and occur `lowest` times.
    No two questions have the same cue, nor a word and its synonym the other way round.

    Args:
        counts: occurrences of each word in the corpus.
        number: of questions, drawn from all that there are.
        distractors: of each question.
        lowest, highest: counts.
        seed: of the draw.

    Returns:
        At most `number` questions, sorted by their cues (the words whose synonym is to be found).

    Raises:
        InputError: there is no such question.

    Source: Landauer & Dumais 1997, for the form; the questions of TOEFL themselves are not free to pass on.
    """
    parts = _parts_of_speech(wordnet)
    single = [word for word, pos in parts.items() if len(pos) == 1 and counts.get(word, 0) >= lowest]
    random = np.random.default_rng(seed)
    alike = defaultdict(list)  # (part of speech, power of ten) -> words
    for word in sorted(single):
        alike[min(parts[word]), _decade(counts[word])].append(word)
    cues = sorted(word for word in single if counts[word] <= highest)
    questions, taken = [], set()
    for word in (cues[i] for i in random.permutation(len(cues))):
        pos = min(parts[word])
        synonyms = sorted(candidate for candidate in _synonyms(wordnet, word) if counts.get(candidate, 0) >= lowest)
        synonyms = [candidate for candidate in synonyms if candidate in parts and (candidate, word) not in taken]
        if not synonyms:
            continue
        synonym = synonyms[int(random.integers(len(synonyms)))]
        near = _near(wordnet, word)
        alternatives = [
            candidate
            for candidate in alike[pos, _decade(counts[synonym])]
            if candidate not in near and candidate != synonym
        ]
        if len(alternatives) < distractors:
            continue
        drawn = random.choice(len(alternatives), distractors, replace=False)
        questions.append((word, synonym, *(alternatives[i] for i in drawn)))
        taken.add((word, synonym))
        if len(questions) == number:
            break
    if not questions:
        raise InputError(
            f"the wordnet and the corpus share no words for synonym questions (counts {lowest} to {highest})"
        )
    return sorted(questions)


def _parts_of_speech(wordnet: WordNet) -> dict[str, set[str]]:
    parts: dict[str, set[str]] = defaultdict(set)
    for synset in wordnet:
        for lemma in synset.lemmas:
            if lemma.isalpha() and lemma.islower():
                parts[lemma].add(synset.pos)
    return parts


def _synonyms(wordnet: WordNet, word: str) -> set[str]:
    return _words(wordnet.synsets(word)) - {word}


def _near(wordnet: WordNet, word: str) -> set[str]:
    """All words that share a synset with the word, or lie one step above or below one of its synsets."""
    synsets = list(wordnet.synsets(word))
    for synset in wordnet.synsets(word):
        for pointer in synset.pointers:
            if "hypernym" in pointer.relation or "hyponym" in pointer.relation:
                synsets.append(wordnet[pointer.target])
    return _words(synsets)


def _words(synsets: list[Synset]) -> set[str]:
    return {lemma.lower() for synset in synsets for lemma in synset.lemmas}


def _decade(count: int) -> int:
    return len(str(count))
