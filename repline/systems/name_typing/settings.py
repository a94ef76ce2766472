"""The section `name_typing` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field, field_validator

from repline import parameters
from repline.errors import InputError
from repline.parameters import Section, Seeds, nearest
from repline.systems.name_typing.named_vectors import Control, Sizes
from repline.systems.name_typing.order_aware import order_aware
from repline.systems.name_typing.training import Logistic, Perceptron
from repline.vectors.recipes import Word2Vec

GIVEN = ("progress",)
BY_GENSIM = {"skip": "skip-gram", "cbow": "cbow"}  # by the paper's names; the others are of `order_aware`


class Embeddings(Section):
    """The word vectors that are trained: a corpus in data/, what they share, and by name what differs.

    `model` of each is skip, cbow, sskip or cwin.
    """

    corpus: str
    training: dict[str, Any]
    models: dict[str, dict[str, Any]]


class Space(Section):
    """One vector space: vectors in data/, and which controls are trained beside them."""

    vectors: str
    controls: list[Control] = Field(default_factory=list)


class Settings(Section):
    """The whole section.

    Attributes:
        labels: a label set in data/.
        sizes: names of each split.
        least_group: groups of names by their number of types are shown with more members than this.
        seeds: of the perceptrons; those of controls are trained with the first one.
        spaces: by name; each is trained and measured apart.
    """

    labels: str
    sizes: Sizes
    least_group: Annotated[int, Field(ge=0)]
    embeddings: Embeddings
    seeds: Seeds
    lr: Logistic
    mlp: Perceptron
    mlp_shared: Perceptron
    spaces: Annotated[dict[str, Space], Field(min_length=1)]

    @field_validator("spaces")
    @classmethod
    def _names(cls, found: dict[str, Any]) -> dict[str, Any]:
        for name in found:
            if not name.isidentifier() or name in ("label_sets", "constants"):
                raise ValueError(f"a name should be a word like glove, and not label_sets or constants, found {name!r}")
        return found


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section; `values` as in `repline.parameters.load`. Raises InputError for any mistake in it."""
    settings = parameters.load(Settings, "name_typing", values)
    for name in settings.embeddings.models:
        embedding(settings, name)
    return settings


def embedding(settings: Settings, name: str) -> tuple[str, dict[str, Any]]:
    """The model of an entry of `embeddings.models`, and the arguments of what trains it.

    Raises:
        InputError: no such entry, or a mistake in it.
    """
    at, own = "name_typing.embeddings", settings.embeddings
    if name not in own.models:
        raise InputError(f"params.yaml: {at}.models has no entry {name!r}{nearest(name, own.models)}")
    arguments = own.training | own.models[name]
    model = arguments.pop("model", None)
    known = (*BY_GENSIM, "sskip", "cwin")
    if model not in known:
        raise InputError(f"params.yaml: {at}.models.{name}.model should be one of {', '.join(known)}, found {model!r}")
    kind = Word2Vec if model in BY_GENSIM else parameters.signature(order_aware, (*GIVEN, "architecture"))
    parameters.check(kind, arguments, f"{at}.models.{name}")
    return model, arguments | {"architecture": BY_GENSIM.get(model, model)}
