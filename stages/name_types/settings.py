"""The section `name_types` of params.yaml."""

from collections.abc import Mapping
from typing import Any

from repline import parameters
from repline.corpora.freebase.dumps import write_dump
from repline.corpora.freebase.label_sets import write_label_set
from repline.corpora.freebase.named_instances import write_instances
from repline.parameters import Section

AT = "name_types"
INSTANCES = "data/corpora/named_instances"


class Dump(Section):
    """What each dump has besides the parameters of the function: a folder of data/, or a file in it."""

    source: str


class Labels(Section):
    """What each label set has besides the parameters of the function: names by types, and frequencies, in data/."""

    source: str
    frequencies: str


class Settings(Section):
    """The section. Dumps and label sets are folders of data/corpora by their names."""

    dumps: dict[str, dict[str, Any]]
    instances: parameters.signature(write_instances)
    labels: dict[str, dict[str, Any]]


def load(values: Mapping[str, Any] | None = None) -> Settings:
    """The section; InputError on a mistake in it."""
    return parameters.load(Settings, AT, values)


def dumps(settings: Settings) -> dict[str, dict[str, Any]]:
    """The arguments of `write_dump`, and `source`, of each dump; InputError on a mistake."""
    given = ("scratch", "processes", "executor", "progress")
    model = parameters.signature(write_dump, given=given, base=Dump)
    return parameters.variants(model, {}, settings.dumps, AT, "dumps")


def labels(settings: Settings) -> dict[str, dict[str, Any]]:
    """The arguments of `write_label_set`, and `source`, of each label set; InputError on a mistake."""
    model = parameters.signature(write_label_set, given=("frequencies",), base=Labels)
    return parameters.variants(model, {}, settings.labels, AT, "labels")
