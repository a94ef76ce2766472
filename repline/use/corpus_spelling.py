"""English text as words of a corpus for language modelling: split into sentences and words, and spelt as in training.

A corpus for language modelling spells its words in one of several ways (`language_modeling` in params.yaml): in lower
case, numbers as `N`, without punctuation. Its sentences end with `<eos>`.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from repline.cards import read_card
from repline.corpora.language_modeling.word_streams import Spelling, column_of_words
from repline.errors import InputError
from repline.segmentation import treebank

END = "<eos>"
_SENTENCE_END = re.compile(r"([.!?…]+[\"'”’)\]]*)\s+(?=[\"'“‘(\[]*[A-Z0-9])|\n\s*\n")
_ABBREVIATION = re.compile(r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs|cf|e\.g|i\.e|etc|Jr|Sr|Gen|Col|Inc|Ltd|Co))\.$")
_CLOSED = re.compile(r"[.!?…][\"'”’)\]]*\s*$")


@dataclass(frozen=True)
class CorpusSpelling:
    """How a raw text is split and spelt.

    Attributes:
        lowercase: words in lower case.
        numbers: numbers are `N`.
        punctuation: whether marks are words; else they are dropped.
    """

    lowercase: bool = True
    numbers: bool = True
    punctuation: bool = False

    @classmethod
    def of(cls, values: Any, path: str) -> "CorpusSpelling":
        """What `record` gave; InputError that names `path` where it is something else."""
        names = set(cls.__dataclass_fields__)
        if not isinstance(values, Mapping) or not names <= set(values):
            raise InputError(f"{path}: expected text of {', '.join(sorted(names))}; train the model again")
        return cls(*(bool(values[name]) for name in cls.__dataclass_fields__))

    @classmethod
    def of_corpus(cls, folder: str | Path) -> "CorpusSpelling":
        """The spelling of a corpus for language modelling, from its card."""
        parameters = read_card(folder)["parameters"]
        return cls(*(bool(parameters[name]) for name in cls.__dataclass_fields__))

    def record(self) -> dict[str, bool]:
        """The attributes, for raw_input.json."""
        return asdict(self)

    def words(self, sentence: str) -> list[str]:
        """The words of one sentence, split after the conventions of the Penn Treebank; marks as the corpus has them."""
        tokens = treebank.words(sentence)
        spelling = Spelling(self.lowercase, self.numbers, not self.punctuation)
        return column_of_words(spelling, tokens)[0] if tokens else []

    def tokens(self, text: str) -> list[str]:
        """The words of a text, with `<eos>` after each sentence; not after the last one, unless a mark closes it."""
        tokens: list[str] = []
        sentences = sentences_of(text)
        for number, sentence in enumerate(sentences, start=1):
            words = self.words(sentence)
            tokens += words
            if words and (number < len(sentences) or _CLOSED.search(sentence)):
                tokens.append(END)
        return tokens


def sentences_of(text: str) -> list[str]:
    """The sentences of a raw text: they end at . ! ? before a capital letter or a digit, and at an empty line.

    >>> sentences_of("Dr. Smith came. He saw 3.5 birds.")
    ['Dr. Smith came.', 'He saw 3.5 birds.']
    """
    sentences: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        end = match.end(1) if match[1] else match.start()
        if match[1] == "." and _ABBREVIATION.search(text[start:end]):
            continue
        sentences.append(text[start:end].strip())
        start = match.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]
