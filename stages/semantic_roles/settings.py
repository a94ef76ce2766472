"""The section `semantic_roles` of params.yaml."""

from repline import parameters
from repline.parameters import Section, Values
from repline.reading.settings import Reading


class Corpus(Reading):
    """One corpus, and how its files are read: `source` is a folder of data/ with files of roles."""

    source: str


class Settings(Section):
    """The section `semantic_roles`: corpora are folders of data/corpora by their names."""

    corpora: dict[str, Corpus]


def load(values: Values | None = None) -> dict[str, Corpus]:
    """Each corpus by its name; InputError on a mistake."""
    return parameters.load(Settings, "semantic_roles", values).corpora
