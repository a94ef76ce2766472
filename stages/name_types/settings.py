"""The section `name_types` of params.yaml."""

from repline import parameters
from repline.corpora.freebase.recipes import Dump, Instances, LabelSet
from repline.parameters import Section, Values


class Settings(Section):
    """The section `name_types` of params.yaml.

    Attributes:
        dumps, labels: by the names of folders in data/corpora.
        instances: for data/corpora/named_instances.
    """

    dumps: dict[str, Dump]
    instances: Instances
    labels: dict[str, LabelSet]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "name_types", values)
