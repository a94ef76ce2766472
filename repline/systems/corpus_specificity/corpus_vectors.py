"""The vectors of the whole corpus on disk, which take raw words."""

from collections.abc import Sequence
from pathlib import Path

from numpy.typing import NDArray

from repline.cards import read_card
from repline.parameters import JsonObject
from repline.use.word_space import describe_vectors
from repline.vectors import store


def save_vectors(
    folder: str | Path,
    documents: str | Path,
    words: Sequence[str],
    matrix: NDArray,
    counts: NDArray,
    method: str,
    parameters: JsonObject,
    tool: str,
) -> None:
    """Write the vectors of every word of the whole corpus, for raw words.

    Args:
        folder: replaces what was there.
        documents: the corpus, whose card gives the licence.
        words: in the order of the rows.
        matrix: their vectors [n, k].
        counts: how often each word is in the corpus [n].
        method: "LSA" or "word2vec".
        parameters: of the training, for the card.
        tool: the package that trained them.
    """
    card = read_card(documents)
    store.save(
        folder,
        words,
        matrix,
        counts=counts,
        name=f"corpus_specificity-{method.lower()}",
        description=f"{method} vectors of the whole corpus",
        licence=card["licence"],
        sources=[{"corpus": card}],
        parameters=parameters,
        tools=[tool],
    )
    describe_vectors(folder, "corpus_specificity")
