"""The section `transea` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.parameters import Section, Seeds
from repline.systems.transea.training import Training

Variants = dict[str, dict[str, Any]]


class Settings(Section):
    """The whole section; each training is checked when its variants are read.

    Attributes:
        training: the knobs of `Training` that all share.
        variants: by name, the knobs that differ.
        graphs: by the name of a folder of data/corpora, knobs, seeds and variants that differ on this graph, and which
            variants there are there (`only`).
    """

    seeds: Seeds
    training: dict[str, Any]
    variants: Annotated[Variants, Field(min_length=1)]
    graphs: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]


class OfGraph(Section):
    """What is not a knob of training under a graph's name."""

    seeds: Seeds | None = None
    variants: Variants = Field(default_factory=dict)
    only: Annotated[list[str], Field(min_length=1)] | None = None


def read(graph: str, values: dict[str, Any] | None = None) -> tuple[list[int], dict[str, Training]]:
    """The seeds, and the training of every variant by its name; `values` as in `repline.parameters.load`.

    Later ones win: `training`, the graph's knobs, the variant's, and those of the variant under the graph's name.

    Raises:
        InputError: any mistake in it, or a graph that is not named there.
    """
    settings = parameters.load(Settings, "transea", values)
    if graph not in settings.graphs:
        raise InputError(f"expected the name of a graph, one of: {', '.join(settings.graphs)}; found {graph!r}")
    own = dict(settings.graphs[graph])
    at = f"transea.graphs.{graph}"
    given = {key: own.pop(key) for key in OfGraph.model_fields if key in own}
    of_graph = parameters.check(OfGraph, given, at)
    found = {}
    names = list(dict.fromkeys([*settings.variants, *of_graph.variants]))
    for name in of_graph.only or []:
        if name not in names:
            raise InputError(f"params.yaml: {at}.only: there is no variant {name!r}{parameters.nearest(name, names)}")
    for name in of_graph.only or names:
        if not name.isidentifier():
            raise InputError(f"params.yaml: transea.variants: a name should be a word like transe, found {name!r}")
        changed = settings.variants.get(name, {}) | of_graph.variants.get(name, {})
        place = "transea.training" if not own.keys() | changed.keys() else f"{at} with variant {name}"
        found[name] = parameters.check(Training, settings.training | own | changed, place)
    return of_graph.seeds or settings.seeds, found
