"""The section `scenes` of params.yaml."""

from repline import parameters
from repline.corpora.scenes.recipes import SceneCorpus
from repline.parameters import Section, Values


class Stated(Section):
    """Sentences or captions, a folder of data/, whose triplets are extracted."""

    source: str


class Settings(Section):
    """The section `scenes`: corpora and stated are folders of data/corpora by their names."""

    corpora: dict[str, SceneCorpus]
    stated: dict[str, Stated]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "scenes", values)
