"""An artificial second language: another spelling, a rotated and blurred vector space, a dictionary, new ratings.

It stands in where no second language with ratings is at hand, and its true translations and ratings are known.
"""

import codecs
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy.stats import ortho_group

from repline.cards import Source, write_card
from repline.files import new_folder
from repline.lexicons import bilingual_dictionary
from repline.systems.concreteness.ratings import FILE, ratings_table
from repline.systems.concreteness.settings import Language
from repline.vectors.normalisation import unit_length

CONCEPTS = "concepts.parquet"
DEFAULTS = Language()


class ArtificialLanguage(NamedTuple):
    """A language that `make_language` made.

    Attributes:
        words: V of them.
        vectors: [V, d], of the words.
        pairs: the dictionary: (source word, word of the language).
        ratings: word of the language -> target -> value.
        concepts: (source word, word of the language) of every rated word, whether the dictionary has it or not.
    """

    words: list[str]
    vectors: NDArray[np.float32]
    pairs: list[tuple[str, str]]
    ratings: dict[str, dict[str, float]]
    concepts: list[tuple[str, str]]


def spell(word: str) -> str:
    """Spell a word in the artificial language: Latin letters move by 13, numbers and signs stay."""
    return codecs.encode(word, "rot13")


def make_language(
    words: Sequence[str],
    vectors: NDArray,
    ratings: Mapping[str, Mapping[str, float]],
    language: Language = DEFAULTS,
) -> ArtificialLanguage:
    """Make a language of the same concepts.

        t = (x / |x| + noise e s) Q,   e ~ N(0, 1),  s the deviation of each dimension,  Q orthogonal, uniform
        r' = r + sqrt(1 / agreement^2 - 1) sd(r) e'

    Args:
        words: V words of the source language, most frequent first.
        vectors: [V, d].
        ratings: of source words; those without a vector are left out.
        language: how noisy, how much of it is translated and rated. Its number of words is for the caller.
    """
    random = np.random.default_rng(language.seed)
    units = unit_length(np.asarray(vectors, np.float64))
    blurred = units + language.noise * units.std(axis=0) * random.standard_normal(units.shape)
    turned = blurred @ ortho_group.rvs(units.shape[1], random_state=random)
    spelled = [spell(word) for word in words]
    row_of = {word: row for row, word in enumerate(words)}

    translated = np.flatnonzero(random.random(len(words)) < language.translated)
    ambiguous = random.random(len(translated)) < language.second
    pairs = []
    for start in range(0, len(translated), 1024):
        rows = translated[start : start + 1024]
        cosines = units[rows] @ units.T
        cosines[np.arange(len(rows)), rows] = -np.inf
        neighbours = cosines.argmax(axis=1)
        for row, neighbour, two in zip(rows, neighbours, ambiguous[start : start + 1024], strict=True):
            pairs += [(words[row], spelled[row])] + ([(words[row], spelled[neighbour])] if two else [])

    candidates = [word for word in ratings if word in row_of]
    drawn = sorted(random.permutation(len(candidates))[: language.rated])
    people = np.sqrt(1 / language.agreement**2 - 1)
    deviations: dict[str, float] = {}
    for target in {target for values in ratings.values() for target in values}:
        deviations[target] = float(np.std([values[target] for values in ratings.values() if target in values]))
    rated = {}
    for number in drawn:
        word = candidates[number]
        rated[spell(word)] = {
            target: value + people * deviations[target] * float(random.standard_normal())
            for target, value in sorted(ratings[word].items())
        }
    concepts = [(candidates[number], spell(candidates[number])) for number in drawn]
    return ArtificialLanguage(spelled, turned.astype(np.float32), pairs, rated, concepts)


def write_language(
    folder: str | Path, language_data: ArtificialLanguage, language: Language, sources: Sequence[Source]
) -> None:
    """Write ratings, the dictionary, the concepts of rated words, and a card into `folder`."""
    with new_folder(folder) as partial:
        pq.write_table(ratings_table(language_data.ratings), partial / FILE, compression="zstd")
        for file, pairs in ((bilingual_dictionary.FILE, language_data.pairs), (CONCEPTS, language_data.concepts)):
            columns = [list(column) for column in zip(*pairs, strict=True)]
            table = pa.table(columns, schema=bilingual_dictionary.PAIRS)
            pq.write_table(table, partial / file, compression="zstd")
        write_card(
            partial,
            name="made_language",
            description="An artificial language: English in another spelling, with a dictionary and ratings of its own",
            licence="that of the sources",
            sources=sources,
            parameters=language.model_dump(exclude_unset=True),
            counts={
                "words": len(language_data.words),
                "pairs": len(language_data.pairs),
                "rated": len(language_data.ratings),
            },
            tools=("pyarrow", "numpy", "scipy"),
        )
