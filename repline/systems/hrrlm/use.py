"""Trained models of hrrlm on raw text: language models whose words are sums of role-filler bindings, and their peer.

model = repline.load("data/models/hrrlm/isometric/seed-0")
model.score("The state was one of the first."), model.next("one of the")
model.fillers("making")["filler_1"]                 # the part of the vector that is a form
model.most_similar("making", filler=2)              # words of that meaning
"""

from functools import cached_property
from typing import Any

import numpy as np

from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.hrrlm.chunk_model import ChunkHRRLM
from repline.systems.hrrlm.model import HRRLM, TiedLanguageModel, TiedLSTM
from repline.systems.hrrlm.word_spaces import SPECIAL, spaces
from repline.use.corpus_spelling import CorpusSpelling
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import text_of
from repline.use.word_language_model import WordLanguageModel
from repline.use.word_space import Neighbour, WordVectors

MODELS: dict[str, type] = {"hrrlm": HRRLM, "tied": TiedLSTM, "chunks": ChunkHRRLM}


class HolographicLanguageModel(WordLanguageModel):
    """A language model of words, and the vectors of its words in each of its spaces."""

    def __init__(self, model: TiedLanguageModel, spelling: CorpusSpelling, single_sentences: bool):
        super().__init__(model, model.words, spelling, single_sentences)

    @cached_property
    def spaces(self) -> dict[str, WordVectors]:
        """The composite vectors of all words, and those of each filler: composite, filler_1, filler_2, ..."""
        return {
            name: WordVectors(self.words[SPECIAL:], matrix[SPECIAL:].astype(np.float32))
            for name, matrix in spaces(self.model).items()
        }

    def fillers(self, word: str) -> dict[str, np.ndarray]:
        """The vectors [d] of a word: `composite`, and, unless it is the tied LSTM, `filler_1`, `filler_2`, ...

        Raises:
            InputError: the word is not in the vocabulary, or no str.
        """
        spelt = self._spelt(word, "fillers")
        return {name: space.vector(spelt) for name, space in self.spaces.items()}

    def most_similar(self, word: str, filler: int | None = None, n: int = 10) -> list[Neighbour]:
        """The n words of highest cosine with a word in one space.

        Args:
            filler: from 1, the first being that of forms; None for the composite.

        Raises:
            InputError: the word is not in the vocabulary, or there is no such filler.
        """
        name = "composite" if filler is None else f"filler_{filler}"
        if name not in self.spaces:
            raise InputError(f"most_similar: this model has no {name}; it has {', '.join(self.spaces)}")
        return self.spaces[name].most_similar(self._spelt(word, "most_similar"), n)

    def _spelt(self, word: Any, call: str) -> str:
        """A word as the vocabulary spells it."""
        words = self.spelling.words(text_of(word, call, "word"), self.index)
        return words[0] if len(words) == 1 else word


def load(description: Description) -> HolographicLanguageModel:
    """The model of a folder; InputError where it is damaged."""
    values, path = description.raw_input, description.folder / RAW_INPUT
    if description.kind not in MODELS or not isinstance(values.get("single_sentences"), bool):
        raise InputError(f"{path}: expected one of {', '.join(MODELS)}, and single_sentences; train the model again")
    model: Any = pretrained(MODELS[description.kind], description.folder)
    words: TiedLanguageModel = model.word_level if isinstance(model, ChunkHRRLM) else model
    return HolographicLanguageModel(words, CorpusSpelling.of(values.get("text"), str(path)), values["single_sentences"])
