"""Read, split and scale one graph: `python -m stages.knowledge_graphs.prepare geonames`.

data/<place> -> data/corpora/<name>
"""

from repline.graphs.graph_corpus import build
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.knowledge_graphs.settings import SECTION, load


def main() -> None:
    graphs = load()
    name = argument("the name of a graph", graphs)
    folder = CORPORA / name
    card = build(folder, graphs[name], f"{SECTION}.{name}")
    print(f"{folder}: " + ", ".join(f"{count} {what}" for what, count in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
