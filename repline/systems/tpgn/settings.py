"""The section `tpgn` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.parameters import Count, Section, Seeds
from repline.systems.tpgn.evaluation import Analysis, Decoding
from repline.systems.tpgn.training import Network, Recipe

COMPARED = ("tpgn", "lstm")


class Settings(Section):
    """The whole section.

    Attributes:
        captions: a folder of data/, a corpus of captions.
        vectors: a folder of data/, for the models that start with vectors of words from elsewhere.
        minimum_count, longest: of `corpus.prepare`.
        models: by name; `tpgn` and `lstm` are the two that claims compare.
    """

    captions: str
    vectors: str
    minimum_count: Count
    longest: Count
    training: Recipe
    seeds: Seeds
    models: Annotated[dict[str, Network], Field(min_length=1)]
    decoding: Decoding
    analysis: Analysis


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section of params.yaml; InputError on a mistake."""
    settings = parameters.load(Settings, "tpgn", values)
    if settings.training.fixed_epochs > settings.training.epochs:
        raise InputError(
            f"params.yaml: tpgn.training.fixed_epochs should be at most epochs ({settings.training.epochs}), found "
            f"{settings.training.fixed_epochs}"
        )
    for name in settings.models:
        if not name.isidentifier():
            raise InputError(f"params.yaml: tpgn.models: expected a name like tpgn_tied, found {name!r}")
    if missing := [name for name in COMPARED if name not in settings.models]:
        raise InputError(f"params.yaml: tpgn.models: {' and '.join(missing)} missing, which all claims compare")
    return settings
