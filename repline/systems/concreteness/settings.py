"""The section `concreteness` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field

from repline import parameters
from repline.parameters import Count, Name, NotNegative, Positive, Section, Seeds, Share, Values
from repline.reading.settings import Reading
from repline.reading.wrong_records import OnError
from repline.training import recipes
from repline.training.recipes import CPU, Hardware

Regressor = Literal["svr", "svr_narrow", "svr_raw", "ridge", "frequency", "ffn"]


class Ratings(Reading):
    """Ratings of words by people, or what stands in for them; and how they are read.

    Attributes:
        place: a file or folder of data/ in any form that `repline.systems.concreteness.ratings.read_ratings` knows.
    """

    place: str


class Taxonomy(Section):
    """Nouns rated by their place in a wordnet.

    Attributes:
        wordnet: a folder of data/.
        words: most frequent words that are looked up; None for all.
    """

    wordnet: str
    words: Count | None


class Part(Section):
    """A part of the rated words that have a vector.

    Attributes:
        most: a random choice of this many, another one for each seed; None for all.
        methods: the regressors that are compared on it.
        seeds: of the choice, the folds and the networks.
    """

    most: Count | None
    methods: Annotated[list[Regressor], Field(min_length=1)]
    seeds: Seeds


class Coefficients(Section):
    """Linear models whose coefficients are looked at.

    Attributes:
        most: rated words that they are fitted on; None for all.
        seed: of the choice.
    """

    most: Count | None
    seed: Annotated[int, Field(ge=0)] = 0


class SupportVectors(Section):
    """Support vector regression, see `repline.systems.concreteness.regressors.support_vectors`.

    Attributes:
        gamma: of the kernel; None for 1 / d; the paper has 0.003 for d = 300.
        c: weight of the errors.
        epsilon: errors that cost nothing, in the unit of the (standardised) ratings; not stated in the paper.
    """

    gamma: Positive | None = None
    c: Positive = 1.0
    epsilon: NotNegative = 0.1


class Recipe(recipes.Recipe):
    """Training of the feed-forward networks.

    Attributes:
        dropout: of `repline.systems.concreteness.regressors.RatingNetworks`.
        epochs, batch: 50 and 32 in the paper.
        learning_rate: of Adam; the optimiser is not stated in the paper.
    """

    dropout: Share = 0.5
    epochs: Count = 50
    batch: Count = 32
    learning_rate: Positive = 0.001
    hardware: Hardware = CPU


class Across(Section):
    """Transfer into a second language.

    Attributes:
        name: of the results.
        source, ratings: ratings of words in the first and in the second language, places in data/.
        most: rated words of the source; None for all.
        vectors: of the second language, a place in data/.
        dictionary: from the first language into the second.
        concepts: a dictionary: which source words mean the same as test words.
        disjoint: whether the regressors are not fitted on these.
        pairs: word pairs that a map is learned from.
        frequent: words of each language that the unsupervised and the self-learned map look at.
        search: words of each language among which translations are searched.
        dropout: of the networks, in place of the recipe's.
        on_error: stop at a wrong line of ratings and dictionaries; or salvage: leave it out, noted beside the maps.
        encoding: of these where they have no byte order mark.
    """

    name: Name
    source: str
    most: Count | None
    vectors: str
    ratings: str
    dictionary: str
    concepts: str
    disjoint: bool
    pairs: Annotated[list[Count], Field(min_length=1)]
    frequent: Count
    search: Count
    dropout: Share
    on_error: OnError = "stop"
    encoding: str = "utf-8"


class Language(Section):
    """An artificial second language, see `repline.systems.concreteness.artificial_language.make_language`.

    Attributes:
        words: most frequent words of the vectors that it has; None for all.
        noise: of the vectors, in standard deviations; 0 makes the two spaces the same except for the rotation.
        translated: share of the words that the dictionary has.
        second: share of those that have a second translation, the word of a near neighbour.
        agreement: correlation of a rating in one language with that of the same concept in the other; English ratings
            by two groups of people correlate at 0.92.
        rated: how many words are rated, at most; a random choice.
        seed: of everything.
    """

    words: Count | None = None
    noise: NotNegative = 0.5
    translated: Annotated[float, Field(ge=0, le=1)] = 0.8
    second: Annotated[float, Field(ge=0, le=1)] = 0.3
    agreement: Annotated[float, Field(gt=0, le=1)] = 0.92
    rated: Count = 2000
    seed: Annotated[int, Field(ge=0)] = 0


class Lexicon(Section):
    """Predictions for words without ratings.

    Attributes:
        ratings: a place in data/.
        words: most frequent words that are rated; None for all.
        most: rated words that the model is fitted on; None for all.
    """

    ratings: str
    words: Count | None
    most: Count | None


class Settings(Section):
    """The section `concreteness` of params.yaml.

    Attributes:
        vectors: of words, a place in data/, most frequent words first.
        ratings: by name.
        folds: of cross-validation.
        shuffles: of the randomisation test.
        parts: of the rated words, by name.
        svr, ffn: how support vectors and networks are fitted, in every part and across languages.
    """

    vectors: str
    ratings: Annotated[dict[Name, Ratings], Field(min_length=1)]
    taxonomy: Taxonomy
    folds: Annotated[int, Field(ge=2)]
    shuffles: Count
    parts: Annotated[dict[Name, Part], Field(min_length=1)]
    coefficients: Coefficients
    svr: SupportVectors
    ffn: Recipe
    across: Across
    language: Language
    lexicon: Lexicon


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "concreteness", values)
