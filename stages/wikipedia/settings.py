"""The section `wikipedia` of params.yaml."""

from typing import Literal

from repline import parameters
from repline.corpora.wikipedia.recipes import Extraction
from repline.parameters import Values

Executor = Literal["processes", "dask"]


class Settings(Extraction):
    """The section `wikipedia` of params.yaml.

    Attributes:
        source: a folder of data/raw with one dump.
        entities: whether names are recognised where spaCy annotates: the column `entity` of the sentences.
        executor: what the stages compute on, see `stages.wikipedia.executor`.
    """

    source: str
    entities: bool = True
    executor: Executor = "processes"


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "wikipedia", values)
