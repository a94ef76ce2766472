"""A space of words, terms and entities: vectors of texts by words or terms, and the entities that a term may mean.

    O(v, C, N) = Σ_{c ∈ C} log σ(c · v) + Σ_{n ∈ N} log σ(-n · v)
    Ô = O(w, C_w, N_w) + Σ_t [ O(t, C_t, N_t) + (1 / |E_t|) Σ_{e ∈ E_t} O(e, C_t, N_t) ]    at each word w of a corpus

over the terms t that end at w. An entity shares the contexts and negatives of its term, by 1 / |E_t| of their weight.

    f(e) = cos(C, e) |P(C, e)| / |e|    the score of a candidate e: C the mean of the words around, P its part along e;
                                        the authors' program lacks the last division by |e|

Notation: w, t and e are rows of `word_vectors`, `term_vectors` and `entity_vectors` [., d]; E_t is `meanings(term)`,
rows of entities. C_t are vectors of the words before the first and behind the last word of t, N negatives drawn for
each context: rows of one table of context vectors, which is trained and left out of a `Space`.

The gradient steps on Ô lie in `repline.systems.jet.updates`, f in `repline.systems.jet.disambiguation`, the draw of
negatives in `repline.vectors.negative_sampling`.

Source: Newman-Griffis, Lai & Fosler-Lussier 2018, sections 3.1 and 3.2, and equation 4 for f.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from repline.systems.jet.plain_text import plain_text, plain_tokens
from repline.vectors.store import words_and_matrix

# in the folder of a model with entities: the entities that each term may mean, and the description of each entity
OFFSETS, CANDIDATES, ENTITIES = "candidate_offsets.npy", "candidates.npy", "entities.parquet"


@dataclass(frozen=True)
class Space:
    """Vectors of words, and of terms and entities where there are any.

    Attributes:
        words, terms, entities: names by their rows; `word_vectors`, `term_vectors`, `entity_vectors` [., d]
            are the vectors.
        candidates: offsets [T + 1] and rows of entities, those of each term.
    """

    words: Sequence[str]
    word_vectors: NDArray[np.floating]
    terms: Sequence[str] = ()
    term_vectors: NDArray[np.floating] | None = None
    entities: Sequence[str] = ()
    entity_vectors: NDArray[np.floating] | None = None
    candidates: tuple[NDArray[np.int64], NDArray[np.int32]] | None = None

    @cached_property
    def word_rows(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    @cached_property
    def term_rows(self) -> dict[str, int]:
        """The row of each term."""
        return {term: row for row, term in enumerate(self.terms)}

    @cached_property
    def entity_rows(self) -> dict[str, int]:
        """The row of each entity."""
        return {entity: row for row, entity in enumerate(self.entities)}

    @property
    def entity_lists(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Offsets [T + 1] and rows: the entities of each term, none where the space has no candidates."""
        return self.candidates or (np.zeros(len(self.terms) + 1, np.int64), np.zeros(0, np.int32))

    def mean_words(self, texts: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Mean vectors of the known tokens of texts [n, d], zeros without any, and whether each text has some [n]."""
        flat, lengths = plain_tokens(pa.array(list(texts), pa.string()))
        rows = np.array([self.word_rows.get(token, -1) for token in flat.to_pylist()], np.int64)
        owner = np.repeat(np.arange(len(texts)), lengths)[rows >= 0]
        return means(self.word_vectors, rows[rows >= 0], owner, len(texts))

    def term_or_words(self, texts: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Vectors of texts as terms, else the means of their words [n, d], and whether each text has either [n]."""
        vectors, have_vectors = self.mean_words(texts)
        if self.term_vectors is not None:
            rows = self.rows_of_terms(texts)
            vectors[rows >= 0] = self.term_vectors[rows[rows >= 0]]
            have_vectors = have_vectors | (rows >= 0)
        return vectors, have_vectors

    def rows_of_terms(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """The row of each text as a term [n], -1 where it is none."""
        plain = plain_text(pa.array(list(texts), pa.string())).to_pylist()
        return np.array([self.term_rows.get(text, -1) for text in plain], np.int64)

    def meanings(self, term: int) -> NDArray[np.int32]:
        """The rows of the entities that a term may mean, by its row."""
        offsets, rows = self.entity_lists
        return rows[offsets[term] : offsets[term + 1]]


def load(folder: str | Path, candidates: tuple[NDArray[np.int64], NDArray[np.int32]]) -> Space:
    """The space of one training; InputError where a folder is damaged.

    Args:
        folder: with folders words and, where they were trained, terms and entities, as of `repline.vectors.store`.
        candidates: of `repline.systems.jet.training.candidates_of`.
    """
    path = Path(folder)
    terms, term_vectors = words_and_matrix(path / "terms") if (path / "terms").exists() else ([], None)
    entities, entity_vectors = words_and_matrix(path / "entities") if (path / "entities").exists() else ([], None)
    return Space(*words_and_matrix(path / "words"), terms, term_vectors, entities, entity_vectors, candidates)


def means(
    vectors: NDArray, rows: NDArray[np.int64], owner: NDArray[np.int64], number: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Mean vectors of owners [number, d], zeros for those without vectors, and whether each has some [number].

    Args:
        vectors: [m, d]; rows: of `vectors`, one for each membership [k]; owner: of each membership [k].
    """
    total = np.zeros((number, vectors.shape[1]))
    np.add.at(total, owner, vectors[rows].astype(np.float64))
    counts = np.bincount(owner, minlength=number)
    return total / np.maximum(counts, 1)[:, None], counts > 0


def cosine(first: NDArray, second: NDArray) -> NDArray[np.float64]:
    """Cosines of vectors [..., d] -> [...]; 0 with a vector of zeros."""
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    product = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    dots = (first * second).sum(-1)
    return np.divide(dots, product, out=np.zeros_like(dots), where=product > 0)
