"""The rank of the true reply among the replies of a block of shuffled pairs: P@N.

The replies of a block are the candidates of each of its messages. Pairs are shuffled across conversations: in pairs of
one conversation the message itself is a candidate, for it is the reply of the pair before, and rankers by words fail.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

CUTS = (1, 3, 10)  # N of P@N
Scores = Callable[[NDArray[np.integer]], NDArray[np.floating]]


def blocks(pairs: int, candidates: int, seed: int) -> NDArray[np.int64]:
    """Shuffled numbers of pairs in blocks of `candidates` pairs [blocks, candidates].

    Pairs that fill no block are left out; with fewer pairs than candidates there is one block of them all.
    """
    order = np.random.default_rng(seed).permutation(pairs)
    size = min(candidates, pairs)
    return order[: len(order) // max(1, size) * size].reshape(-1, size)


def true_ranks(scores: NDArray[np.floating], texts: NDArray[np.integer]) -> NDArray[np.float64]:
    """The rank of the true reply of each message of a block, from 1; ties have the mean of their ranks.

    Args:
        scores: [C, C], a row a message, a column a reply.
        texts: a number for the text of each reply [C]; a reply with the text of the true one is no rival.
    """
    true = np.diagonal(scores)[:, None]
    rival = texts[:, None] != texts
    return 1 + ((scores > true) & rival).sum(1) + 0.5 * ((scores == true) & rival).sum(1)


def ranks_of(block: NDArray[np.int64], texts: NDArray[np.integer], scores: Scores) -> NDArray[np.float64]:
    """The rank of the true reply of every pair in blocks [blocks * C].

    Args:
        block: of `blocks`; texts: of the reply of each pair [P].
        scores: the numbers of the pairs of a block [C] -> the scores of their messages and replies [C, C].
    """
    return np.concatenate([true_ranks(scores(rows), texts[rows]) for rows in block])


def precisions(ranks: NDArray[np.floating]) -> dict[str, float]:
    """P@N: the share of messages whose true reply is among the first N."""
    return {f"p{cut}": float((ranks <= cut).mean()) for cut in CUTS}


def chance(candidates: int, pairs: int) -> dict[str, float]:
    """P@N of random order, where `blocks` has this many candidates and pairs."""
    size = max(1, min(candidates, pairs))
    return {f"p{cut}": min(cut, size) / size for cut in CUTS}


class WordOverlap:
    """Ranks replies by the cosine of TF-IDF vectors of message and reply.

    Args:
        training: texts from which document frequencies are counted, as tokens.
    """

    def __init__(self, training: Sequence[Sequence[str]]):
        self.vectors = TfidfVectorizer(analyzer=list).fit(training)

    def scores(self, messages: Sequence[Sequence[str]], replies: Sequence[Sequence[str]]) -> Scores:
        """Scores of all pairs of P messages and P replies, both given as tokens, as `ranks_of` takes them."""
        first, second = (self.vectors.transform(side) for side in (messages, replies))
        return lambda rows: (first[rows] @ second[rows].T).toarray()
