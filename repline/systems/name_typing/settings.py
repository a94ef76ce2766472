"""The section `name_typing` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from repline import parameters
from repline.parameters import Count, Name, Overlays, Positive, Section, Seeds, Values
from repline.training import recipes
from repline.vectors.recipes import Word2Vec

Classifier = Literal["lr", "mlp", "mlp_shared"]
Control = Literal["given", "random", "permuted"]
NOT_SPACES = ("label_sets", "constants")  # of the metrics


class Sizes(Section):
    """The first N names with a vector of each split are used; None for all."""

    train: Count | None = None
    dev: Count | None = None
    test: Count | None = None


class Embedding(Word2Vec):
    """Word vectors of a corpus.

    Attributes:
        ordered: an output for each place in the window: SSKIP is the ordered skip-gram, CWIN the ordered CBOW.
        dimensions, window, negative, ...: of `repline.vectors.recipes.Word2Vec`.
    """

    ordered: bool = False

    def word2vec(self) -> Word2Vec:
        """The recipe without regard to order."""
        return Word2Vec(**self.model_dump(exclude={"ordered"}))


class Embeddings(Section):
    """The word vectors that are trained.

    Attributes:
        corpus: a folder of data/.
        models: by name; `training` in params.yaml holds what they share.
    """

    corpus: str
    models: Annotated[dict[Name, Embedding], Overlays("training")]


class Logistic(Section):
    """Logistic regression: the penalty with the best micro-F1 on dev at 0.5 is taken."""

    l2: Annotated[list[Positive], Field(min_length=1)]


class Perceptron(recipes.Recipe):
    """Perceptrons: hidden units of each type's (or of the shared layer), chosen as the penalty of LR is."""

    hidden: Annotated[list[Count], Field(min_length=1)]


class Classifiers(Section):
    """How each classifier is trained."""

    lr: Logistic
    mlp: Perceptron
    mlp_shared: Perceptron


class Space(Section):
    """A space of word vectors in which names are typed.

    Attributes:
        vectors: a folder of data/.
        controls: vectors that classifiers are trained on in addition to the given ones.
    """

    vectors: str
    controls: list[Control] = Field(default_factory=list)

    @property
    def with_given(self) -> list[Control]:
        """The given vectors and the controls."""
        return ["given", *self.controls]


class Settings(Section):
    """The section `name_typing` of params.yaml.

    Attributes:
        labels: a label set, a folder of data/.
        sizes: names of each split.
        least_group: a group of names with the same number of types is shown only if it has more members.
        seeds: of the perceptrons; those of controls are trained with the first one.
        spaces: by name; each is trained and measured apart.
    """

    labels: str
    sizes: Sizes
    least_group: Annotated[int, Field(ge=0)]
    embeddings: Embeddings
    seeds: Seeds
    classifiers: Classifiers
    spaces: Annotated[dict[Name, Space], Field(min_length=1)]

    @field_validator("spaces")
    @classmethod
    def _not_reserved(cls, spaces: dict[str, Space]) -> dict[str, Space]:
        for name in NOT_SPACES:
            if name in spaces:
                raise ValueError(f"a space should have another name than {' and '.join(NOT_SPACES)}, found {name!r}")
        return spaces

    def seeds_for(self, classifier: str, control: Control) -> Seeds:
        """The seeds of one classifier; the loss of LR has one minimum, whatever the seed."""
        if classifier == "lr":
            return [0]
        return self.seeds if control == "given" else self.seeds[:1]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "name_typing", values)
