"""The section `lexicons` of params.yaml."""

import re
from typing import Annotated

from pydantic import AfterValidator

from repline import parameters
from repline.lexicons.recipes import Constraints, Subgraph
from repline.parameters import Section, Values

TAKEN = ("wordnet", "constraints")  # folders of data/lexicons that are no graphs


def _is_folder_name(name: str) -> str:
    if not re.fullmatch(r"[\w-]+", name):
        raise ValueError(f"a name should be of letters, digits, - and _, found {name!r}")
    return name


def _is_free(name: str) -> str:
    if name in TAKEN:
        raise ValueError(f"data/lexicons/{name} is no graph; choose another name")
    return name


FolderName = Annotated[str, AfterValidator(_is_folder_name)]
GraphName = Annotated[FolderName, AfterValidator(_is_free)]


class Settings(Section):
    """The section `lexicons` of params.yaml.

    Attributes:
        wordnet: a folder of data/, in XML or WNDB.
        frequency: a folder of data/ with words, the most frequent first, for graphs that are selected by frequency.
        graphs: of words, by the names of folders in data/lexicons.
        constraints: pairs of synonyms and antonyms, by the names of folders in data/lexicons/constraints.
    """

    wordnet: str
    frequency: str
    graphs: dict[GraphName, Subgraph]
    constraints: dict[FolderName, Constraints]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "lexicons", values)
