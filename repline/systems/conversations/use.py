"""A model of conversations on raw texts: `encode(texts)`, `similarity(a, b)` and `rank(message, replies)`."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from repline.errors import InputError
from repline.systems.conversations import encoder
from repline.systems.conversations.corpus import split_words
from repline.use.folders import Description
from repline.use.inputs import in_batches, texts_of
from repline.use.text_encoder import TextEncoder


class RankedReply(NamedTuple):
    """A reply and its score for a message; higher is better, and scores of different messages are not comparable."""

    reply: str
    score: float


class ConversationModel(TextEncoder):
    """Sentence vectors of length 1, and replies ranked for a message.

    Texts are split as in training: lower case, punctuation and clitics apart.

    Args:
        sentences: the encoder of a trained model.
    """

    def __init__(self, sentences: encoder.SentenceEncoder):
        self.sentences = sentences
        self.dimensions = sentences.model.size

    def _vectors(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        split = [split_words(text) for text in texts]
        known_words = [sum(word in self.sentences.number_of for word in words) for words in split]
        return self.sentences.of([words or [""] for words in split]), np.array(known_words, dtype=np.int64)

    def rank(self, message: str, replies: Sequence[str], batch: int = 256) -> list[RankedReply]:
        """The replies to a message, the best one first: score = u . g(v) of the vectors u and v.

        Args:
            message: raw text. Without a known word all scores are 0, and the replies stay in their order.
            replies: raw texts. One without a known word comes last, with the score -inf.
            batch: replies that are in memory as numbers at a time.

        Raises:
            InputError: `message` is no text, or `replies` no list of texts.
        """
        is_list = isinstance(replies, Sequence) and not isinstance(replies, str)
        if not isinstance(message, str) or not is_list or not all(isinstance(reply, str) for reply in replies):
            raise InputError('rank takes a message and a list of replies: rank("a message", ["a reply", "another"])')
        u = torch.from_numpy(self.encode(message))
        scores: list[float] = []
        for part in in_batches(texts_of(replies, "rank"), batch):
            vectors, known_words = self._vectors(part)
            with torch.inference_mode():
                products = (self.sentences.model.replies(torch.from_numpy(vectors)) @ u).tolist()
            scores += [score if count else -math.inf for score, count in zip(products, known_words, strict=True)]
        order = sorted(range(len(replies)), key=lambda row: -scores[row])
        return [RankedReply(replies[row], scores[row]) for row in order]


def load(description: Description) -> ConversationModel:
    """The model of a folder that `training.train` wrote; InputError where it is damaged."""
    return ConversationModel(encoder.load(description.folder))
