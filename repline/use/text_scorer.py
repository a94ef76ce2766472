"""Language models on raw text: `score(texts)`, `next(text)`, and which of two continuations a model prefers."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, NamedTuple, overload

from repline.parameters import Json
from repline.use.inputs import in_batches, one_or_all, text_of, texts_of


@dataclass(frozen=True)
class Score:
    """How probable a text is.

    Attributes:
        log_probability: in nats, the sum over its tokens; 0 for an empty text.
        perplexity: e to the mean of minus the log probability of a token; nan for an empty text.
        tokens: as the model read them.
        log_probabilities: of each token given those before it.
        unknown: tokens that the model has no number of their own for.
    """

    log_probability: float
    perplexity: float
    tokens: list[str]
    log_probabilities: list[float]
    unknown: list[str]


class Continuation(NamedTuple):
    """A symbol that may follow, and its probability."""

    token: str
    probability: float


class LanguageModel(ABC):
    """A language model whose children say how a raw text is split and how probable its tokens are."""

    fields: ClassVar[tuple[str, ...]] = ("text",)
    optional_fields: ClassVar[tuple[str, ...]] = ()
    continuations = 5  # in an answer of the command

    @abstractmethod
    def tokens(self, text: str) -> list[str]:
        """The tokens of a raw text, as they were split in training."""

    @abstractmethod
    def known(self, token: str) -> bool:
        """Whether the model has a number of its own for a token."""

    @abstractmethod
    def token_log_probabilities(self, texts: Sequence[Sequence[str]]) -> list[list[float]]:
        """The log probability in nats of each token given those before it, the first one given the start of a text.

        Args:
            texts: the tokens of each, as many as are to be in memory as numbers at a time; some may be empty.
        """

    @abstractmethod
    def next_probabilities(self, tokens: Sequence[str], n: int) -> list[Continuation]:
        """The n most probable symbols that may follow tokens, the most probable one first."""

    @overload  # a str is a sequence of str, too
    def score(self, texts: str, batch: int = 64) -> Score: ...  # type: ignore[overload-overlap]
    @overload
    def score(self, texts: Sequence[str], batch: int = 64) -> list[Score]: ...
    def score(self, texts: str | Sequence[str], batch: int = 64) -> Score | list[Score]:
        """How probable a raw text is, or each of a list of texts.

        Args:
            texts: of any length and any number; they are split as in training.
            batch: texts that are in memory as numbers at a time.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        scores: list[Score] = []
        for part in in_batches(texts_of(texts, "score"), batch):
            tokens = [self.tokens(text) for text in part]
            scores += map(self._score, tokens, self.token_log_probabilities(tokens))
        return one_or_all(texts, scores)

    def next(self, text: str, n: int = 10) -> list[Continuation]:
        """The n most probable symbols after a raw text, which may be empty."""
        return self.next_probabilities(self.tokens(text_of(text, "next")), n)

    def prefers(self, prefix: str, right: str, wrong: str) -> float:
        """log P(prefix right) - log P(prefix wrong) in nats: positive where the model prefers `right`."""
        before, *words = (text_of(text, "prefers") for text in (prefix, right, wrong))
        scores = self.score([f"{before} {word}" for word in words])
        return scores[0].log_probability - scores[1].log_probability

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The score of each row's text, and what may follow it."""
        return [
            asdict(score)
            | {"perplexity": score.perplexity if score.tokens else None}
            | {"next": [list(symbol) for symbol in self.next_probabilities(score.tokens, self.continuations)]}
            for score in self.score([row["text"] for row in rows])
        ]

    def _score(self, tokens: list[str], logs: list[float]) -> Score:
        total = float(sum(logs))
        perplexity = math.exp(min(-total / len(logs), 700.0)) if logs else math.nan
        return Score(total, perplexity, tokens, logs, [token for token in tokens if not self.known(token)])
