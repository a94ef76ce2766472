"""The section `definition_nli` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field

from repline import parameters
from repline.parameters import Count, Name, Overlays, Positive, Section, Seeds, Share, Values
from repline.reading.settings import Reading
from repline.training import recipes

Kind = Literal["esim", "bdn", "proposed"]
State = Literal["last", "ends"]


class Corpus(Reading):
    """The pairs, the dictionary and the vectors that a corpus is made of; and how a table of your own is read.

    Attributes:
        pairs: a corpus of labelled sentence pairs with three splits, a folder of data/.
        dictionary: a wordnet, a folder of data/; or your own table (.tsv).
        vectors: of words, a folder of data/.
        train: number of training pairs, the first ones; None for all.
        known_words: number of the most frequent words that keep their vectors; None for all that have one.
        counted: where frequency is counted: in the sentences, or in the definitions, too.
        spread: standard deviation of a random vector.
        base_forms, definitions, longest, stop_words: of `repline.lexicons.definitions.wordnet_definitions`.
    """

    pairs: str
    dictionary: str
    vectors: str
    train: Count | None = None
    known_words: Count | None = None
    counted: Literal["sentences", "both"] = "sentences"
    spread: Positive = 0.3
    base_forms: bool = True
    definitions: Count = 5
    longest: Count = 64
    stop_words: bool = True


class Recipe(recipes.Recipe):
    """A model and its training.

    Attributes:
        kind, weights, state, dropout: of `repline.systems.definition_nli.model.DefinitionNLI`.
        dictionary: the true one, or one whose definitions are shuffled among the headwords.
        headwords: number of headwords, the most frequent words; None for all.
        optimizer: adam, or adadelta with rho 0.9.
    """

    kind: Kind
    weights: Literal[1, 5, 7] = 7
    state: State = "last"
    dictionary: Literal["true", "shuffled"] = "true"
    headwords: Count | None = None
    dropout: Share
    optimizer: Literal["adam", "adadelta"] = "adam"


class Settings(Section):
    """The section `definition_nli` of params.yaml.

    Attributes:
        corpora: by name.
        seeds: of every variant's trainings.
        variants: recipes by name; `training` in params.yaml holds what they share.
    """

    corpora: Annotated[dict[Name, Corpus], Field(min_length=1)]
    seeds: Seeds
    variants: Annotated[dict[Name, Recipe], Field(min_length=1), Overlays("training")]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "definition_nli", values)
