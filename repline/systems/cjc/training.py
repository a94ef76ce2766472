"""Train one variant of one method, and save it as a folder of vectors: those of zh:word and ja:word in one space."""

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from repline.parameters import Section
from repline.systems.cjc.aligned_fasttext import aligned, monolingual_vectors, seed_words, train_monolingual
from repline.systems.cjc.cbow import cbow_vectors
from repline.systems.cjc.corpus import Data
from repline.systems.cjc.settings import CBOW, Alignment, FastText, Glove
from repline.training.run import Run
from repline.vectors import glove
from repline.vectors.store import save


def train_glove(recipe: Glove, data: Data, at: Run) -> None:
    """Fit GloVe to the counts of contexts within and across the languages."""
    counts = data.counts(recipe.shuffled).combined(recipe.matching, recipe.parallel, recipe.include_match)
    x, y, _, _ = glove.train_glove(counts, recipe, seed=at.seed)
    _save("GloVe", recipe, data, at, x + y)


def train_cbow(recipe: CBOW, data: Data, at: Run, window: int) -> None:
    """Train CBOW on the parallel sentences; `window` as of the counts."""
    u = cbow_vectors(*data.sides(), data.matches(), data.vocabulary.counts, recipe, window=window, seed=at.seed)
    _save("CBOW", recipe, data, at, u)


def train_fasttext(recipe: FastText, data: Data, at: Run) -> None:
    """Train fastText on each language alone, which all ways of aligning share."""
    train_monolingual(at.folder, data, recipe, at.seed)


def train_aligned(recipe: Alignment, data: Data, at: Run, monolingual: Path) -> None:
    """Turn the vectors of the first language onto those of the second.

    Args:
        monolingual: the folder of `train_fasttext` with the same seed.
    """
    pairs = seed_words(recipe.pairs, data.vocabulary, data.links(), data.dictionary, data.lexicon)
    vectors = aligned(*monolingual_vectors(monolingual, data.vocabulary), pairs)
    _save("fastText, aligned", recipe, data, at, vectors, seed_pairs=len(pairs))


def _save(method: str, recipe: Section, data: Data, at: Run, vectors: NDArray, **further: Any) -> None:
    save(
        at.folder,
        data.words,
        vectors,
        counts=data.vocabulary.counts,
        name=at.name,
        description=f"Words of {' and '.join(data.languages)} in one space ({method})",
        licence="that of the parallel corpus",
        parameters={"seed": at.seed} | recipe.model_dump() | further,
        tools=["numba", "scipy"],
    )
