"""Trained models of urn on raw text: language models of brackets, and classifiers of verb number.

model = repline.load("data/models/urn/dyck-turn/seed-0")
model.closing("<[()")         # ], with its probability
model.score("<[()]>"), model.next("<[")
model.matrix("()")            # nearly the identity

model = repline.load("data/models/urn/agreement-turn/seed-0")
model.classify("the keys to the cabinet")
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn.functional import log_softmax

from repline.errors import InputError, shown
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.segmentation.word_splitters import recorded_splitter, word_splitter
from repline.systems.urn.agreement.unknown_words import UNKNOWN, tag_of_form, unknown_word
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import by_length, in_batches, one_or_all, text_of, texts_of, whole_number
from repline.use.text_classifier import TextClassifier
from repline.use.text_scorer import Continuation, LanguageModel

Model = URN | UnconstrainedRecurrence | LSTMReader
MODELS: dict[str, type[Model]] = {
    "turn": URN,
    "full": URN,
    "arbitrary": UnconstrainedRecurrence,
    "lstm": LSTMReader,
}
BRACKETS, START, PADDING = 10, 10, 11  # how many brackets; the numbers of the two other symbols
ROOM = 1 << 16  # characters or words of a batch


class ClosingBracket(NamedTuple):
    """The closing bracket that a model expects next, and how probable each of the five is among them."""

    bracket: str
    probability: float
    probabilities: dict[str, float]


class WithMatrices:
    """What models of matrices add: the matrix of a phrase. Its children have a `model`."""

    model: Model

    def phrase_matrix(self, symbols: Sequence[str]) -> np.ndarray:
        """Q(x_0 ... x_m) = Q(x_m) ... Q(x_0), float64 [n, n]; the identity of no symbol.

        Raises:
            InputError: the model is an LSTM.
        """
        if isinstance(self.model, LSTMReader):
            raise InputError("matrix: this model is an LSTM, whose symbols have no matrices; load a turn or arbitrary")
        return self.model.phrase(symbols).numpy()


class BracketLanguageModel(LanguageModel, WithMatrices):
    """A language model of the generalised Dyck language: `() {} [] <> +-`.

    White space is not read. Any other character that is no bracket is unknown: it is read as the padding symbol, which
    is next to impossible everywhere.
    """

    def __init__(self, model: Model):
        self.model, self.brackets = model, model.symbols[:BRACKETS]
        self.index = {bracket: number for number, bracket in enumerate(self.brackets)}

    def tokens(self, text: str) -> list[str]:
        """The characters of a text without its white space."""
        return list("".join(text.split()))

    def known(self, token: str) -> bool:
        """Whether a character is a bracket."""
        return token in self.index

    def token_log_probabilities(self, texts: Sequence[Sequence[str]]) -> list[list[float]]:
        """The log probability in nats of each character given those before it."""
        result: list[list[float]] = [[] for _ in texts]
        filled = [row for row, text in enumerate(texts) if text]
        for batch in by_length([len(texts[row]) for row in filled], ROOM):
            rows = [filled[number] for number in batch]
            ids = _padded([self.numbers(texts[row]) for row in rows], PADDING)
            inputs = torch.cat([torch.full_like(ids[:, :1], START), ids[:, :-1]], 1)
            with torch.inference_mode():
                logs = log_softmax(self.model(inputs), -1).gather(2, ids[..., None])[..., 0].double()
            for row, values in zip(rows, logs, strict=True):
                result[row] = values[: len(texts[row])].tolist()
        return result

    def next_probabilities(self, tokens: Sequence[str], n: int) -> list[Continuation]:
        """The n most probable brackets that may follow, the most probable one first."""
        n = whole_number(n, "n", 0)
        chances = self._after([tokens])[0].softmax(-1)[:BRACKETS]
        order = chances.argsort(descending=True, stable=True)[:n].tolist()
        return [Continuation(self.brackets[number], float(chances[number])) for number in order]

    def closing(self, texts: str | Sequence[str]) -> Any:
        """The closing bracket that is expected after a text, or after each of a list of texts: a `ClosingBracket`.

        It is the most probable of the five, as in the evaluation: an opening bracket is always possible, so that it
        does not count.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        answers: list[ClosingBracket] = []
        for part in in_batches(texts_of(texts, "closing"), 64):
            for chances in self._after([self.tokens(text) for text in part])[:, 1:BRACKETS:2].softmax(-1).tolist():
                by_bracket = dict(zip(self.brackets[1::2], chances, strict=True))
                best, _ = max(by_bracket.items(), key=lambda item: item[1])
                answers.append(ClosingBracket(best, by_bracket[best], by_bracket))
        return one_or_all(texts, answers)

    def matrix(self, phrase: str) -> np.ndarray:
        """The matrix [n, n] of the brackets of a text; InputError where it has another character, or for an LSTM."""
        tokens = self.tokens(text_of(phrase, "matrix"))
        unknown = [token for token in tokens if not self.known(token)]
        if unknown:
            raise InputError(f"matrix: {shown(unknown[0])} is no bracket; there are {' '.join(self.brackets)}")
        return self.phrase_matrix(tokens)

    def answers(self, rows: Sequence[Any]) -> list[dict[str, Json]]:
        """The score of each row's text, what may follow it, and the closing bracket that is expected."""
        closings = self.closing([row["text"] for row in rows])
        return [
            answer | {"closing": closing.bracket}
            for answer, closing in zip(super().answers(rows), closings, strict=True)
        ]

    def numbers(self, tokens: Sequence[str]) -> list[int]:
        """The number of each character; that of padding for those that are no brackets."""
        return [self.index.get(token, PADDING) for token in tokens]

    def _after(self, texts: Sequence[Sequence[str]]) -> torch.Tensor:
        """Logits of the character after each text [n, 12]."""
        logits = torch.empty(len(texts), len(self.model.classes), dtype=torch.double)
        for rows in by_length([len(text) + 1 for text in texts], ROOM):
            ids = [[START, *self.numbers(texts[row])] for row in rows]
            with torch.inference_mode():
                logits[rows] = self.model(_padded(ids, PADDING), torch.tensor([len(row) for row in ids])).double()
        return logits


