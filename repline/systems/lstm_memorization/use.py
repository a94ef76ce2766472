"""Trained models of lstm_memorization on raw text: they read a text and name the word in its middle.

model = repline.load("data/models/lstm_memorization/language/d50-n10/seed-0")
model.recall("the war between the states was the first of many")
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from repline.errors import InputError
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.use.corpus_spelling import CorpusSpelling
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import by_length, in_batches, one_or_all, text_of, texts_of, whole_number
from repline.use.text_scorer import Continuation, Score

ROOM = 1 << 16  # words of a batch


@dataclass(frozen=True)
class Recall:
    """What a model names as the middle word of a text.

    Attributes:
        word: that it names; None for a text without a known word.
        probability: of that word.
        middle: the word in the middle, the later one of two; None for a text without a known word.
        is_right: whether it names the middle word.
        tokens: the words that it read.
        unknown: words that it does not know, which are left out, as in training.
    """

    word: str | None
    probability: float
    middle: str | None
    is_right: bool
    tokens: list[str]
    unknown: list[str]


class MiddleWordModel:
    """An LSTM that names the middle word of what it reads.

    It is no language model of what follows: `score` is about the middle word alone, and `next` lists what it would name
    as the middle word of the text. A word that was not in its vocabulary is left out before the middle is taken.

    Args:
        model: in evaluation mode.
        words: V, by number.
        spelling: how a raw text is split and spelt.
    """

    fields: ClassVar[tuple[str, ...]] = ("text",)
    optional_fields: ClassVar[tuple[str, ...]] = ()
    candidates = 5  # in an answer of the command

    def __init__(self, model: MiddleTokenLSTM, words: Sequence[str], spelling: CorpusSpelling):
        self.model, self.words, self.spelling = model, list(words), spelling
        self.index = {word: number for number, word in enumerate(self.words)}

    def tokens(self, text: str) -> list[str]:
        """The words of a text that the model knows, with `<eos>` after a sentence that is closed."""
        return [word for word in self.spelling.tokens(text, self.index) if word in self.index]

    def recall(self, texts: str | Sequence[str], batch: int = 64) -> Any:
        """The word that is named as the middle one of a text, or of each of a list of texts: a `Recall`.

        Args:
            texts: of any length and any number.
            batch: texts that are in memory as numbers at a time.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        answers: list[Recall] = []
        for part in in_batches(texts_of(texts, "recall"), batch):
            tokens = [self.tokens(text) for text in part]
            for text, read, chances in zip(part, tokens, self._log_probabilities(tokens).exp(), strict=True):
                unknown = [word for word in self.spelling.tokens(text, self.index) if word not in self.index]
                if not read:
                    answers.append(Recall(None, 0.0, None, False, [], unknown))
                    continue
                named, middle = int(chances.argmax()), read[len(read) // 2]
                word = self.words[named]
                answers.append(Recall(word, float(chances[named]), middle, word == middle, read, unknown))
        return one_or_all(texts, answers)

    def score(self, texts: str | Sequence[str], batch: int = 64) -> Any:
        """How probable the middle word of a text is to the model, or of each of a list: a `Score` of that word alone.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        scores: list[Score] = []
        for part in in_batches(texts_of(texts, "score"), batch):
            tokens = [self.tokens(text) for text in part]
            for text, read, logs in zip(part, tokens, self._log_probabilities(tokens), strict=True):
                unknown = [word for word in self.spelling.tokens(text, self.index) if word not in self.index]
                middle = read[len(read) // 2 : len(read) // 2 + 1]
                values = [float(logs[self.index[word]]) for word in middle]
                perplexity = float(torch.tensor(-sum(values)).exp()) if values else float("nan")
                scores.append(Score(float(sum(values)), perplexity, middle, values, unknown))
        return one_or_all(texts, scores)

    def next(self, text: str, n: int = 10) -> list[Continuation]:
        """The n words that the model would name, after a text, as its middle one, the most probable one first."""
        n = whole_number(n, "n", 0)
        chances = self._log_probabilities([self.tokens(text_of(text, "next"))])[0].exp()
        order = chances.argsort(descending=True, stable=True)[:n].tolist()
        return [Continuation(self.words[number], float(chances[number])) for number in order]

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """What is named as the middle word of each row's text, and what else it might be."""
        texts = [row["text"] for row in rows]
        return [
            asdict(answer) | {"next": [list(symbol) for symbol in self.next(text, self.candidates)]}
            for text, answer in zip(texts, self.recall(texts), strict=True)
        ]

    def _log_probabilities(self, texts: Sequence[Sequence[str]]) -> Tensor:
        """Log probabilities [n, V] of all words, after each text; all alike after an empty one."""
        logs = torch.full((len(texts), len(self.words)), 1 / len(self.words), dtype=torch.double).log()
        filled = [row for row, tokens in enumerate(texts) if tokens]
        for batch in by_length([len(texts[row]) for row in filled], ROOM):
            rows = [filled[number] for number in batch]
            ids = [torch.tensor([self.index[word] for word in texts[row]]) for row in rows]
            with torch.inference_mode():
                inputs = [nn.functional.embedding(numbers, self.model.embedding) for numbers in ids]
                _, (hidden, _) = self.model.lstm(nn.utils.rnn.pack_sequence(inputs, enforce_sorted=False))
                logs[rows] = self.model.decode(hidden[0]).double().log_softmax(-1)
        return logs


def load(description: Description) -> MiddleWordModel:
    """The model of a folder; InputError where it is damaged."""
    values, path = description.raw_input, description.folder / RAW_INPUT
    model, words = pretrained(MiddleTokenLSTM, description.folder), values.get("words")
    if not isinstance(words, list) or len(words) != len(model.embedding):
        raise InputError(
            f"{path}: expected {len(model.embedding):,} words; copy the folder again, or train the model again"
        )
    return MiddleWordModel(model, words, CorpusSpelling.of(values.get("text"), str(path)))
