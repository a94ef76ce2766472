"""Words that have both a vector and ratings: matched, chosen from, written and read."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, write_card
from repline.errors import InputError, in_one_line
from repline.files import new_folder
from repline.lexicons.letter_case import as_listed
from repline.reading.settings import TableReading
from repline.reading.wrong_records import LeftOut
from repline.systems.concreteness.ratings import TARGETS, rated_words, read_ratings, targets_of

WORDS, VECTORS = "words.parquet", "vectors.npy"


@dataclass(frozen=True)
class RatedWords:
    """Rated words in the order of the vectors.

    Attributes:
        words: n of them.
        rows: of the words among all vectors [n].
        x: their vectors [n, d].
        ratings: target -> [n], NaN where a word is not rated for it.
    """

    words: list[str]
    rows: NDArray[np.int64]
    x: NDArray[np.float64]
    ratings: dict[str, NDArray[np.float64]]

    def sample(self, number: int | None, seed: int) -> "RatedWords":
        """A random sample of `number` words, in their order; all words where there are no more, or for None."""
        if number is None or number >= len(self.words):
            return self
        return self._at(np.sort(np.random.default_rng(seed).permutation(len(self.words))[:number]))

    def without(self, words: Collection[str]) -> "RatedWords":
        """Leave out some words; InputError if none is left."""
        rest = np.array([number for number, word in enumerate(self.words) if word not in words], np.int64)
        if not len(rest):
            raise InputError("every rated word means the same as a test word; none is left to learn from")
        return self._at(rest)

    def rated_for(self, target: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Vectors [m, d] and ratings [m] of the words that are rated for a target."""
        rated = ~np.isnan(self.ratings[target])
        return self.x[rated], self.ratings[target][rated]

    def _at(self, numbers: NDArray[np.int64]) -> "RatedWords":
        ratings = {target: values[numbers] for target, values in self.ratings.items()}
        return RatedWords([self.words[number] for number in numbers], self.rows[numbers], self.x[numbers], ratings)


def match_ratings(
    path: str | Path,
    words: Sequence[str],
    vectors: NDArray,
    *,
    any_case: bool = False,
    **reading: Unpack[TableReading],
) -> RatedWords:
    """The rated words of a file or folder that have a vector.

    Args:
        path: see `repline.systems.concreteness.ratings.read_ratings`.
        words: V words.
        vectors: [V, d].
        any_case: a word that is not rated is looked up in lower case, see `as_listed`.
        reading: of the ratings: what a wrong line does, and the encoding.

    Raises:
        InputError: ratings that cannot be read, or no rated word has a vector.
    """
    ratings = rated_words(read_ratings(path, **reading))
    forms = as_listed(words, ratings) if any_case else words
    rows = np.array([row for row, form in enumerate(forms) if form in ratings], np.int64)
    if not len(rows):
        raise InputError(f"{path}: expected rated words that have a vector, found none; take vectors of this language")
    matched = [words[row] for row in rows]
    columns = {
        target: np.array([ratings[forms[row]].get(target, np.nan) for row in rows])
        for target in targets_of(ratings[forms[row]] for row in rows)
    }
    return RatedWords(matched, rows, np.asarray(vectors[rows], np.float64), columns)


def write_rated_words(
    folder: str | Path, rated: RatedWords, ratings: Path, vectors: Path, left_out: LeftOut | None = None
) -> Card:
    """Write rated words, their vectors and a card into `folder`, and return the card.

    Args:
        ratings, vectors: where the words are from.
        left_out: what was left out of the ratings, for the card.
    """
    with new_folder(folder) as partial:
        table = pa.table({"word": rated.words, "row": rated.rows} | rated.ratings)
        pq.write_table(table, partial / WORDS, compression="zstd")
        np.save(partial / VECTORS, rated.x)
        return write_card(
            partial,
            name=Path(folder).name,
            description="Rated words that have a vector, their ratings and their vectors",
            licence="that of the ratings and the vectors",
            sources=[{"corpus": card_or_files(source)} for source in (ratings, vectors)],
            parameters={},
            counts={"words": len(rated.words), "dimensions": rated.x.shape[1]}
            | (left_out.counts() if left_out else {}),
            notes=left_out.notes() if left_out else (),
            tools=("numpy", "pyarrow"),
        )


def read_rated_words(folder: str | Path) -> RatedWords:
    """Read what `write_rated_words` wrote; InputError if it is not there."""
    folder = Path(folder)
    try:
        table, x = pq.read_table(folder / WORDS), np.load(folder / VECTORS, allow_pickle=False)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise InputError(
            f"{folder}: the rated words cannot be read ({in_one_line(error)}); prepare them again"
        ) from None
    ratings = {target: table[target].to_numpy() for target in TARGETS if target in table.column_names}
    return RatedWords(table["word"].to_pylist(), table["row"].to_numpy(), x, ratings)
