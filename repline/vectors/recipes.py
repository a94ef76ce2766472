"""Recipes of static word vectors: the typed sections of params.yaml that say how they are trained."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from repline.parameters import Count, NotNegative, Positive, Section

Documents = Literal["document", "section", "sentence"]


class NegativeSampling(Section):
    """Settings that word2vec and fastText share.

    Attributes:
        architecture: skip-gram or CBOW.
        dimensions: d, of each vector.
        window: words to the left and to the right, within a row of the corpus.
        negative: drawn words for each true one.
        sample: words with a larger share of the corpus than this are partly left out; 0 leaves out none.
        epochs: passes over the corpus.
        learning_rate: at the beginning; it falls linearly to 1e-4.
        minimum_count, maximum_words: of the vocabulary.
        column, lower, keep: which words are read, see `repline.vectors.tokens.Tokens`.
        seed: of the first vectors and of all that is drawn.
    """

    architecture: Literal["skip-gram", "cbow"] = "skip-gram"
    dimensions: Count = 100
    window: Count = 5
    negative: Count = 5
    sample: NotNegative = 1e-3
    epochs: Count = 5
    learning_rate: Positive = 0.025
    minimum_count: Count = 5
    maximum_words: Count | None = None
    column: str = "tokens"
    lower: bool = True
    keep: str | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0


class Word2Vec(NegativeSampling):
    """Settings of `repline.vectors.training.word2vec`: its arguments other than the corpus.

    Attributes:
        threads: how many train; the vectors are the same for any number, see `repline.vectors.parallel_word2vec`. None
            for gensim, which has one thread here, and other vectors.
        others: see `NegativeSampling`.
    """

    threads: Count | None = None


class FastText(NegativeSampling):
    """Settings of `repline.vectors.training.fasttext`: its arguments other than the corpus.

    Attributes:
        shortest_ngram, longest_ngram: characters.
        buckets: vectors for n-grams; 4 * buckets * dimensions bytes of memory while training.
        others: see `NegativeSampling`.
    """

    shortest_ngram: Count = 3
    longest_ngram: Count = 6
    buckets: Count = 200_000

    @model_validator(mode="after")
    def _has_ngrams(self) -> "FastText":
        if self.longest_ngram < self.shortest_ngram:
            lengths = f"{self.longest_ngram} and {self.shortest_ngram}"
            raise ValueError(f"longest_ngram should be at least shortest_ngram, found {lengths}")
        return self


class Glove(Section):
    """Settings of `repline.vectors.glove.train_glove`: its arguments other than the counts.

    Attributes:
        iterations: passes over the cells.
        maximum, alpha: of `repline.vectors.glove.weight`.
    """

    dimensions: Count = 100
    iterations: Count = 15
    learning_rate: Positive = 0.05
    maximum: Positive = 100.0
    alpha: Annotated[float, Field(gt=0, le=1)] = 0.75


class Retrofitting(Section):
    """Settings of `repline.vectors.retrofitting.retrofit`: its arguments other than the vectors and the lexicon.

    Attributes:
        sweeps: passes over the lexicon; the published program makes 10.
        alpha: weight of the original vector in units of the number of neighbours.
    """

    sweeps: Annotated[int, Field(ge=0)] = 10
    alpha: Positive = 1.0


class LSA(Section):
    """Settings of `repline.vectors.lsa.lsa`: its arguments other than the corpus.

    Attributes:
        contexts: the columns of the matrix: "documents", or the words in a "window" around each.
        documents: with "documents", what one is: all rows of a `doc_id`, of a `doc_id` and `section`, or a row.
        block: with "documents", cut them into blocks of this many tokens; None leaves them whole.
        window: with "window", words to the left and to the right, within a row of the corpus.
        weighting: of the matrix, see `repline.vectors.lsa.log_entropy` and `ppmi`; "counts" leaves it as counted.
        unit_contexts: scale every column to unit length.
        dimensions: k, less than the number of words and of contexts.
        singular_values: p, their power; 1 is the classical scaling, 0 leaves them out.
        iterations: power iterations of the randomized decomposition.
        minimum_count, maximum_words: of the vocabulary.
        column, lower, keep: which words are read, see `repline.vectors.tokens.Tokens`.
        seed: of the randomized decomposition.
    """

    contexts: Literal["documents", "window"] = "documents"
    documents: Documents = "document"
    block: Count | None = None
    window: Count = 5
    weighting: Literal["log_entropy", "ppmi", "counts"] = "log_entropy"
    unit_contexts: bool = True
    dimensions: Count = 100
    singular_values: float = 1.0
    iterations: Count = 4
    minimum_count: Count = 5
    maximum_words: Count | None = None
    column: str = "tokens"
    lower: bool = True
    keep: str | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
