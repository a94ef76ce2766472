"""Read, split and scale one graph: `python -m stages.knowledge_graphs.prepare geonames`.

data/<place> -> data/corpora/<name>
"""

from repline.graphs.graph_corpus import build
from repline.graphs.recipes import GraphSettings
from repline.parameters import load, read, section
from stages import run
from stages.argument import argument
from stages.folders import CORPORA


def main() -> None:
    graphs = section(read(), "knowledge_graphs")
    name = argument("the name of a graph", graphs)
    section_name = f"knowledge_graphs.{name}"
    folder = CORPORA / name
    card = build(folder, load(GraphSettings, section_name), section_name)
    print(f"{folder}: " + ", ".join(f"{count} {what}" for what, count in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
