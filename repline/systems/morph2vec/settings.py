"""The section `morph2vec` of params.yaml."""

from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import Field, model_validator

from repline import parameters
from repline.parameters import Count, Name, NotNegative, Overlays, Positive, Section, Seeds, Share, Values, nearest
from repline.reading.settings import Reading
from repline.training import recipes
from repline.vectors.recipes import FastText, Word2Vec

Encoder = Literal["bilstm", "bag", "attentive"]
Mixing = Literal["attention", "average", "first"]


class Preparation(Section):
    """How the candidate segmentations of words are found, and which words are held out.

    Attributes:
        language: of the words.
        threshold: of the cosines of a chain; None for what 97.5 % of random pairs of words stay below.
        segments: K, most morphs of a candidate.
        keep: S, most candidates of a word.
        shortest: letters of a stem, at least.
        held_out: how many of the words with a split training does not see.
        seed: chooses them.
    """

    language: str
    threshold: float | None
    segments: Count
    keep: Count
    shortest: Count
    held_out: Count
    seed: int


class Space(Preparation, Reading):
    """Word vectors and the candidates of their words; how segmentations are read. All paths are relative to data/.

    Attributes:
        vectors: of words, in any format of `repline.vectors.formats`.
        words: this many of the most frequent ones; None for all.
        segmentations: files whose morphs take the place of candidates found by the vectors; empty: by the vectors.
        inputs: two or three folders that hold the files of the tests.
        subwords: vectors that also have the tested words, made of their n-grams.
    """

    vectors: str
    words: Count | None
    segmentations: list[str]
    inputs: Annotated[list[str], Field(min_length=2, max_length=3)]
    subwords: str


class Recipe(recipes.Recipe):
    """One training of a composition.

    Attributes:
        embedding: dimensions of a morph.
        units: of each LSTM.
        encoder, mixing, dropout: of `repline.systems.morph2vec.model.Morph2Vec`.
        weight_decay: λ of (λ/2) Σ θ².
        logit_penalty: of the mean absolute logit of the attention, as in the authors' program.
        dev: share of the words with a split that are not trained on, and whose cosine says which epoch is best.
    """

    embedding: Count
    units: Count
    encoder: Encoder
    mixing: Mixing
    dropout: Share
    weight_decay: NotNegative
    logit_penalty: NotNegative
    dev: Share = 0.0


class Model(Recipe):
    """A variant: a recipe, the space whose words it learns from, and seeds of its own where it has them."""

    space: str
    seeds: Seeds | None = None

    @property
    def recipe(self) -> Recipe:
        """The recipe of the model."""
        return Recipe(**{name: getattr(self, name) for name in Recipe.model_fields})


class Tests(Section):
    """Tests of the models of a space: files in data/ by the names of the tests.

    Attributes:
        similarity, analogies: of words.
        gold: segmentations.
        allomorphs: a labelled segmentation.
        supervised: a segmentation that the words of the tests are also composed of.
        printed: whether the paper's printed examples are measured.
    """

    similarity: dict[str, str] = Field(default_factory=dict)
    analogies: dict[str, str] = Field(default_factory=dict)
    gold: dict[str, str] = Field(default_factory=dict)
    allomorphs: str | None = None
    supervised: str | None = None
    printed: bool = False


class Text(Section):
    """Running text that vectors are trained on. Its words are in lower case.

    Attributes:
        sources: three places in data/.
        tested: two folders of data/ that hold the files of the tests in this language.
        language: for the lower case.
        word2vec: how word2vec is trained; fastText, too, except for what `fasttext` has.
    """

    sources: Annotated[list[str], Field(min_length=3, max_length=3)]
    tested: Annotated[list[str], Field(min_length=2, max_length=2)]
    language: str
    word2vec: Word2Vec
    fasttext: FastText

    @property
    def word2vec_recipe(self) -> Word2Vec:
        """How word2vec is trained on words that are in lower case already."""
        return self.word2vec.model_copy(update={"lower": False})

    @property
    def fasttext_recipe(self) -> FastText:
        """How fastText is trained on words that are in lower case already."""
        layers = {"morph2vec.texts: word2vec": self.word2vec, "morph2vec.texts: fasttext": self.fasttext}
        return parameters.overlaid(FastText, layers).model_copy(update={"lower": False})


class Ridge(Section):
    """The baseline on n-grams of characters: their lengths, the words that an n-gram needs, the penalty."""

    shortest: Count
    longest: Count
    least: Count
    penalty: Positive


class Export(Section):
    """Vectors for `data/vectors/<name>`: a model, and a file of words in data/, one a line."""

    model: str
    words: str


class Settings(Section):
    """The section `morph2vec` of params.yaml.

    Attributes:
        texts, spaces: by name.
        seeds: of every model's trainings that has none of its own.
        models: by name; `training` in params.yaml holds what they share.
        tests: by the name of a space.
        ridge: the baseline.
        exports: by the name of a folder in data/vectors.
    """

    texts: dict[Name, Text]
    spaces: Annotated[dict[Name, Space], Field(min_length=1)]
    seeds: Seeds
    models: Annotated[dict[Name, Model], Field(min_length=1), Overlays("training")]
    tests: dict[str, Tests]
    ridge: Ridge
    exports: dict[str, Export]

    @model_validator(mode="after")
    def _names_of_what_there_is(self) -> "Settings":
        named: list[tuple[str, str, Collection[str]]]
        named = [(f"models.{name}.space", model.space, self.spaces) for name, model in self.models.items()]
        named += [(f"tests.{space}", space, self.spaces) for space in self.tests]
        named += [(f"exports.{name}.model", export.model, self.models) for name, export in self.exports.items()]
        for key, name, names in named:
            if name not in names:
                what = "model" if names is self.models else "space"
                raise ValueError(f"{key}: there is no {what} {name!r}{nearest(name, names)}")
        return self

    def models_of(self, space: str) -> dict[str, Model]:
        """The models of one space by their names."""
        return {name: model for name, model in self.models.items() if model.space == space}

    def seeds_for(self, model: str) -> Seeds:
        """The seeds of one model's trainings."""
        return self.models[model].seeds or self.seeds

    def tests_in(self, language: str) -> list[Tests]:
        """The tests of the spaces of one language."""
        return [tests for space, tests in self.tests.items() if self.spaces[space].language == language]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "morph2vec", values)
