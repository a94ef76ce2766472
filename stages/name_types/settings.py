"""The section `name_types` of params.yaml."""

from collections.abc import Mapping
from typing import Any

from repline import parameters
from repline.corpora.freebase.label_sets import write_label_set
from repline.corpora.freebase.named_instances import write_instances
from repline.parameters import Section

AT = "name_types"
INSTANCES = "data/corpora/named_instances"


class Labels(Section):
    """What each label set has besides the parameters of the function: names by types, and frequencies, in data/."""

    source: str
    frequencies: str


class Settings(Section):
    """The section. Label sets are folders of data/corpora by their names."""

    instances: parameters.signature(write_instances)
    labels: dict[str, dict[str, Any]]


def load(values: Mapping[str, Any] | None = None) -> Settings:
    """The section; InputError on a mistake in it."""
    return parameters.load(Settings, AT, values)


def labels(settings: Settings) -> dict[str, dict[str, Any]]:
    """The arguments of `write_label_set`, and `source`, of each label set; InputError on a mistake."""
    model = parameters.signature(write_label_set, given=("frequencies",), base=Labels)
    return parameters.variants(model, {}, settings.labels, AT, "labels")
