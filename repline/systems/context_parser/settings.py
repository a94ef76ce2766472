"""The section `context_parser` of params.yaml."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.parameters import NotNegative, Section
from repline.systems.context_parser.corpus import Fold, read_folds
from repline.systems.context_parser.model import Weights
from repline.systems.context_parser.training import train

AT = "context_parser"
UNI = "uni"  # the parser trained without the context, in the names of models


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
        """Both lambdas."""
        return Weights(self.original, self.inferred)


class Source(Section):
    """Where the sentences of a corpus come from: a folder of data/."""

    corpus: str


class Shipped(Source):
    """Where predictions that the authors ship come from, too."""

    source: str


class Settings(Section):
    """The whole section.

    Attributes:
        corpora: by name, the knobs of `read_folds` and `corpus`; the report's headline is measured on the first one.
        parser: the knobs of `train` besides `context`.
        settings: by name.
        seed: of shuffled triplets.
        authors: by name, the same knobs and `source`, a folder of data/ with predictions that the authors ship.
    """

    corpora: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    parser: dict[str, Any]
    settings: Annotated[dict[str, Setting], Field(min_length=1)]
    seed: Annotated[int, Field(ge=0)]
    authors: dict[str, dict[str, Any]]


def folds_of(knobs: Mapping[str, Any]) -> list[Fold]:
    """The folds of an entry of `corpora` or `authors`; InputError as in `read_folds`."""
    of_folds = {key: value for key, value in knobs.items() if key not in Shipped.model_fields}
    return read_folds(Path("data") / knobs["corpus"], **of_folds)


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section of params.yaml, its corpora and its parser checked; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    parameters.variants(parameters.signature(read_folds, base=Source), {}, settings.corpora, AT, "corpora")
    parameters.variants(parameters.signature(read_folds, base=Shipped), {}, settings.authors, AT, "authors")
    parameters.bind(train, settings.parser, f"{AT}.parser", given=("context", "progress"))
    for key in ("corpora", "settings", "authors"):
        for name in getattr(settings, key):
            if not name.isidentifier():
                raise InputError(f"params.yaml: {AT}.{key}: expected a name like context_5, found {name!r}")
    return settings
