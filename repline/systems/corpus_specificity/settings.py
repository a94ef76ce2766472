"""The section `corpus_specificity` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field

from repline import parameters
from repline.parameters import Count, Positive, Section, Values

AtLeastTwo = Annotated[int, Field(ge=2)]
Dimensions = Annotated[list[Count], Field(min_length=1)]


class Documents(Section):
    """How running text becomes documents of words.

    Attributes:
        block: tokens of a document, before any is left out; None leaves texts whole.
        stop_words: which list is left out; nltk comes with the texts.
        maximum_documents: blocks that are kept, drawn without replacement; None for all.
        seed: of that draw.
    """

    block: Count | None = 300
    stop_words: Literal["scikit-learn", "nltk"] = "scikit-learn"
    maximum_documents: Count | None = None
    seed: int = 0


class CategoryTest(Section):
    """Which categories are the test.

    Attributes:
        number: how many categories, the rarest ones.
        words: of each category, two at least.
        lowest: occurrences that a word needs.
    """

    number: AtLeastTwo
    words: Annotated[int, Field(ge=2)] = 10
    lowest: Count = 5


class SynonymTest(Section):
    """Which questions are the test.

    Attributes:
        number: how many questions, the rarest ones.
        made: questions that are made of a wordnet.
        distractors, lowest, highest, seed: of `repline.lexicons.synonym_questions.synonym_questions`.
    """

    number: AtLeastTwo
    made: AtLeastTwo = 80
    distractors: Count = 3
    lowest: Count = 5
    highest: Count = 200
    seed: int = 0


class Subcorpora(Section):
    """The smaller corpora that vectors are trained on.

    Attributes:
        dimensions: the ks.
        steps: sizes, evenly spaced from that of the documents with a word of the test.
        samples: draws of each size; of the full corpus, which is always the same, trainings.
    """

    dimensions: Dimensions
    steps: Count
    samples: Count


class LSA(Subcorpora):
    """LSA on every subcorpus.

    Attributes:
        exact: the largest number of documents for an exact decomposition: by the eigenvectors of X^T X, which
            takes memory for its square. Above it is randomized, for the subcorpora as well: scores differ
            by documents, not by solvers. What is exact and has the same documents is trained once, whatever `samples`.
        iterations: power iterations of the randomized decomposition.
    """

    exact: Annotated[int, Field(ge=0)] = 3000
    iterations: Count = 4


class SkipGram(Subcorpora):
    """Skip-gram on every subcorpus.

    Attributes:
        tests: that it is scored on.
        frequent: what is done to words with more than `threshold` of a corpus's tokens: "sample" leaves out each
            occurrence with the probability of word2vec, "drop" the words themselves, except for those of the test.
        threshold: see `frequent`.
        window, negative, epochs, learning_rate, threads: of `repline.vectors.recipes.Word2Vec`.
        equal_updates: whether a corpus without out-of-domain documents is also trained for as many updates as the whole
            one.
    """

    tests: list[Literal["categories", "synonyms"]] = Field(default=["categories", "synonyms"])
    frequent: Literal["sample", "drop"] = "sample"
    threshold: Positive = 1e-3
    window: Count = 15
    negative: Count = 15
    epochs: Count = 5
    learning_rate: Positive = 0.025
    threads: Count | None = None
    equal_updates: bool = False


class Settings(Section):
    """The section `corpus_specificity` of params.yaml.

    Attributes:
        corpus: a folder of data/ with sentences in Parquet, or with texts.
        categories: a file of data/ with words and their categories.
        synonyms: a wordnet of data/ that questions are made of, or a file of questions.
    """

    corpus: str
    documents: Documents
    categories: str
    category_test: CategoryTest
    synonyms: str
    synonym_test: SynonymTest
    lsa: LSA
    word2vec: SkipGram


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "corpus_specificity", values)
