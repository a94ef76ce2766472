"""The section `entity_documents` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field

from repline import parameters
from repline.corpora.entities.recipes import Mode
from repline.parameters import Count, Name, Overlays, Positive, Section, Seeds, Share, Values
from repline.training import recipes
from repline.vectors import recipes as vectors


class Corpus(Section):
    """Which documents are classified, and by which labels.

    Attributes:
        documents: a folder of data/ with sentences, lemmas and entities.
        labels: a folder of data/ with labelled documents of the same `doc_id`.
        tasks: kinds of labels. Documents without a label of each kind are left out, and so is every document with the
            words of an earlier one.
        number: of documents that are drawn, for all three parts; None for all.
        dev, test: numbers of documents in these parts.
        least: number of training documents that a label needs.
        most: largest number of labels of a task.
        seed: of the drawing.
    """

    documents: str
    labels: str
    tasks: Annotated[list[str], Field(min_length=1)]
    number: Count | None = None
    dev: Count
    test: Count
    least: Count = 20
    most: Count = 40
    seed: int = 0


class Glove(vectors.Glove):
    """GloVe on documents in one way of writing names.

    Attributes:
        window: words to the left and to the right that are counted; a document is one text.
        minimum_count: of a word that gets a vector.
        seed: of the first vectors and of the order of the cells.
    """

    window: Count
    minimum_count: Count
    seed: int


class Layer(Section):
    """Convolutions of several widths in parallel, with `filters` filters each."""

    widths: Annotated[list[Count], Field(min_length=1)]
    filters: Count


class Recipe(recipes.Recipe):
    """A network and its training: a way of writing names, and the vectors that it begins with.

    Attributes:
        vectors: random; train or all, GloVe on these documents in the same way of writing; or the public ones.
        dimensions: of random vectors.
        longest: number of tokens of a document that are read.
        minimum_count: of the words in training that have a vector; all others share one.
        hidden: of `repline.systems.entity_documents.model.DocumentClassifier`.
    """

    mode: Mode
    vectors: Literal["random", "train", "all", "public"]
    dimensions: Count
    layers: Annotated[list[Layer], Field(min_length=1)]
    longest: Count
    minimum_count: Count
    hidden: Count | None
    dropout: Share


class Linear(Section):
    """TF-IDF and logistic regression, the peer.

    Attributes:
        modes: ways of writing names, a classifier each.
        minimum_documents: number of training documents that a word needs to be a feature.
        inverse_regularisation: C of scikit-learn's LogisticRegression.
    """

    modes: list[Mode]
    minimum_documents: Count
    inverse_regularisation: Positive


class Settings(Section):
    """The section `entity_documents` of params.yaml.

    Attributes:
        corpora: by name.
        public: a folder of data/vectors.
        seeds: of every network's trainings.
        variants: networks by name; `network` in params.yaml holds what they share.
        shown: words whose neighbours the report shows.
    """

    corpora: Annotated[dict[Name, Corpus], Field(min_length=1)]
    vectors: Glove
    public: str
    seeds: Seeds
    variants: Annotated[dict[Name, Recipe], Field(min_length=1), Overlays("network")]
    linear: Linear
    shown: list[str]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "entity_documents", values)
