"""An artificial second language: another spelling, a rotated and blurred vector space, a dictionary, new ratings.

It stands in where no second language with ratings is at hand, and its true translations and ratings are known.
"""

import codecs
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ortho_group

from repline.vectors.normalisation import unit_length


class MadeLanguage(NamedTuple):
    """`words` name the rows of `vectors` [V, d]; `pairs` are (source word, made word); `ratings` word -> target;
    `concepts` are (source word, made word) of every word that is rated, also those that the dictionary lacks."""

    words: list[str]
    vectors: NDArray[np.float32]
    pairs: list[tuple[str, str]]
    ratings: dict[str, dict[str, float]]
    concepts: list[tuple[str, str]]


def spell(word: str) -> str:
    """The made spelling: Latin letters move by 13 places, so that numbers and signs stay the same in both languages."""
    return codecs.encode(word, "rot13")


def make_language(
    words: Sequence[str],
    vectors: NDArray,
    ratings: Mapping[str, Mapping[str, float]],
    *,
    noise: float = 0.5,
    translated: float = 0.8,
    second: float = 0.3,
    agreement: float = 0.92,
    rated: int = 2000,
    seed: int = 0,
) -> MadeLanguage:
    """Make a language of the same concepts.

        t = (x / |x| + noise e s) Q,   e ~ N(0, 1),  s the deviation of each dimension,  Q orthogonal, uniform
        r' = r + sqrt(1 / agreement^2 - 1) sd(r) e'

    Args:
        words: V words of the source language, most frequent first.
        vectors: [V, d].
        ratings: of source words; those without a vector are left out.
        noise: of the vectors; 0 makes the two spaces the same but for the rotation.
        translated: share of the words that the dictionary has.
        second: share of those that have a second translation, the word of a near neighbour.
        agreement: correlation of a rating in one language with that of the same concept in the other; English ratings
            by two groups of people correlate at 0.92.
        rated: how many words are rated, at most; a random choice.
        seed: of everything.
    """
    random = np.random.default_rng(seed)
    units = unit_length(np.asarray(vectors, np.float64))
    blurred = units + noise * units.std(axis=0) * random.standard_normal(units.shape)
    turned = blurred @ ortho_group.rvs(units.shape[1], random_state=random)
    spelled = [spell(word) for word in words]
    row_of = {word: row for row, word in enumerate(words)}

    known = np.flatnonzero(random.random(len(words)) < translated)
    ambiguous = random.random(len(known)) < second
    pairs = []
    for start in range(0, len(known), 1024):
        rows = known[start : start + 1024]
        cosines = units[rows] @ units.T
        cosines[np.arange(len(rows)), rows] = -np.inf
        neighbours = cosines.argmax(axis=1)
        for row, neighbour, two in zip(rows, neighbours, ambiguous[start : start + 1024], strict=True):
            pairs += [(words[row], spelled[row])] + ([(words[row], spelled[neighbour])] if two else [])

    candidates = [word for word in ratings if word in row_of]
    chosen = sorted(random.permutation(len(candidates))[:rated])
    people = np.sqrt(1 / agreement**2 - 1)
    deviations: dict[str, float] = {}
    for target in {target for values in ratings.values() for target in values}:
        deviations[target] = float(np.std([values[target] for values in ratings.values() if target in values]))
    made = {}
    for place in chosen:
        word = candidates[place]
        made[spell(word)] = {
            target: value + people * deviations[target] * float(random.standard_normal())
            for target, value in sorted(ratings[word].items())
        }
    concepts = [(candidates[place], spell(candidates[place])) for place in chosen]
    return MadeLanguage(spelled, turned.astype(np.float32), pairs, made, concepts)
