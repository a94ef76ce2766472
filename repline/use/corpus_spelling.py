"""English text as words of a corpus for language modelling: split into sentences and words, and spelt as in training.

A corpus for language modelling spells its words in one of several ways (`language_modeling` in params.yaml): in lower
case, numbers as `N`, without punctuation. Its sentences end with `<eos>`.

What may differ from training: a corpus with parts of speech dropped the tokens that are tagged PUNCT, and a raw text
loses those that look like marks. So `non - motile`, `9 / 11` or `[ ə ]` lose a mark here that the tagger took for a
word. And sentences of a raw text end by the rule of `sentences_of`, those of training where the corpus ends them.
"""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from repline.cards import TREEBANK, Card, read_card, splitter_of
from repline.corpora.language_modeling.word_streams import Spelling, column_of_words
from repline.errors import InputError
from repline.parameters import Json
from repline.segmentation import treebank
from repline.segmentation.recipes import BLANKS
from repline.segmentation.sentence_starts import ENDS, begins_sentence
from repline.segmentation.word_splitters import recorded_splitter, word_splitter

END = "<eos>"
SWITCHES = ("lowercase", "numbers", "punctuation")
_SENTENCE_END = re.compile(rf"((?<![{ENDS}…])[{ENDS}…]+[\"'”’“‘»)\]]*)(?=\s)|\n\s*\n")
_ABBREVIATION = re.compile(r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs|cf|e\.g|i\.e|etc|Jr|Sr|Gen|Col|Inc|Ltd|Co))\.$")
LONGEST_ABBREVIATION = 16  # letters that are looked at before a stop, more than any abbreviation has
_CLOSED = re.compile(rf"[{ENDS}…][\"'”’“‘»)\]]*\s*$")


@dataclass(frozen=True)
class CorpusSpelling:
    """How a raw text is split and spelt.

    Attributes:
        lowercase: words in lower case.
        numbers: numbers are `N`.
        punctuation: whether marks are words; else they are dropped.
        splitter: what splits a sentence into words, see `repline.segmentation.word_splitters`.
    """

    lowercase: bool = True
    numbers: bool = True
    punctuation: bool = False
    splitter: str = TREEBANK

    @classmethod
    def of(cls, values: Any, path: str) -> "CorpusSpelling":
        """What `record` gave; InputError that names `path` where it is something else.

        Models that were trained before splitters were recorded have none, and split after the Penn Treebank.
        """
        if not isinstance(values, Mapping) or not set(SWITCHES) <= set(values):
            raise InputError(f"{path}: expected text of {', '.join(SWITCHES)}; train the model again")
        lowercase, numbers, punctuation = (bool(values[name]) for name in SWITCHES)
        return cls(lowercase, numbers, punctuation, recorded_splitter(values, path))

    @classmethod
    def of_corpus(cls, folder: str | Path) -> "CorpusSpelling":
        """The spelling of a corpus for language modelling, from its card."""
        return cls.of_card(read_card(folder))

    @classmethod
    def of_card(cls, card: Card) -> "CorpusSpelling":
        """The spelling of a corpus for language modelling, whose card this is; what it does not say is the default."""
        parameters = card.get("parameters", {})
        lowercase, numbers, punctuation = (bool(parameters.get(name, getattr(cls, name))) for name in SWITCHES)
        return cls(lowercase, numbers, punctuation, splitter_of(card))

    def record(self) -> dict[str, Json]:
        """The attributes, for raw_input.json."""
        return asdict(self)

    def words(self, sentence: str, vocabulary: Container[str] = ()) -> list[str]:
        """The words of one sentence as its corpus was split; marks as the corpus has them.

        Args:
            vocabulary: of the model. Where the words of the corpus stood between blanks, those of the vocabulary stay
                whole (`don't`, `(not)`), and all else is split after the Penn Treebank, so that a mark next to a word
                does not hide it.
        """
        if self.splitter != BLANKS:
            return self._spelt(word_splitter(self.splitter)(sentence))
        words: list[str] = []
        for part in sentence.split():
            whole = [word for word in (part, *self._spelt([part])) if word in vocabulary and word != END]
            words += whole[:1] or self._spelt(treebank.words(part))
        return words

    def sentences(self, text: str) -> list[str]:
        """The sentences of a raw text, see `sentences_of`."""
        return sentences_of(text)

    def tokens(self, text: str, vocabulary: Container[str] = ()) -> list[str]:
        """The words of a text, with `<eos>` after each sentence; not after the last one, unless a mark closes it.

        Args:
            vocabulary: as of `words`.
        """
        tokens: list[str] = []
        sentences = self.sentences(text)
        for number, sentence in enumerate(sentences, start=1):
            words = self.words(sentence, vocabulary)
            tokens += words
            if words and (number < len(sentences) or _CLOSED.search(sentence)):
                tokens.append(END)
        return tokens

    def _spelt(self, tokens: Sequence[str]) -> list[str]:
        spelling = Spelling(self.lowercase, self.numbers, not self.punctuation)
        return column_of_words(spelling, tokens)[0] if tokens else []


def sentences_of(text: str) -> list[str]:
    """The sentences of a raw text: they end at . ! ? and at an empty line.

    After . ! ? (or those of Arabic, Urdu and Hindi) a digit follows, or a letter that is not small.

    >>> sentences_of("Dr. Smith came. He saw 3.5 birds.")
    ['Dr. Smith came.', 'He saw 3.5 birds.']
    """
    sentences: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        end = match.end(1) if match[1] else match.start()
        if match[1] and not begins_sentence(text, end):
            continue
        if match[1] == "." and _ABBREVIATION.search(text[max(start, end - LONGEST_ABBREVIATION) : end]):
            continue
        sentences.append(text[start:end].strip())
        start = match.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]
