"""The section `knowledge_graphs` of params.yaml."""

from repline.graphs.recipes import GraphSettings
from repline.parameters import Values, check, read, section

SECTION = "knowledge_graphs"


def load(values: Values | None = None) -> dict[str, GraphSettings]:
    """How each graph is read, split and scaled, by the name of its folder in data/corpora; InputError on a mistake."""
    graphs = section(read() if values is None else values, SECTION)
    return {name: check(GraphSettings, graph, f"{SECTION}.{name}") for name, graph in graphs.items()}
