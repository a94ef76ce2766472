"""Word vectors by SSKIP and CWIN, trained on any corpus of sentences."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.cards import Card
from repline.systems.name_typing import order_updates
from repline.vectors import denormals
from repline.vectors.negative_sampling import alias_table, keep_probabilities
from repline.vectors.recipes import Word2Vec
from repline.vectors.store import save
from repline.vectors.tokens import Tokens

ORDERED = {"skip-gram": "sskip", "cbow": "cwin"}  # by architectures without order
Batches = Callable[[], Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]]


def order_aware(
    corpus: str | Path,
    folder: str | Path,
    recipe: Word2Vec,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Train SSKIP or CWIN on a corpus, read again in every epoch, and write the vectors v of the words into `folder`.

    Args:
        corpus: see `repline.vectors.tokens.Tokens`.
        folder: replaces what was there, see `repline.vectors.store`.
        recipe: of the skip-gram, for SSKIP, or of CBOW, for CWIN. The outputs of all offsets take 2 * window times the
            memory of v. The window of SSKIP is drawn from 1 to `window` for each word, as in word2vec; CWIN has the
            whole window, with zeros outside the sentence.
        progress: called with the epochs done and their number.

    Returns:
        The card.

    Raises:
        InputError: a corpus that cannot be read, or has no frequent word.
        FloatingPointError: a vector is not finite; the learning rate is too high.
    """
    tokens = Tokens(corpus, column=recipe.column, lower=recipe.lower, keep=recipe.keep)
    words, counts = tokens.vocabulary(minimum_count=recipe.minimum_count, maximum_words=recipe.maximum_words)
    vectors = trained_vectors(lambda: _numbered(tokens, words), counts, recipe, progress=progress)
    card = tokens.card()
    return save(
        folder,
        words,
        vectors,
        counts=counts.tolist(),
        description=f"{ORDERED[recipe.architecture]} vectors trained on {card['name'] if card else Path(corpus).name}",
        licence=card["licence"] if card else "not stated",
        sources=[{"corpus": card}] if card else [],
        parameters=recipe.model_dump(exclude={"threads"}),  # this loop has one
        totals={"tokens": int(counts.sum())},
        tools=["duckdb", "numba"],
    )


@denormals.as_zero()
def trained_vectors(
    batches: Batches,
    counts: NDArray[np.int64],
    recipe: Word2Vec,
    *,
    tied: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float32]:
    """The vectors v [V, d] of one model.

    Args:
        batches: called once an epoch; gives words as numbers, int32 [n], and where their sentences begin and end.
        counts: [V] of the words.
        recipe, progress: as of `order_aware`.
        tied: one matrix of outputs for all offsets, which makes SSKIP the skip-gram of word2vec.
    """
    rng = np.random.default_rng(recipe.seed)
    size, dimensions, window = len(counts), recipe.dimensions, recipe.window
    kind = order_updates.CWIN if recipe.architecture == "cbow" else order_updates.SSKIP
    inputs = ((rng.random((size, dimensions), dtype=np.float32) - 0.5) / dimensions).astype(np.float32)
    blocks = np.zeros(2 * window, np.int64) if tied else np.arange(2 * window)
    shape = (size, 2 * window * dimensions) if kind == order_updates.CWIN else ((blocks[-1] + 1) * size, dimensions)
    outputs = np.zeros(shape, np.float32)
    state = rng.integers(1, 1 << 63, size=1, dtype=np.uint64)
    progress_of_words = np.array([0, recipe.epochs * counts.sum()])
    drawn = keep_probabilities(counts, recipe.sample), *alias_table(counts**0.75)
    for epoch in range(recipe.epochs):
        for words, sentences in batches():
            order_updates.train_sentences(
                sentences, words, *drawn, inputs, outputs, kind, blocks,
                (window, recipe.negative, recipe.learning_rate), progress_of_words, state,
            )  # fmt: skip
        if not np.isfinite(inputs).all():
            raise FloatingPointError(f"epoch {epoch + 1}: a vector is not finite; lower learning_rate")
        if progress:
            progress(epoch + 1, recipe.epochs)
    return inputs


def _numbered(tokens: Tokens, words: list[str]) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
    """Sentences as numbers without rare words, some thousand at a time."""
    for flat, lengths, _ in tokens.numbered(words):
        sentence = np.repeat(np.arange(len(lengths)), lengths)[flat >= 0]
        sizes = np.bincount(sentence, minlength=len(lengths))
        yield flat[flat >= 0], np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