class VerbNumberClassifier(TextClassifier, WithMatrices):
    """Says whether the verb after a text is singular or plural.

    A text is split as those of training were. A word that the vocabulary lacks is one of its classes
    of rare words: where these are part-of-speech tags, the tag that its form suggests, without regard to the case of
    the first word. It is then known, for the model reads its class; unknown are the words that are read as `<unk>`.
    Training has the tags of a tagger, which tells a rare adjective or plural name from a noun: so raw text is answered
    somewhat less well than the tagged text of the evaluation.
    """

    def __init__(self, model: Model, shares: Sequence[float], splitter: str):
        super().__init__(model.classes, shares)
        self.model, self.splitter = model, splitter
        self.index = {word: number for number, word in enumerate(model.symbols)}

    def symbols_of(self, text: str) -> list[str]:
        """The words of a text as the model reads them, rare ones as their class."""
        words = word_splitter(self.splitter)(text)
        first = next((row for row, word in enumerate(words) if word[0].isalnum()), None)
        return [self._symbol(word, word.lower() if row == first else word) for row, word in enumerate(words)]

    def _probabilities(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """The probability of each number [n, 2], and how many words of each text are known [n]."""
        symbols = [self.symbols_of(text) for text in texts]
        known_words = [sum(symbol != UNKNOWN for symbol in text_symbols) for text_symbols in symbols]
        result = np.zeros((len(texts), len(self.labels)))
        read = [row for row, text_symbols in enumerate(symbols) if text_symbols]
        for batch in by_length([len(symbols[row]) for row in read], ROOM):
            rows = [read[number] for number in batch]
            ids = [[self.index[symbol] for symbol in symbols[row]] for row in rows]
            lengths = torch.tensor([len(row) for row in ids])
            with torch.inference_mode():
                result[rows] = self.model(_padded(ids, 0), lengths).double().softmax(-1).numpy()
        return result, np.array(known_words)

    def verb_number(self, texts: str | Sequence[str]) -> Any:
        """singular or plural, of the verb after a text or after each of a list of texts."""
        answers = self.classify(texts_of(texts, "verb_number"))
        return one_or_all(texts, [answer.label for answer in answers])

    def matrix(self, phrase: str) -> np.ndarray:
        """The matrix [n, n] of the words of a text; InputError for an LSTM."""
        return self.phrase_matrix(self.symbols_of(text_of(phrase, "matrix")))

    def _symbol(self, word: str, form: str) -> str:
        """The symbol of a word; `form` is the word without the capital that a sentence begins with."""
        for symbol in (word.lower(), unknown_word(word.lower(), None), f"<{tag_of_form(form)}>"):
            if symbol in self.index and symbol != UNKNOWN:
                return symbol
        return UNKNOWN


def load(description: Description) -> BracketLanguageModel | VerbNumberClassifier:
    """The model of a folder; InputError where it is damaged."""
    values, path = description.raw_input, description.folder / RAW_INPUT
    kind = values.get("model")
    if kind not in MODELS or description.kind not in ("brackets", "verb_number"):
        raise InputError(f"{path}: expected a model, one of {', '.join(MODELS)}; train the model again")
    model = pretrained(MODELS[kind], description.folder)
    if description.kind == "brackets":
        return BracketLanguageModel(model)
    shares = values.get("shares")
    if not isinstance(shares, list) or len(shares) != len(model.classes):
        raise InputError(f"{path}: expected shares of {len(model.classes)} labels; copy the folder again")
    return VerbNumberClassifier(model, shares, recorded_splitter(values, str(path)))


def _padded(rows: Sequence[Sequence[int]], filling: int) -> torch.Tensor:
    """Rows of numbers as [B, T], padded on the right."""
    tensors = [torch.tensor(row, dtype=torch.long) for row in rows]
    return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=filling)
