"""The section `lexicons` of params.yaml."""

import re
from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator

from repline import parameters
from repline.lexicons.wordnet.subgraphs import subgraph
from repline.parameters import Section


class Constraints(Section):
    """Pairs of synonyms and antonyms: of the wordnet at `place`, or of files in it."""

    place: str
    synonyms: str | None = None
    antonyms: str | None = None
    language: str | None = None
    indirect_antonyms: bool = False


Graph = parameters.signature(subgraph, ("wordlist", "keep"))


def _plain(names: Iterable[str]) -> None:
    for name in names:
        if not re.fullmatch(r"[\w-]+", name):
            raise ValueError(f"a name should be of letters, digits, - and _, found {name!r}")


def _names_of_graphs(graphs: dict) -> dict:
    _plain(graphs)
    if taken := sorted({"wordnet", "constraints"} & set(graphs)):
        raise ValueError(f"data/lexicons/{taken[0]} is no graph; choose another name")
    return graphs


def _names_of_constraints(constraints: dict) -> dict:
    _plain(constraints)
    return constraints


class Settings(Section):
    """The whole section."""

    wordnet: str
    frequency: str
    graphs: Annotated[dict[str, Graph], AfterValidator(_names_of_graphs)]
    constraints: Annotated[dict[str, Constraints], AfterValidator(_names_of_constraints)]
