"""word2vec on smaller and smaller corpora, scored on tests of words.

    skip-gram   max Σ over words c and words o in the window of c:  log σ(u_o · v_c) + Σ_n log σ(-u_n · v_c)

How a corpus is made smaller is in `repline.systems.corpus_specificity.document_removal`.

Notation: u and v are the output and input vectors of [., k], k one of `dimensions`, n the words that are drawn against
o. Scores are of the vectors' cosines. Skip-gram lies in `repline.vectors.training`.

Source: Altszyler, Sigman & Fernández Slezak 2018.
"""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.caches.library_code import library_digest
from repline.cards import read_card
from repline.files import new_folder, write_json
from repline.systems.corpus_specificity.corpus_vectors import save_vectors
from repline.systems.corpus_specificity.document_removal import (
    Subcorpus,
    documents_with_words,
    subcorpora,
    write_documents,
)
from repline.systems.corpus_specificity.scores import (
    EQUAL_UPDATES,
    SKIP_GRAM,
    Progress,
    ScoreRow,
    best_dimensions,
    score_row,
)
from repline.systems.corpus_specificity.settings import SkipGram
from repline.systems.corpus_specificity.word_tests import WordTest
from repline.vectors import recipes, store
from repline.vectors.tokens import Tokens
from repline.vectors.training import word2vec


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
                    rows.append(score_row(name, variant, part, k, scores, tokens))
                    if progress:
                        progress(rows[-1])
    if vectors is not None:
        best = best_dimensions(rows, SKIP_GRAM)
        trained_words, matrix = store.words_and_matrix(whole[best or recipe.dimensions[0]])
        counts = store.load_vocabulary(whole[best or recipe.dimensions[0]])["count"].to_numpy()
        parameters = training | {"dimensions": best}
        save_vectors(vectors, documents, trained_words, matrix, counts, "word2vec", parameters, tool)
    return rows


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


def _content(documents: str | Path) -> dict[str, object]:
    return {"card": read_card(documents), "files": [_sha256(path) for path in Tokens(documents).files()]}


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest(key: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:32]
