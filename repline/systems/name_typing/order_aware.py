"""Word vectors by SSKIP and CWIN, trained on any corpus of sentences."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from repline.parameters import Count, NotNegative, Positive
from repline.systems.name_typing import order_updates
from repline.vectors.negative_sampling import alias_table, keep_probabilities
from repline.vectors.store import save
from repline.vectors.tokens import Tokens

KINDS = {"sskip": order_updates.SSKIP, "cwin": order_updates.CWIN}
Batches = Callable[[], Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]]


def order_aware(
    corpus: str | Path,
    folder: str | Path,
    *,
    architecture: Literal["sskip", "cwin"],
    dimensions: Count = 100,
    window: Count = 3,
    negative: Count = 10,
    sample: NotNegative = 1e-4,
    epochs: Count = 5,
    learning_rate: Positive = 0.025,
    minimum_count: Count = 5,
    keep: str | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Train SSKIP or CWIN on a corpus, read anew in every epoch, and write the vectors v of the words into `folder`.

    Args:
        corpus, keep: see `repline.vectors.tokens.Tokens`.
        folder: replaces what was there, see `repline.vectors.store`.
        dimensions: d of v. The outputs of all offsets take 2 * window times the memory of v.
        window: for SSKIP its width is drawn from 1 to this for each word, as in word2vec; CWIN has the whole window,
            with zeros outside the sentence.
        negative, sample, epochs, learning_rate, minimum_count: as of `repline.vectors.training.word2vec`.
        progress: called with the epochs done and their number.

    Returns:
        The card.

    Raises:
        InputError: a corpus that cannot be read, or has no frequent word.
        FloatingPointError: a vector is not finite; the learning rate is too high.
    """
    parameters = {name: value for name, value in locals().items() if name not in ("corpus", "folder", "progress")}
    tokens = Tokens(corpus, keep=keep)
    words, counts = tokens.vocabulary(minimum_count=minimum_count)
    vectors = train(
        lambda: _numbered(tokens, words),
        counts,
        **{name: parameters[name] for name in parameters if name not in ("minimum_count", "keep")},
        progress=progress,
    )
    card = tokens.card()
    return save(
        folder,
        words,
        vectors,
        counts=counts,
        description=f"{architecture} vectors trained on {card['name'] if card else Path(corpus).name}",
        licence=card["licence"] if card else "not stated",
        sources=[{"corpus": card}] if card else [],
        parameters=parameters,
        totals={"tokens": int(counts.sum())},
        tools=["duckdb", "numba"],
    )


def train(
    batches: Batches,
    counts: NDArray[np.int64],
    *,
    architecture: Literal["sskip", "cwin"],
    dimensions: int,
    window: int,
    negative: int,
    sample: float,
    epochs: int,
    learning_rate: float,
    seed: int,
    tied: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float32]:
    """The vectors v [V, d] of one model.

    Args:
        batches: called once an epoch; gives words as numbers, int32 [n], and where their sentences begin and end.
        counts: [V] of the words.
        tied: one matrix of outputs for all offsets, which makes SSKIP the skip-gram of word2vec.
        others: as of `order_aware`.
    """
    rng = np.random.default_rng(seed)
    size, kind = len(counts), KINDS[architecture]
    inputs = ((rng.random((size, dimensions), dtype=np.float32) - 0.5) / dimensions).astype(np.float32)
    blocks = np.zeros(2 * window, np.int64) if tied else np.arange(2 * window)
    shape = (size, 2 * window * dimensions) if kind == order_updates.CWIN else ((blocks[-1] + 1) * size, dimensions)
    outputs = np.zeros(shape, np.float32)
    state = rng.integers(1, 1 << 63, size=1, dtype=np.uint64)
    progress_of_words = np.array([0, epochs * counts.sum()])
    drawn = keep_probabilities(counts, sample), *alias_table(counts**0.75)
    for epoch in range(epochs):
        for words, sentences in batches():
            order_updates.train_sentences(
                sentences, words, *drawn, inputs, outputs, kind, blocks, (window, negative, learning_rate),
                progress_of_words, state,
            )  # fmt: skip
        if not np.isfinite(inputs).all():
            raise FloatingPointError(f"epoch {epoch + 1}: a vector is not finite; lower learning_rate")
        if progress:
            progress(epoch + 1, epochs)
    return inputs


def _numbered(tokens: Tokens, words: list[str]) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
    """Sentences as numbers without rare words, some thousand at a time."""
    for flat, lengths, _ in tokens.numbered(words):
        sentence = np.repeat(np.arange(len(lengths)), lengths)[flat >= 0]
        kept = np.bincount(sentence, minlength=len(lengths))
        yield flat[flat >= 0], np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)
