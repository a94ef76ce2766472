"""The section `morph2vec` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.parameters import Count, Section, Seeds
from repline.systems.morph2vec.corpus import Preparation
from repline.systems.morph2vec.training import Recipe
from repline.vectors.recipes import FastText, Word2Vec

GIVEN = ("column", "lower", "keep", "progress", "unseen")


class Space(Preparation):
    """Word vectors and the candidates of their words: the fields besides those of `Preparation`.

    All are places in data/. `segmentations` are files whose morphs take the place of candidates found by the vectors
    (an empty list: by the vectors). `subwords` are vectors that also have the tested words, made of their n-grams.
    """

    vectors: str
    words: Count | None
    segmentations: list[str]
    inputs: Annotated[list[str], Field(min_length=2, max_length=3)]
    subwords: str


class Model(Recipe):
    """A training: the space whose words it learns from, its recipe, and seeds of its own where it has them."""

    space: str
    seeds: Seeds | None = None


class Tests(Section):
    """What the models of a space are tested on: files in data/ by the names of the tests.

    similarity, analogies; gold: segmentations; allomorphs: a labelled segmentation; supervised: a segmentation that the
    words of the tests are composed of besides; printed: the paper's printed examples.
    """

    similarity: dict[str, str] = Field(default_factory=dict)
    analogies: dict[str, str] = Field(default_factory=dict)
    gold: dict[str, str] = Field(default_factory=dict)
    allomorphs: str | None = None
    supervised: str | None = None
    printed: bool = False


class Text(Section):
    """Running text that vectors are trained on: three places in data/, and their language.

    `tested` are two folders of data/ that hold the files of the tests in this language.

    The parameters of word2vec are shared by fastText, which has those of `fasttext` besides.
    """

    sources: Annotated[list[str], Field(min_length=3, max_length=3)]
    tested: Annotated[list[str], Field(min_length=2, max_length=2)]
    language: str
    word2vec: Word2Vec
    fasttext: dict[str, Any]


class Ridge(Section):
    """The baseline on n-grams of characters: their lengths, the words that an n-gram needs, the penalty."""

    shortest: Count
    longest: Count
    least: Count
    penalty: parameters.Positive


class Export(Section):
    """Vectors for data/vectors/<name>: a model, and a file of words in data/, one a line."""

    model: str
    words: str


class Settings(Section):
    """The whole section."""

    texts: dict[str, Text]
    spaces: Annotated[dict[str, Space], Field(min_length=1)]
    seeds: Seeds
    training: dict[str, Any]
    models: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    tests: dict[str, Tests]
    ridge: Ridge
    exports: dict[str, Export]


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section, checked; `values` as in `repline.parameters.load`."""
    return parameters.load(Settings, "morph2vec", values)


def space_of(settings: Settings, name: str) -> Space:
    """A space by its name; InputError for a name that is not there."""
    _check(name, settings.spaces, "spaces")
    return settings.spaces[name]


def models_of(settings: Settings, space: str | None = None) -> dict[str, Model]:
    """The trainings by their names, those of one space or all, each with the parameters that all share.

    Raises:
        InputError: a mistake in one of them.
    """
    checked = parameters.variants(Model, settings.training, settings.models, "morph2vec.training", "models")
    found = {name: Model.model_validate(values) for name, values in checked.items()}
    for one in found.values():
        _check(one.space, settings.spaces, "spaces")
    return {name: one for name, one in found.items() if space in (None, one.space)}


def fasttext_options(text: Text) -> dict[str, Any]:
    """The parameters of fastText: those of word2vec, and its own."""
    values = parameters.arguments(text.word2vec) | text.fasttext
    parameters.check(FastText, values, "morph2vec.texts: fasttext")
    return values


def _check(name: str, known: dict[str, Any], what: str) -> None:
    if name not in known:
        raise InputError(f"params.yaml: morph2vec.{what} has no {name!r}{parameters.nearest(name, known)}")
