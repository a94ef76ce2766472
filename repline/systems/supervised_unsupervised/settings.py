"""The section `supervised_unsupervised` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.evaluation.sentences.protocol_settings import Protocol
from repline.parameters import Count, Section, Seeds
from repline.systems.supervised_unsupervised.corpus import write_data
from repline.systems.supervised_unsupervised.training import Recipe

AT = "supervised_unsupervised"
CONTROLS = "controls"  # of metrics.json, beside the variants


class Source(Section):
    """Folders of data/ that a corpus is made of: one or two corpora of sentence pairs, and vectors of words."""

    pairs: Annotated[list[str], Field(min_length=1, max_length=2)]
    vectors: str


class Variant(Recipe):
    """What trains one variant.

    Attributes:
        seeds: so many of the system's, from the first on; None for all.
    """

    seeds: Count | None = None


class Transfer(Protocol):
    """What the trained encoders are judged by.

    Attributes:
        sources: folders of data/ with tasks.
        tasks: their names; None for all that are there.
        variants: of which encoders are judged; None for all.
    """

    sources: Annotated[list[str], Field(min_length=3, max_length=6)]
    tasks: list[str] | None
    variants: list[str] | None


class Settings(Section):
    """The whole section.

    Attributes:
        corpora: by name, `Source` and the knobs of `write_data`.
        training: what all variants share.
        variants: by name, what differs, of `Variant`.
        transfer: how the trained encoders are judged, and on which tasks.
    """

    corpora: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    training: dict[str, Any]
    seeds: Seeds
    variants: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    transfer: Transfer


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section of params.yaml, its corpora and variants checked; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    model = parameters.signature(write_data, ("pairs", "vectors", "folder"), Source)
    parameters.variants(model, {}, settings.corpora, AT, "corpora")
    recipes(settings)
    for name in (*settings.corpora, *settings.variants):
        if not name.isidentifier() or name == CONTROLS:
            raise InputError(f"params.yaml: {AT}: expected a name like bi_ae, found {name!r}")
    for name in settings.transfer.variants or ():
        if name not in settings.variants:
            near = parameters.nearest(name, settings.variants)
            raise InputError(f"params.yaml: {AT}.transfer.variants: there is no variant {name!r}{near}")
    return settings


def recipes(settings: Settings) -> dict[str, dict[str, Any]]:
    """The parameters of each variant's training."""
    found = parameters.variants(Variant, settings.training, settings.variants, AT)
    return {name: {knob: value for knob, value in values.items() if knob != "seeds"} for name, values in found.items()}


def seeds_of(settings: Settings, variant: str) -> list[int]:
    """The seeds that a variant is trained with."""
    return settings.seeds[: settings.variants[variant].get("seeds")]
