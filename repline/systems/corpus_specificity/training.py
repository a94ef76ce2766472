"""LSA and word2vec on smaller and smaller corpora, scored on tests of words: the loops of the experiment.

    LSA         x_ij = ln(1 + c_ij) g_i,    g_i = 1 + Σ_j p_ij ln p_ij / ln(N + 1),    p_ij = c_ij / Σ_j c_ij
                X = [x_ij] with columns of length 1,    X ≈ U_k S_k V_kᵀ,    vectors U_k S_k
    skip-gram   max Σ over words c and words o in the window of c:  log σ(u_o · v_c) + Σ_n log σ(-u_n · v_c)

The paper does not say whether S belongs to the vectors; U_k alone is the variant "u". A corpus D is made smaller in two
ways, with D_T the documents that have a word of the test:

    random          any documents are removed; a word of the test that is then missing gets one back, in exchange
    out of domain   documents outside of D_T are removed

Notation: c_ij counts word i in document j of N; k is one of `dimensions`, u and v are the output and input vectors of
[., k], n the words that are drawn against o. Scores are of the vectors' cosines.

Counts lie in `repline.vectors.cooccurrence`, weights and decomposition in `repline.vectors.lsa`, skip-gram in
`repline.vectors.training`, removal in `repline.systems.corpus_specificity.document_removal`, the tests in
`repline.systems.corpus_specificity.word_tests`.

Source: Altszyler, Sigman & Fernández Slezak 2018; log-entropy and unit columns are those of gensim.
"""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from threadpoolctl import threadpool_limits

from repline.caches.library_code import library_digest
from repline.cards import read_card
from repline.errors import InputError, shown
from repline.files import new_folder, write_json
from repline.parameters import JsonObject
from repline.systems.corpus_specificity.document_removal import (
    Subcorpus,
    documents_with_words,
    subcorpora,
    write_documents,
)
from repline.systems.corpus_specificity.scores import EQUAL_UPDATES, SKIP_GRAM, ScoreRow
from repline.systems.corpus_specificity.settings import LSA, SkipGram
from repline.systems.corpus_specificity.word_tests import Scores, WordTest
from repline.use.word_space import describe_vectors
from repline.vectors import recipes, store
from repline.vectors.cooccurrence import term_documents
from repline.vectors.lsa import decompose, log_entropy, unit_columns
from repline.vectors.tokens import Tokens
from repline.vectors.training import word2vec

SPARE = 30  # dimensions that a randomized decomposition has beyond those wanted
Progress = Callable[[ScoreRow], None]


