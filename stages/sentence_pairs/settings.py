"""The section `sentence_pairs` of params.yaml."""

from collections.abc import Mapping
from typing import Any

from repline import parameters
from repline.corpora.sentence_pairs.pair_corpus import write_pairs
from repline.corpora.sentence_pairs.wordnet_inference import Made
from repline.parameters import Section

AT = "sentence_pairs"


class Source(Section):
    """What each corpus has besides the parameters of `write_pairs`."""

    source: str  # a folder of data/


class Settings(Section):
    """The section `sentence_pairs`: corpora are folders of data/corpora by their names."""

    corpora: dict[str, dict[str, Any]]


def corpora(values: Mapping[str, Any] | None = None) -> dict[str, dict[str, Any]]:
    """The arguments of `write_pairs`, and `source`, of each corpus; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    model = parameters.signature(write_pairs, base=Source)
    found = parameters.variants(model, {}, settings.corpora, AT, "corpora")
    for name, knobs in found.items():
        if knobs.get("made") is not None:
            knobs["made"] = parameters.check(Made, knobs["made"], f"{AT}.corpora.{name}.made")
    return found
