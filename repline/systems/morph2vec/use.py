"""Vectors of any words, composed of their morphs: `vector(word)`, and `compose(words)` with the morphs of each.

A word is in lower case, by the rules of the language of training.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from repline.errors import InputError, in_one_line, shown
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.segmentation.morphology import Segmentation
from repline.segmentation.morphology.letters import lower_case
from repline.systems.morph2vec import composition
from repline.systems.morph2vec.corpus import KNOBS, Splitter, Words, read_words
from repline.systems.morph2vec.model import Morph2Vec
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, one_or_all, text_of, texts_of
from repline.use.word_space import Neighbour, WordVectors


@dataclass(frozen=True)
class ComposedWord:
    """A word with its composed vector, or why it has none.

    Attributes:
        word: in lower case.
        vector: float32 [d], None where none can be composed.
        morphs: the segmentation with the largest weight; empty without a vector.
        reason: why there is no vector; "" where there is one.
    """

    word: str
    vector: NDArray[np.float32] | None
    morphs: Segmentation
    reason: str


class MorphVectors(WordVectors):
    """Composed vectors of any words, in the space of the word vectors that training aimed at.

    The words that `most_similar` finds are those of the space, with the vectors that training aimed at.

    Args:
        model: of morphs.
        space: its words, and the candidates of those that training saw.
        unseen: gives the candidates of all other words.
        language: of the lower case.
    """

    def __init__(self, model: Morph2Vec, space: Words, unseen: Splitter, language: str):
        super().__init__(space.words, space.vectors)
        self.model, self.space, self.unseen, self.language = model, space, unseen, language
        self.morphs = frozenset(model.morphs)

    def spelled(self, word: str) -> str:
        return lower_case(word.strip(), self.language)

    @overload  # a str is a sequence of str, too
    def compose(self, words: str, batch: int = 1024) -> ComposedWord: ...  # type: ignore[overload-overlap]
    @overload
    def compose(self, words: Sequence[str], batch: int = 1024) -> list[ComposedWord]: ...
    def compose(self, words: str | Sequence[str], batch: int = 1024) -> ComposedWord | list[ComposedWord]:
        """The vector of a word, or of each of a list of words, with its morphs, or why there is none.

        Args:
            words: seen in training or not.
            batch: words that are in memory as numbers at a time.

        Raises:
            InputError: `words` is neither a word nor a list of words.
        """
        answers: list[ComposedWord] = []
        for part in in_batches(texts_of(words, "compose"), batch):
            answers += self._compose(part)
        return one_or_all(words, answers)

    def composed(self, word: str) -> np.ndarray | None:
        return self._compose([word])[0].vector

    def vector(self, word: str) -> np.ndarray:
        answer = self._compose([text_of(word, "vector", "word")])[0]
        if answer.vector is None:
            raise InputError(f"{shown(word)} has no vector: {answer.reason}")
        return answer.vector

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        zero = np.zeros(self.dimensions, np.float32)
        answers = self.compose(texts_of(words, "vectors"))
        rows = [zero if answer.vector is None else answer.vector for answer in answers]
        return np.array(rows, dtype=np.float32).reshape(-1, self.dimensions)

    def similarity(self, first: str, second: str) -> float:
        """The cosine of the composed vectors of two words, 0 where one of them is zero; InputError as of `vector`.

        `most_similar` gives another cosine for the same two words: there, the second has the vector that training aimed
        at.
        """
        return super().similarity(first, second)

    def most_similar(self, word: str | np.ndarray, n: int = 10) -> list[Neighbour]:
        """The n words of the space of highest cosine with a word, itself left out, or with a vector [d].

        The vector of `word` is composed, and those of the space are the ones that training aimed at. `similarity`
        composes both, so its cosine of the same two words differs.
        """
        return super().most_similar(word, n)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The composed vector of each row's word with the nearest words, its morphs, and why there are none."""
        composed = self.compose([row["word"] for row in rows])
        return [
            answer | {"morphs": list(word.morphs), "reason": word.reason}
            for answer, word in zip(super().answers(rows), composed, strict=True)
        ]

    def _compose(self, words: Sequence[str]) -> list[ComposedWord]:
        spelled = [self.spelled(word) for word in words]
        candidates = [self._candidates(word) for word in spelled]
        result = composition.compose(self.model, candidates)
        return [
            ComposedWord(word, vector, morphs, "") if is_known else ComposedWord(word, None, (), self._why(word, many))
            for word, vector, is_known, morphs, many in zip(
                spelled, result.vectors, result.is_known.tolist(), result.segmentations, candidates, strict=True
            )
        ]

    def _candidates(self, word: str) -> Sequence[Segmentation]:
        row = self.index.get(word)
        if row is not None and not self.space.held_out[row]:
            return self.space.candidates[row]
        return self.unseen(word) if word else []

    def _why(self, word: str, candidates: Sequence[Segmentation]) -> str:
        if not word:
            return "it is empty"
        if not candidates:
            return "it is not one of the model's words followed by a suffix that other words have"
        missing = sorted({morph for morphs in candidates for morph in morphs} - self.morphs)
        return f"training had no morph {' or '.join(map(repr, missing))}"


def load(description: Description) -> MorphVectors:
    """The model of a folder that `training.train` wrote; InputError where a part is missing or damaged."""
    folder, raw_input = description.folder, description.raw_input
    try:
        language, knobs = raw_input["language"], {name: raw_input[name] for name in KNOBS}
    except KeyError as error:
        raise InputError(f"{folder / RAW_INPUT}: {error} is missing; copy the folder again") from None
    model = pretrained(Morph2Vec, folder)
    for name in ("words.parquet", "suffixes.parquet", "vectors.npy"):
        if not (folder / name).is_file():
            raise InputError(f"{folder / name}: there is no such file, so {folder} is not complete; copy it again")
    try:
        space = read_words(folder)
        splitter = composition.splitter(folder, space, knobs=knobs)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{folder}: its words cannot be read ({in_one_line(error)}); copy the folder again") from None
    return MorphVectors(model, space, splitter, language)
