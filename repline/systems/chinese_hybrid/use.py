"""Chinese word vectors, also of words never seen: `repline.load(folder).vector(word)`."""

from collections.abc import Mapping, Sequence

import numpy as np

from repline.errors import InputError, shown
from repline.parameters import Json
from repline.systems.chinese_hybrid.subword_vectors import SubwordVectors, read_subwords
from repline.use.folders import Description
from repline.use.inputs import texts_of
from repline.use.word_space import WordVectors
from repline.vectors.store import words_and_matrix


class ChineseVectors(WordVectors):
    """The vectors of words; a word never seen is composed of its characters, and a character of its components.

    Args:
        words, matrix: of `WordVectors`.
        subwords: of characters and components; a model of words alone has none, and composes nothing.
    """

    def __init__(self, words: list[str], matrix: np.ndarray, subwords: SubwordVectors):
        super().__init__(words, matrix)
        self.subwords = subwords

    def composed(self, word: str) -> np.ndarray | None:
        """The vector [d] of a word, as it was trained or composed of its characters; None where it has neither."""
        vector = super().composed(word)
        return self.subwords.word(self.spelled(word)) if vector is None else vector

    def spelled(self, word: str) -> str:
        """The word without blanks."""
        return "".join(word.split())

    def character(self, character: str) -> np.ndarray:
        """The vector of a character, float32 [d]: as it was trained, or the mean of its components.

        Raises:
            InputError: it has neither, or it is no single character.
        """
        if not isinstance(character, str) or len(character) != 1:
            raise InputError(f'character takes a single character: character("水"); found {shown(character)}')
        vector = self.subwords.character(character)
        if vector is None:
            raise InputError(
                f"{shown(character)} has no vector here, and no component that has one; "
                f"{len(self.subwords.characters):,} "
                f"characters and {len(self.subwords.components):,} components have one"
            )
        return vector

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The vector of each row's word with the nearest words, and whether it is composed."""
        words = texts_of([row["word"] for row in rows], "predict")
        return [
            answer | {"composed": answer["known"] and self.spelled(word) not in self.index}
            for answer, word in zip(super().answers(rows), words, strict=True)
        ]


def load(description: Description) -> ChineseVectors:
    """The vectors of a folder; InputError where it is damaged."""
    words, matrix = words_and_matrix(description.folder)
    return ChineseVectors(words, matrix, read_subwords(description))
