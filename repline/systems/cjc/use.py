"""Chinese and Japanese words in one space on raw words: `vector`, `most_similar`, and `translate(word)`."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.parameters import Json
from repline.use.folders import Description
from repline.use.inputs import texts_of, whole_number
from repline.use.word_space import Neighbour, WordVectors, rounded
from repline.vectors import store

KIND = "bilingual_word_vectors"


class BilingualWordVectors(WordVectors):
    """Vectors of the words of two languages, which are written with their language: "zh:文件", "ja:ファイル".

    A word without its language is taken for one of the first language that has it.

    Args:
        words: V words of both languages, with their language.
        matrix: float32 [V, d]; a row of zeros is a word without a vector.
        languages: codes of the two languages.
    """

    def __init__(self, words: Sequence[str], matrix: np.ndarray, languages: Sequence[str]):
        has_vector: NDArray[np.bool_] = np.any(np.asarray(matrix), axis=1)
        super().__init__(
            [word for word, is_known in zip(words, has_vector, strict=True) if is_known],
            matrix if has_vector.all() else np.asarray(matrix)[has_vector],
        )
        self.languages = tuple(languages)
        self.rows_of = {
            language: np.array(
                [row for row, word in enumerate(self.words) if word.startswith(f"{language}:")], dtype=np.int64
            )
            for language in self.languages
        }

    def spelled(self, word: str) -> str:
        """The word with its language, in composed characters (NFC)."""
        word = unicodedata.normalize("NFC", word.strip())
        candidates = (word, *(f"{language}:{word}" for language in self.languages))
        return next((candidate for candidate in candidates if candidate in self.index), word)

    @overload  # a str is a sequence of str, too
    def translate(self, words: str, n: int = 5) -> list[Neighbour]: ...  # type: ignore[overload-overlap]
    @overload
    def translate(self, words: Sequence[str], n: int = 5) -> list[list[Neighbour]]: ...
    def translate(self, words: str | Sequence[str], n: int = 5) -> list[Neighbour] | list[list[Neighbour]]:
        """The n words of the other language with the highest cosine, without their language.

        Args:
            words: a word, or a list of words. One that both languages have is translated from the first of them; to
                translate from the second, write it with its language: "ja:左".
            n: how many translations.

        Returns:
            For a word its translations, the nearest first; for a list a list of these. A word without a vector has no
            translations: an empty list.

        Raises:
            InputError: `words` is neither a word nor a list of words.
        """
        n = whole_number(n, "n", 0)
        translations = self._translations(texts_of(words, "translate"), n)
        return translations[0] if isinstance(words, str) else translations

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The translations of each row's word with their cosines, and its vector; null where it has none."""
        words = texts_of([row["word"] for row in rows], "predict")
        translations = self._translations(words, self.neighbours)
        return [
            {
                "language": self._language(word),
                "translations": rounded(near) if self._language(word) else None,
                **answer,
            }
            for word, near, answer in zip(words, translations, super().answers(rows), strict=True)
        ]

    def _language(self, word: str) -> str | None:
        """The language of a word, None where it has no vector."""
        spelled = self.spelled(word)
        return spelled.partition(":")[0] if spelled in self.index else None

    def _translations(self, words: Sequence[str], n: int) -> list[list[Neighbour]]:
        answers: list[list[Neighbour]] = [[] for _ in words]
        for language, target in (self.languages, self.languages[::-1]):
            numbers = [number for number, word in enumerate(words) if self._language(word) == language]
            if numbers:
                vectors = self.vectors([words[number] for number in numbers])
                for number, near in zip(numbers, self.nearest(vectors, n, among=self.rows_of[target]), strict=True):
                    answers[number] = [Neighbour(word.removeprefix(f"{target}:"), cosine) for word, cosine in near]
        return answers


def load(description: Description) -> BilingualWordVectors:
    """The vectors of one variant of GloVe, CBOW or aligned fastText.

    Raises:
        InputError: the folder is of another kind, or a file of it is missing or damaged.
    """
    languages = description.raw_input.get("languages")
    if description.kind != KIND or not isinstance(languages, list) or len(languages) != 2:
        raise InputError(f"{description.folder}: expected {KIND} of two languages; copy the folder again")
    return BilingualWordVectors(*store.words_and_matrix(description.folder), languages)
