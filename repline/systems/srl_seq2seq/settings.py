"""The section `srl_seq2seq` of params.yaml."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.parameters import Count, Section, Seeds
from repline.systems.srl_seq2seq.corpus import write_data
from repline.systems.srl_seq2seq.evaluation import Ranges
from repline.systems.srl_seq2seq.training import Recipe

AT = "srl_seq2seq"


class Variant(Recipe):
    """What differs from the shared training, and of how many of the seeds; None for all."""

    runs: Count | None = None


class Source(Section):
    """What each corpus has besides the parameters of `write_data`.

    Attributes:
        roles: a corpus of semantic roles, a folder of data/.
        agent, patient: labels of the baseline of noun chunks.
        shown: labels whose spans are counted one by one.
        ranges: of lengths, distances and positions.
        seeds, recipe: of this corpus, where they differ from those of the section.
    """

    roles: str
    agent: str
    patient: str
    shown: list[str]
    ranges: Ranges
    seeds: Seeds | None = None
    recipe: Mapping[str, Any] = {}


class Settings(Section):
    """The whole section.

    Attributes:
        vectors: of words, a folder of data/.
        corpora: by name, `Source` and the knobs of `write_data`.
        training: what all variants share. variants: by name, what differs.
    """

    vectors: str
    corpora: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    training: dict[str, Any]
    seeds: Seeds
    variants: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section of params.yaml, its corpora and variants checked; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    model = parameters.signature(write_data, ("roles", "vectors", "folder"), Source)
    parameters.variants(model, {}, settings.corpora, AT, "corpora")
    for name in (*settings.corpora, *settings.variants):
        if not name.isidentifier():
            raise InputError(f"params.yaml: {AT}: expected a name like without_attention, found {name!r}")
    for name in settings.corpora:
        recipes(settings, name)
    return settings


def source(settings: Settings, corpus: str) -> Source:
    """What a corpus has besides the parameters of `write_data`."""
    own = {key: value for key, value in settings.corpora[corpus].items() if key in Source.model_fields}
    return parameters.check(Source, own, f"{AT}.corpora.{corpus}")


def recipes(settings: Settings, corpus: str) -> dict[str, dict[str, Any]]:
    """The parameters of each variant's training on a corpus, and its `runs` where it has some."""
    shared = settings.training | dict(source(settings, corpus).recipe)
    return parameters.variants(Variant, shared, settings.variants, AT)


def seeds(settings: Settings, corpus: str, variant: str) -> list[int]:
    """Of the trainings of a variant on a corpus."""
    own = source(settings, corpus).seeds or settings.seeds
    return own[: settings.variants[variant].get("runs")]
