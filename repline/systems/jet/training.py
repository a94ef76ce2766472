"""Training of words, terms and entities on a numbered corpus."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from repline.parameters import Count, NotNegative, Positive
from repline.systems.jet import updates
from repline.systems.jet.corpus import Corpus
from repline.systems.jet.mentions import Mentions
from repline.vectors.negative_sampling import alias_table, keep_probabilities

Progress = Callable[[int, float], None]
Permuted = Literal["lists", "entities"]
Candidates = tuple[NDArray[np.int64], NDArray[np.int32]]


@dataclass(frozen=True)
class Trained:
    """What training leaves.

    Attributes:
        words, terms, entities: float32 [V, d], [T, d] and [E, d], of the corpus; terms and entities may be left out.
        contexts: float32 [V, d].
        losses: of each pass, the mean loss of a target and one of its contexts with the negatives of that context.
    """

    words: NDArray[np.float32]
    terms: NDArray[np.float32]
    entities: NDArray[np.float32]
    contexts: NDArray[np.float32]
    losses: list[float]


def train(
    corpus: Corpus,
    *,
    dimensions: Count = 100,
    passes: Count = 10,
    window: Count = 2,
    negative: Count = 5,
    sample: NotNegative = 1e-5,
    sample_terms: NotNegative = 3e-5,
    learning_rate: Positive = 0.05,
    terms: bool = True,
    entities: bool = True,
    permuted: Permuted | None = None,
    threads: Count = 1,
    seed: int = 0,
    progress: Progress | None = None,
) -> Trained:
    """Maximise the objective by stochastic gradient ascent, one place of the text at a time.

        sum over places of O(w, C_w, N_w) + sum over terms that end there of [O(t, C_t, N_t) + mean_e O(e, C_t, N_t)]

    Args:
        dimensions: d.
        window: words to the left and to the right at most; the width is drawn from 1 to this at each place.
        negative: drawn words for each context.
        sample: words with a larger share of the corpus than this are partly left out, and leave holes in the windows;
            0 leaves out none. sample_terms: the same of terms; where a term is left out, its entities are.
        learning_rate: at first; it falls linearly to 1e-4 of that.
        terms, entities: whether these are trained; entities need terms. Words alone are skip-gram.
        permuted: a control, see `candidates_of`.
        threads: more than one change the same vectors at once (hogwild), and no two runs are alike.
        seed: of the first vectors and of all that is drawn.
        progress: called after each pass with its number and its loss.

    Raises:
        FloatingPointError: a vector is not finite; the learning rate is too high.
    """
    counts, term_counts = (table.column("count").to_numpy() for table in (corpus.vocabulary, corpus.terms))
    sizes = [len(counts), len(term_counts) if terms else 0, len(corpus.entities) if terms and entities else 0]
    candidates = candidates_of(corpus, permuted, seed) if sizes[2] else _none(len(term_counts))
    mentions = corpus.mentions if terms else Mentions(*(column[:0] for column in corpus.mentions))
    rng = np.random.default_rng(seed)
    vectors, contexts = (
        ((rng.random((rows, dimensions), dtype=np.float32) - 0.5) / dimensions).astype(np.float32)
        for rows in (sum(sizes), sizes[0])
    )
    states = rng.integers(1, 1 << 63, size=(threads, 1), dtype=np.uint64)
    tokens = len(corpus.words)
    keep = keep_probabilities(counts, sample, tokens), keep_probabilities(term_counts, sample_terms, tokens)
    table = alias_table(counts**0.75)
    bases = np.cumsum(sizes)[:2]
    seen = np.array([0, passes * tokens])
    cuts = np.searchsorted(corpus.sentences, np.linspace(0, tokens, threads + 1)[1:-1])
    shares = [slice(*ends) for ends in zip([0, *cuts], [*(cuts + 1), len(corpus.sentences)], strict=True)]
    room = _room(mentions, candidates, window, negative)
    options = (window, negative, learning_rate)
    losses = []

    def one(thread: int) -> tuple[float, float]:
        return updates.train_sentences(
            corpus.sentences[shares[thread]], corpus.words, *keep, *table, tuple(mentions), candidates, bases, vectors,
            contexts, options, seen, states[thread], room,
        )  # fmt: skip

    with ThreadPoolExecutor(threads) as pool:
        for number in range(passes):
            found = list(pool.map(one, range(threads)))
            losses.append(-sum(total for total, _ in found) / max(sum(pairs for _, pairs in found), 1))
            if not (np.isfinite(vectors).all() and np.isfinite(contexts).all()):
                raise FloatingPointError(f"pass {number + 1}: a vector is not finite; lower learning_rate")
            if progress:
                progress(number + 1, losses[-1])
    return Trained(*np.split(vectors, bases), contexts, losses)


def candidates_of(corpus: Corpus, permuted: Permuted | None = None, seed: int = 0) -> Candidates:
    """The entities of each term: offsets [T + 1] and rows.

    Args:
        permuted: "lists": each term has the list of another one, so that entities that shared a term still do;
            "entities": all entries of the lists are dealt out anew, and the lists keep their lengths.
    """
    offsets, rows = corpus.candidates()
    rng = np.random.default_rng([seed, 1])
    if permuted == "entities":
        return offsets, rng.permutation(rows)
    if permuted is None:
        return offsets, rows
    order = rng.permutation(len(offsets) - 1)
    sizes = np.diff(offsets)[order]
    moved = np.append(0, np.cumsum(sizes))
    inside = np.arange(moved[-1]) - np.repeat(moved[:-1], sizes)
    return moved, rows[np.repeat(offsets[:-1][order], sizes) + inside]


def _none(terms: int) -> Candidates:
    return np.zeros(terms + 1, np.int64), np.zeros(0, np.int32)


def _room(mentions: Mentions, candidates: Candidates, window: int, negative: int) -> tuple[int, int]:
    """How many targets and rows of contexts one place can have."""
    last = mentions.last
    most = int(np.diff(np.flatnonzero(np.diff(last, prepend=-1, append=-1))).max()) if len(last) else 0
    longest = int(np.diff(candidates[0]).max())
    return 1 + most * (1 + longest), (1 + most) * 2 * window * (1 + negative)
