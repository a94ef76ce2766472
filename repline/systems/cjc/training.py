"""Train one variant of one method, and save it as a folder of vectors with words such as zh:文件 and ja:ファイル.

    GloVe     min Σ_{M_ij > 0} f(M_ij) (x_i · y_j + b_i + c_j - log M_ij)²,    f(m) = min(1, (m / m_max)^(3/4))
    CBOW      max log P(w | own window) + λ log P(w | windows around matching words) + μ log P(w | parallel sentence)
    aligned   min Σ |x_i W - y_i|²  with  WᵀW = I,  over seed pairs of words; x W beside y

GloVe is SenGlo with λ = 0 and CJ-Glo with λ > 0, CBOW is SenBow and CJ-BOC. P is a softmax of the mean of a context's
vectors, by negative sampling. The authors' program mixes the three contexts of CBOW into one prediction instead:
`form` has both.

Notation: M [n + t, n + t] counts contexts in and across the languages, λ is `matching`, μ `parallel`, m_max `maximum`;
the vectors of words are x + y of GloVe, the context vectors u of CBOW.

M lies in `repline.systems.cjc.context_counts`, CBOW in `repline.systems.cjc.cbow`, the fit of GloVe in
`repline.vectors.glove`, the orthogonal map in `repline.vectors.alignment`.

Source: Wang et al. 2018, equations 5 to 9.
"""

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from repline.parameters import Section
from repline.systems.cjc.aligned_fasttext import aligned, monolingual_vectors, seed_words, train_monolingual
from repline.systems.cjc.cbow import cbow_vectors
from repline.systems.cjc.corpus import Data
from repline.systems.cjc.settings import CBOW, Alignment, FastText, Glove
from repline.training.run import Run
from repline.use.folders import describe
from repline.vectors import glove
from repline.vectors.store import save


def train_glove(recipe: Glove, data: Data, this_run: Run) -> None:
    """Fit GloVe to the counts of contexts within and across the languages."""
    counts = data.counts(recipe.shuffled).combined(recipe.matching, recipe.parallel, recipe.include_match)
    x, y, _, _ = glove.train_glove(counts, recipe, seed=this_run.seed)
    _save("GloVe", recipe, data, this_run, x + y)


def train_cbow(recipe: CBOW, data: Data, this_run: Run, window: int) -> None:
    """Train CBOW on the parallel sentences, with the same `window` as the counts of GloVe."""
    u = cbow_vectors(*data.sides(), data.matches(), data.vocabulary.counts, recipe, window=window, seed=this_run.seed)
    _save("CBOW", recipe, data, this_run, u)


def train_fasttext(recipe: FastText, data: Data, this_run: Run) -> None:
    """Train fastText on each language alone; all variants of the alignment share these vectors."""
    train_monolingual(this_run.folder, data, recipe, this_run.seed)


def train_aligned(recipe: Alignment, data: Data, this_run: Run, monolingual: Path) -> None:
    """Turn the vectors of the first language onto those of the second.

    Args:
        monolingual: the folder of `train_fasttext` with the same seed.
    """
    pairs = seed_words(recipe.pairs, data.vocabulary, data.links(), data.dictionary, data.lexicon)
    vectors = aligned(*monolingual_vectors(monolingual, data.vocabulary), pairs)
    _save("fastText, aligned", recipe, data, this_run, vectors, seed_pairs=len(pairs))


def _save(method: str, recipe: Section, data: Data, this_run: Run, vectors: NDArray, **extra_parameters: Any) -> None:
    save(
        this_run.folder,
        data.words,
        vectors,
        counts=data.vocabulary.counts,
        name=this_run.name,
        description=f"Words of {' and '.join(data.languages)} in one space ({method})",
        licence="that of the parallel corpus",
        parameters={"seed": this_run.seed} | recipe.model_dump() | extra_parameters,
        tools=["numba", "scipy"],
    )
    describe(this_run.folder, "cjc", "bilingual_word_vectors", {"languages": list(data.languages)})
