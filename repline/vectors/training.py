"""Training of word2vec and fastText on any Parquet corpus, with the same bytes each time.

gensim trains in one thread, since several threads of its own end with other vectors each time. word2vec with `threads`
is trained by `repline.vectors.parallel_word2vec` instead.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from gensim.models import FastText, Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from numpy.typing import NDArray

from repline.cards import Card
from repline.vectors import recipes
from repline.vectors.parallel_word2vec import training as parallel_training
from repline.vectors.store import save
from repline.vectors.tokens import Tokens

Progress = Callable[[int, int], None]
WORD2VEC, FASTTEXT = recipes.Word2Vec(), recipes.FastText()


def word2vec(
    corpus: str | Path,
    folder: str | Path,
    recipe: recipes.Word2Vec = WORD2VEC,
    *,
    progress: Progress | None = None,
) -> Card:
    """Train word2vec on a corpus and write the vectors into `folder`.

    Skip-gram with negative sampling maximises, for each word w and each word c in a window around it,

        log s(v_w . u_c) + sum over `negative` words n ~ count^0.75 of log s(-v_w . u_n),    s the logistic function;

    CBOW predicts w from the mean of the v_c instead. The window's width is drawn from 1 to `window` for each word.

    Args:
        corpus: see `repline.vectors.tokens.Tokens`.
        folder: replaces what was there, see `repline.vectors.store`.
        recipe: how long, how many dimensions, which words, and how many threads.
        progress: called after each epoch with its number from 1 and the number of epochs.

    Returns:
        The card.

    Raises:
        InputError: a corpus that cannot be read or has no frequent words.

    Source: Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality", eq. (4).
    """
    if recipe.threads is None:
        return _train(Word2Vec, {}, corpus, folder, recipe, progress)
    tokens = _tokens(corpus, recipe)
    words, counts = tokens.vocabulary(minimum_count=recipe.minimum_count, maximum_words=recipe.maximum_words)
    vectors = parallel_training.train(tokens, words, counts, recipe, recipe.threads, progress)
    return _save(folder, words, vectors, counts.tolist(), tokens, recipe, "Word2Vec", "numba")


def fasttext(
    corpus: str | Path,
    folder: str | Path,
    recipe: recipes.FastText = FASTTEXT,
    *,
    unseen: Sequence[str] = (),
    progress: Progress | None = None,
) -> Card:
    """Train fastText on a corpus and write the vectors of its words into `folder`.

    The objective is that of `word2vec`, with v_w the mean of a vector of w and those of its character n-grams ("<" and
    ">" mark its ends). The n-grams share `buckets` vectors by their hash. The vectors of n-grams are not saved, so a
    word that training does not see has no vector afterwards unless `unseen` names it.

    Args:
        corpus, folder, recipe, progress: see `word2vec`.
        unseen: further words, which get the mean of the vectors of their n-grams, and a count of 0.

    Returns:
        The card.

    Raises:
        InputError: see `word2vec`.

    Source: Bojanowski et al. 2017, "Enriching Word Vectors with Subword Information", section 3.2.
    """
    subwords = {"min_n": recipe.shortest_ngram, "max_n": recipe.longest_ngram, "bucket": recipe.buckets}
    return _train(FastText, subwords, corpus, folder, recipe, progress, unseen)


def _train(
    model_class: type[Word2Vec],
    subwords: Mapping[str, int],
    corpus: str | Path,
    folder: str | Path,
    recipe: recipes.NegativeSampling,
    progress: Progress | None,
    unseen: Sequence[str] = (),
) -> Card:
    tokens = _tokens(corpus, recipe)
    words, counts = tokens.vocabulary(minimum_count=recipe.minimum_count, maximum_words=recipe.maximum_words)
    sentences = _Sentences(tokens)
    rows = sum(1 for _ in sentences)
    model = model_class(
        vector_size=recipe.dimensions,
        window=recipe.window,
        min_count=1,
        sample=recipe.sample,
        seed=recipe.seed,
        workers=1,
        sg=int(recipe.architecture == "skip-gram"),
        negative=recipe.negative,
        alpha=recipe.learning_rate,
        epochs=recipe.epochs,
        hashfxn=_hash,
        **subwords,
    )
    model.build_vocab_from_freq(dict(zip(words, counts.tolist(), strict=True)), corpus_count=rows)
    model.train(sentences, total_examples=rows, epochs=recipe.epochs, callbacks=[_Epochs(model.epochs, progress)])
    trained = model.wv.index_to_key
    further = [word for word in dict.fromkeys(unseen) if word not in model.wv.key_to_index]
    return _save(
        folder,
        [*trained, *further],
        np.concatenate([model.wv.vectors, *([model.wv[word]] for word in further)]),
        [*(model.wv.get_vecattr(word, "count") for word in trained), *[0] * len(further)],
        tokens,
        recipe,
        model_class.__name__,
        "gensim",
    )


def _tokens(corpus: str | Path, recipe: recipes.NegativeSampling) -> Tokens:
    return Tokens(corpus, column=recipe.column, lower=recipe.lower, keep=recipe.keep)


def _save(
    folder: str | Path,
    words: Sequence[str],
    vectors: NDArray[np.float32],
    counts: Sequence[int],
    tokens: Tokens,
    recipe: recipes.NegativeSampling,
    method: str,
    tool: str,
) -> Card:
    card = tokens.card()
    rows = sum(pq.read_metadata(path).num_rows for path in tokens.files())
    return save(
        folder,
        words,
        vectors,
        counts=counts,
        description=f"{method} vectors trained on {card['name'] if card else Path(tokens.corpus).name}",
        licence=card["licence"] if card else "not stated",
        sources=[{"corpus": card}] if card else [],
        parameters=recipe.model_dump(exclude={"threads"}),  # how many threads trained does not change the vectors
        totals={"rows": rows, "tokens": int(sum(counts))},
        tools=[tool, "duckdb"],
    )


class _Sentences:
    """The sentences of a corpus as gensim reads them: a new iterator for every epoch."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    def __iter__(self) -> Iterator[list[str]]:
        return self.tokens.sentences()


class _Epochs(CallbackAny2Vec):
    def __init__(self, epochs: int, progress: Progress | None) -> None:
        self.epoch, self.epochs, self.progress = 0, epochs, progress

    def on_epoch_end(self, model: Word2Vec) -> None:
        self.epoch += 1
        if self.progress:
            self.progress(self.epoch, self.epochs)


def _hash(text: str) -> int:
    """A hash that is the same in every process, unlike Python's own."""
    return zlib.crc32(text.encode())
