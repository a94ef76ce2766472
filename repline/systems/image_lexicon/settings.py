"""The section `image_lexicon` of params.yaml."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.parameters import Section
from repline.systems.image_lexicon.translation import translate

AT = "image_lexicon"


class Run(Section):
    """Where the pictures and the words of a run are: folders of data/."""

    features: str
    lists: str


class Settings(Section):
    """The whole section.

    Attributes:
        wordnet: a folder of data/, whose synsets are counted.
        methods: what all runs share, the knobs of `translate`.
        runs: by name, the fields of `Run`, and knobs that differ.
    """

    wordnet: str
    methods: dict[str, Any]
    runs: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]


def read(values: Mapping[str, Any] | None = None) -> tuple[Settings, dict[str, dict[str, Any]]]:
    """The section, and all parameters of each run by its name; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    for name in settings.runs:
        if not name.isidentifier():
            raise InputError(f"params.yaml: {AT}.runs: expected a name like my_pictures, found {name!r}")
    parameters.check(parameters.signature(translate, ("progress",)), settings.methods, f"{AT}.methods")
    model = parameters.signature(translate, ("progress",), Run)
    return settings, parameters.variants(model, settings.methods, settings.runs, AT, "runs")
