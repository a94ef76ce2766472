"""The section `context_parser` of params.yaml."""

from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from repline import parameters
from repline.parameters import Count, Name, NotNegative, Positive, Section, Values

NextTo = Literal["always", "mentioned"]
CONTEXT, UNI = "context", "uni"  # parsers trained with the context and without, in the names of folders


class Weights(NamedTuple):
    """Lambda, the weight of the context next to that of language: of original and of inferred relations."""

    original: float
    inferred: float


class Corpus(Section):
    """Sentences about scenes, and how they are dealt into folds.

    Attributes:
        corpus: a folder of data/, as `repline.corpora.scenes.scene_corpus` writes it.
        folds: how many.
        shipped: whether to take the folds that come with the data, as the authors trained on them; else the scenes are
            dealt out in their order, the last ones to the first fold, as the authors dealt them.
        scenes: only this many of the first ones; None for all.
    """

    corpus: str
    folds: Annotated[int, Field(ge=2)]
    shipped: bool = False
    scenes: Count | None = None


class Shipped(Corpus):
    """A corpus with predictions that the authors ship, in another folder of data/."""

    source: str


class Recipe(Section):
    """How a parser is trained.

    Attributes:
        c: the largest step of MIRA.
        epochs: passes over the sentences.
        next_to: of `repline.systems.context_parser.relations.context_of`.
    """

    c: Positive = 0.01
    epochs: Count = 1
    next_to: NextTo = "always"


class Setting(Section):
    """How gaps are filled: by which parser, with which weights of the context, and with whose triplets.

    Attributes:
        context: whether by the parser that was trained with the context.
        original, inferred: lambda of the relations that the scene has and of those that follow from them.
        shuffled: whether the triplets of each scene are shuffled before.
    """

    context: bool = True
    original: NotNegative = 0.0
    inferred: NotNegative = 0.0
    shuffled: bool = False

    @property
    def weights(self) -> Weights:
        """The weights lambda of original and of inferred relations."""
        return Weights(self.original, self.inferred)


class Settings(Section):
    """The section `context_parser` of params.yaml.

    Attributes:
        corpora: by name; the report's headline is measured on the first one.
        parser: how all parsers are trained.
        settings: by name.
        seed: of shuffled triplets.
        authors: predictions that the authors ship, by name.
    """

    corpora: Annotated[dict[Name, Corpus], Field(min_length=1)]
    parser: Recipe
    settings: Annotated[dict[Name, Setting], Field(min_length=1)]
    seed: Annotated[int, Field(ge=0)]
    authors: dict[Name, Shipped]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "context_parser", values)