def lsa_scores(
    documents: str | Path,
    tests: Mapping[str, WordTest],
    recipe: LSA,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[ScoreRow]:
    """Train LSA on every subcorpus of every test and score it.

    One decomposition at the largest k serves all smaller ones. A k that is not below the number of words and of
    documents is skipped.

    Args:
        documents: a corpus of one row a document, words as they are counted.
        tests: by name.
        recipe: the ks, the subcorpora, and how matrices are decomposed.
        threads: of the linear algebra.
        progress: called with every row.

    Returns:
        Rows {test, variant, method, size, sample, k, score, items, permuted, documents, tokens}. The variant
        is "us" for U_k S_k, "u" for U_k, and "raw", with k = 0, for the weighted counts themselves.

    Raises:
        InputError: a corpus that cannot be read or lacks a word of a test.
    """
    words, _ = Tokens(documents, lower=False).vocabulary()
    by_word = term_documents(Tokens(documents, lower=False), words, documents="sentence")
    counts = by_word.tocsc()
    row_of = {word: row for row, word in enumerate(words)}
    rows: list[ScoreRow] = []
    trained: dict[int, list[tuple[str, int, NDArray]]] = {}  # of the full corpus, by sample: words of all tests
    test_words = sorted({word for test in tests.values() for word in test.words})
    exactly = counts.shape[1] <= recipe.exact
    solve = partial(_lsa, recipe=recipe, exactly=exactly, threads=threads)
    for name, test in tests.items():
        missing = [word for word in test.words if word not in row_of]
        if missing:
            raise InputError(
                f"{documents}: {shown(missing[0])} of the test {shown(name)} is in no document; make the tests again"
            )
        word_in_document = sparse.csr_array(by_word[[row_of[word] for word in test.words]] > 0)
        seen: set[bytes] = set()  # document numbers
        for part in subcorpora(word_in_document, recipe.steps, recipe.samples):
            if exactly and part.documents.tobytes() in seen:
                continue
            seen.add(part.documents.tobytes())
            remaining = counts[:, part.documents]
            if part.method == "full":
                if part.sample not in trained:
                    rows_asked = [row_of[word] for word in test_words]
                    trained[part.sample] = list(solve(remaining, rows_asked, seed=part.sample))
                vectors, scored = trained[part.sample], test_words
            else:
                rows_asked = [row_of[word] for word in test.words]
                vectors, scored = list(solve(remaining, rows_asked, seed=part.sample)), test.words
            for variant, k, matrix in vectors:
                scores = test.scores(scored, matrix, part.sample)
                rows.append(_row(name, variant, part, k, scores, int(remaining.sum())))
                if progress:
                    progress(rows[-1])
    return rows


def best_dimensions(rows: Sequence[ScoreRow], variant: str) -> int | None:
    """The k of a variant with the best mean score on the whole corpus; None where the rows have no such variant.

    Args:
        rows: of `lsa_scores` or `word2vec_scores`; the scores of the test of the first row count.
        variant: "us" or "skip-gram".
    """
    scores: dict[int, list[float]] = {}
    for row in rows:
        if row["variant"] == variant and row["method"] == "full" and row["test"] == rows[0]["test"]:
            scores.setdefault(row["k"], []).append(row["score"])
    return max(sorted(scores), key=lambda k: float(np.mean(scores[k]))) if scores else None


def write_lsa(folder: str | Path, documents: str | Path, k: int | None, recipe: LSA, *, threads: int = 1) -> int:
    """Write the LSA vectors U_k S_k of every word of the whole corpus, for raw words.

    Args:
        folder: replaces what was there.
        documents: a corpus of one row a document.
        k: dimensions, at most; None for as many as the corpus allows, one fewer than words and than documents.
        recipe: how the matrix is decomposed.
        threads: of the linear algebra.

    Returns:
        The dimensions that the vectors have.

    Raises:
        InputError: there are fewer than two documents or words.
    """
    words, counts = Tokens(documents, lower=False).vocabulary()
    by_word = term_documents(Tokens(documents, lower=False), words, documents="sentence")
    largest = min(by_word.shape) - 1
    if largest < 1:
        raise InputError(
            f"LSA takes two documents and two words at least; found {by_word.shape[1]} and {by_word.shape[0]} (a long "
            "text is several documents, by its blocks)"
        )
    smaller = recipe.model_copy(update={"dimensions": [min(k or largest, largest)]})
    exactly = by_word.shape[1] <= recipe.exact
    vectors = _lsa(by_word.tocsc(), range(len(words)), recipe=smaller, exactly=exactly, seed=0, threads=threads)
    (matrix,) = (matrix for variant, _, matrix in vectors if variant == "us")
    parameters = smaller.model_dump(include={"dimensions", "exact"})
    _save(folder, documents, words, matrix, counts, "LSA", parameters, "scipy")
    return int(matrix.shape[1])


def word2vec_scores(
    documents: str | Path,
    tests: Mapping[str, WordTest],
    scratch: str | Path,
    recipe: SkipGram,
    *,
    vectors: str | Path | None = None,
    progress: Progress | None = None,
) -> list[ScoreRow]:
    """Train skip-gram on every subcorpus of every test, for each k, and score it.

    A killed run goes on where it was: each training leaves its scores in `scratch`.

    Fewer documents mean fewer updates in the same number of epochs. As a control (`equal_updates`) a corpus without
    out-of-domain documents is also trained for more epochs, as many as give the updates of the whole corpus.

    Args:
        documents, tests, progress: see `lsa_scores`.
        scratch: a folder for the subcorpora and the scores so far; its content is used only where the corpus, the
            tests, the recipe, the code and the library that trains are the same.
        recipe: the ks, the subcorpora, and how skip-gram is trained.
        vectors: a folder for the vectors of every word, of the first training on the whole corpus with the best k;
            None writes none.

    Returns:
        Rows with the keys of `lsa_scores`; the variant is "skip-gram", and "skip-gram, equal updates" for the control
        and the whole corpus beside it.

    Raises:
        InputError: a corpus that cannot be read or lacks a word of a test.
    """
    tool = "gensim" if recipe.threads is None else "numba"  # which compiles the house's own word2vec
    excluded = {"tests", "dimensions", "steps", "samples", "equal_updates"}
    training = recipe.model_dump(exclude=excluded) | {tool: version(tool)}
    code = library_digest(f"{word2vec_scores.__module__}:{word2vec_scores.__name__}")
    test_words = sorted({word for test in tests.values() for word in test.words})
    test_parts = {name: test.words for name, test in tests.items()}
    mark = {"documents": _content(documents), "tests": test_parts, "code": code} | training
    rows: list[ScoreRow] = []
    whole: dict[int, Path] = {}  # by k, the vectors of the first training on the whole corpus

    def trained(part: Subcorpus, k: int, words: Sequence[str], epochs: int) -> tuple[NDArray, int]:
        """The vectors of words [n, k] and the tokens of the subcorpus, of this run or of one before."""
        key = mark | {"method": part.method, "size": part.size, "sample": part.sample, "k": k, "words": words}
        path = Path(scratch) / f"{_digest(key | {'epochs': epochs})}.json"
        saved = None
        if vectors is not None and part.method == "full" and part.sample == 0:
            saved = whole[k] = path.with_suffix("")
        if not path.exists() or (saved is not None and not saved.exists()):
            longer = recipe.model_copy(update={"epochs": epochs})
            matrix, tokens = _word2vec(documents, part, k, words, longer, saved)
            write_json(path, {"vectors": matrix.tolist(), "tokens": tokens})
        values = json.loads(path.read_text(encoding="utf-8"))
        return np.array(values["vectors"]), values["tokens"]

    for name, test in tests.items():
        tokens_of_whole = 0
        for part in subcorpora(documents_with_words(documents, test.words), recipe.steps, recipe.samples):
            words = test_words if part.method == "full" else test.words  # the full corpus is trained once for all tests
            for k in recipe.dimensions:
                matrix, tokens = trained(part, k, words, recipe.epochs)
                results = [(SKIP_GRAM, matrix)]
                if recipe.equal_updates and part.method == "full":
                    tokens_of_whole = tokens
                    results += [(EQUAL_UPDATES, matrix)]
                elif recipe.equal_updates and part.method == "out_of_domain":
                    epochs = round(recipe.epochs * tokens_of_whole / tokens)
                    results += [(EQUAL_UPDATES, trained(part, k, words, epochs)[0])]
                for variant, vectors_of_words in results:
                    scores = test.scores(words, vectors_of_words, part.sample)
                    rows.append(_row(name, variant, part, k, scores, tokens))
                    if progress:
                        progress(rows[-1])
    if vectors is not None:
        best = best_dimensions(rows, SKIP_GRAM)
        trained_words, matrix = store.words_and_matrix(whole[best or recipe.dimensions[0]])
        counts = store.load_vocabulary(whole[best or recipe.dimensions[0]])["count"].to_numpy()
        _save(vectors, documents, trained_words, matrix, counts, "word2vec", training | {"dimensions": best}, tool)
    return rows


def _save(
    folder: str | Path,
    documents: str | Path,
    words: Sequence[str],
    matrix: NDArray,
    counts: NDArray,
    method: str,
    parameters: JsonObject,
    tool: str,
) -> None:
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


def _lsa(
    counts: sparse.csc_array, word_rows: Sequence[int], *, recipe: LSA, exactly: bool, seed: int, threads: int
) -> Iterator[tuple[str, int, NDArray]]:
    """Yields (variant, k, vectors [n, k] of the words in `word_rows`) for every variant and k."""
    by_word = counts.tocsr()
    present = np.flatnonzero(np.diff(by_word.indptr))
    weighted = unit_columns(log_entropy(by_word[present]))
    present_rows = np.searchsorted(present, word_rows)
    yield "raw", 0, weighted[present_rows].toarray()
    limit = min(weighted.shape)
    possible = [k for k in sorted(recipe.dimensions) if k < limit]
    if not possible:
        return
    if exactly:
        with threadpool_limits(limits=threads):
            scaled, values = _exactly(weighted, present_rows, possible[-1])
    else:
        columns = min(possible[-1] + SPARE, limit - 1)  # the last columns of a randomized decomposition are the worst
        whole = decompose(weighted, columns, iterations=recipe.iterations, seed=seed, threads=threads)
        scaled, values = whole[present_rows], np.linalg.norm(whole, axis=0)
    for k in possible:
        yield "us", k, scaled[:, :k]
        yield "u", k, np.divide(scaled[:, :k], values[:k], out=np.zeros((len(present_rows), k)), where=values[:k] > 0)


def _exactly(weighted: sparse.csr_array, rows: NDArray, k: int) -> tuple[NDArray, NDArray]:
    """Rows of U_k S_k, [n, k], and S_k. X^T X = V S^2 V^T, and U S = X V."""
    last = weighted.shape[1] - 1
    squares, right_vectors = linalg.eigh((weighted.T @ weighted).toarray(), subset_by_index=(last - k + 1, last))
    return weighted[rows] @ right_vectors[:, ::-1], np.sqrt(np.maximum(squares[::-1], 0))


def _word2vec(
    documents: str | Path, part: Subcorpus, k: int, words: Sequence[str], recipe: SkipGram, saved: Path | None = None
) -> tuple[NDArray, int]:
    """Vectors of some words [n, k], trained on a subcorpus, and its tokens; those of all words go into `saved`."""
    sampled = recipe.frequent == "sample"
    drop = () if sampled else _frequent(documents, part, recipe.threshold, words)
    skip_gram = recipes.Word2Vec(
        dimensions=k,
        sample=recipe.threshold if sampled else 0.0,
        window=recipe.window,
        negative=recipe.negative,
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        threads=recipe.threads,
        minimum_count=1,
        lower=False,
        seed=part.sample,
    )
    with tempfile.TemporaryDirectory() as folder:
        corpus, trained = Path(folder) / "corpus", Path(folder) / "vectors"
        write_documents(documents, corpus, part.documents, drop=drop)
        card = word2vec(corpus, trained, skip_gram)
        if saved is not None:
            with new_folder(saved) as partial_folder:
                shutil.copytree(trained, partial_folder, dirs_exist_ok=True)
        vocabulary, matrix = store.words_and_matrix(trained)
        rows = {word: row for row, word in enumerate(vocabulary)}
        return np.array(matrix[[rows[word] for word in words]]), card["counts"]["tokens"]


def _frequent(documents: str | Path, part: Subcorpus, threshold: float, words: Sequence[str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        write_documents(documents, Path(folder) / "corpus", part.documents)
        vocabulary, counts = Tokens(Path(folder) / "corpus", lower=False).vocabulary()
    frequent = counts > threshold * counts.sum()
    return sorted({word for word, often in zip(vocabulary, frequent, strict=True) if often} - set(words))


def _row(test: str, variant: str, part: Subcorpus, k: int, scores: Scores, tokens: int) -> ScoreRow:
    return {
        "test": test,
        "variant": variant,
        "method": part.method,
        "size": part.size,
        "sample": part.sample,
        "k": k,
        "documents": len(part.documents),
        "tokens": tokens,
        **scores,
    }


def _content(documents: str | Path) -> dict[str, object]:
    return {"card": read_card(documents), "files": [_sha256(path) for path in Tokens(documents).files()]}


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest(key: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:32]
