"""Training of word2vec and fastText on any Parquet corpus, by gensim, in one thread: the same bytes each time."""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from gensim.models import FastText, Word2Vec
from gensim.models.callbacks import CallbackAny2Vec

from repline.errors import InputError
from repline.vectors.store import save
from repline.vectors.tokens import Tokens

Architecture = Literal["skip-gram", "cbow"]
Progress = Callable[[int, int], None]


def word2vec(
    corpus: str | Path,
    folder: str | Path,
    *,
    architecture: Architecture = "skip-gram",
    dimensions: int = 100,
    window: int = 5,
    negative: int = 5,
    sample: float = 1e-3,
    epochs: int = 5,
    learning_rate: float = 0.025,
    minimum_count: int = 5,
    maximum_words: int | None = None,
    column: str = "tokens",
    lower: bool = True,
    keep: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Train word2vec on a corpus and write the vectors into `folder`.

    Skip-gram with negative sampling maximises, for each word w and each word c in a window around it,

        log s(v_w . u_c) + sum over `negative` words n ~ count^0.75 of log s(-v_w . u_n),    s the logistic function;

    CBOW predicts w from the mean of the v_c instead. The window's width is drawn from 1 to `window` for each word.

    Args:
        corpus, column, lower, keep: see `repline.vectors.tokens.Tokens`.
        folder: replaces what was there, see `repline.vectors.store`.
        architecture: "skip-gram" or "cbow".
        dimensions: d, of each vector.
        window: words to the left and to the right, within a row of the corpus.
        negative: drawn words for each true one.
        sample: words with a larger share of the corpus than this are partly left out; 0 leaves out none.
        epochs: passes over the corpus.
        learning_rate: at the beginning; it falls linearly to 1e-4.
        minimum_count, maximum_words: of the vocabulary.
        seed: of the first vectors and of all that is drawn.
        progress: called with the epochs done and their number.

    Returns:
        The card.

    Raises:
        InputError: a number outside its range, or a corpus that cannot be read or has no frequent words.

    Source: Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality", eq. (4).
    """
    parameters = {name: value for name, value in locals().items() if name not in ("corpus", "folder", "progress")}
    return _train(Word2Vec, {}, corpus, folder, parameters, progress)


def fasttext(
    corpus: str | Path,
    folder: str | Path,
    *,
    architecture: Architecture = "skip-gram",
    dimensions: int = 100,
    window: int = 5,
    negative: int = 5,
    sample: float = 1e-3,
    epochs: int = 5,
    learning_rate: float = 0.025,
    minimum_count: int = 5,
    maximum_words: int | None = None,
    shortest_ngram: int = 3,
    longest_ngram: int = 6,
    buckets: int = 200_000,
    column: str = "tokens",
    lower: bool = True,
    keep: str | None = None,
    seed: int = 0,
    unseen: Sequence[str] = (),
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Train fastText on a corpus and write the vectors of its words into `folder`.

    As `word2vec`, with v_w the mean of a vector of w and those of its character n-grams, "<" and ">" being its ends.
    The n-grams share `buckets` vectors by their hash; they are not kept, so words that are not named in `unseen` have
    no vector afterwards.

    Args:
        shortest_ngram, longest_ngram: characters.
        buckets: vectors for n-grams; 4 * buckets * dimensions bytes of memory while training.
        unseen: further words, which get the mean of the vectors of their n-grams, and a count of 0.
        others: as of `word2vec`.

    Returns:
        The card.

    Raises:
        InputError: as of `word2vec`.

    Source: Bojanowski et al. 2017, "Enriching Word Vectors with Subword Information", section 3.2.
    """
    parameters = {
        name: value for name, value in locals().items() if name not in ("corpus", "folder", "unseen", "progress")
    }
    if not 1 <= shortest_ngram <= longest_ngram:
        raise InputError(
            f"fasttext: expected 1 <= shortest_ngram <= longest_ngram, found {shortest_ngram} and {longest_ngram}"
        )
    if buckets < 1:
        raise InputError(f"fasttext.buckets: expected at least 1, found {buckets}")
    subwords = {"min_n": shortest_ngram, "max_n": longest_ngram, "bucket": buckets}
    return _train(FastText, subwords, corpus, folder, parameters, progress, unseen)


def _train(
    model_class: type[Word2Vec],
    subwords: Mapping[str, int],
    corpus: str | Path,
    folder: str | Path,
    parameters: dict[str, Any],
    progress: Progress | None,
    unseen: Sequence[str] = (),
) -> dict[str, Any]:
    name = model_class.__name__.lower()
    for key in ("dimensions", "window", "negative", "epochs", "minimum_count"):
        if parameters[key] < 1:
            raise InputError(f"{name}.{key}: expected at least 1, found {parameters[key]}")
    if parameters["sample"] < 0 or parameters["learning_rate"] <= 0:
        raise InputError(f"{name}: expected sample >= 0 and learning_rate > 0")
    if not 0 <= parameters["seed"] < 2**32:
        raise InputError(f"{name}.seed: expected 0 to 2^32 - 1, found {parameters['seed']}")
    tokens = Tokens(corpus, **{key: parameters[key] for key in ("column", "lower", "keep")})
    words, counts = tokens.vocabulary(
        minimum_count=parameters["minimum_count"], maximum_words=parameters["maximum_words"]
    )
    sentences = _Sentences(tokens)
    rows = sum(1 for _ in sentences)
    model = model_class(
        vector_size=parameters["dimensions"],
        window=parameters["window"],
        min_count=1,
        sample=parameters["sample"],
        seed=parameters["seed"],
        workers=1,
        sg=int(parameters["architecture"] == "skip-gram"),
        negative=parameters["negative"],
        alpha=parameters["learning_rate"],
        epochs=parameters["epochs"],
        hashfxn=_hash,
        **subwords,
    )
    model.build_vocab_from_freq(dict(zip(words, counts.tolist(), strict=True)), corpus_count=rows)
    model.train(
        sentences, total_examples=rows, epochs=parameters["epochs"], callbacks=[_Epochs(model.epochs, progress)]
    )
    trained = model.wv.index_to_key
    further = [word for word in dict.fromkeys(unseen) if word not in model.wv.key_to_index]
    card = tokens.card()
    return save(
        folder,
        [*trained, *further],
        np.concatenate([model.wv.vectors, *([model.wv[word]] for word in further)]),
        counts=[*(model.wv.get_vecattr(word, "count") for word in trained), *[0] * len(further)],
        description=f"{model_class.__name__} vectors trained on {card['name'] if card else Path(corpus).name}",
        licence=card["licence"] if card else "not stated",
        sources=[{"corpus": card}] if card else [],
        parameters=parameters,
        totals={"rows": rows, "tokens": int(counts.sum())},
        tools=["gensim", "duckdb"],
    )


class _Sentences:
    """What gensim can go through once an epoch."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    def __iter__(self) -> Iterator[list[str]]:
        return self.tokens.sentences()


class _Epochs(CallbackAny2Vec):
    def __init__(self, epochs: int, progress: Progress | None) -> None:
        self.done, self.epochs, self.progress = 0, epochs, progress

    def on_epoch_end(self, model: Word2Vec) -> None:
        self.done += 1
        if self.progress:
            self.progress(self.done, self.epochs)


def _hash(text: str) -> int:
    """Python's own hash differs from process to process."""
    return zlib.crc32(text.encode())
