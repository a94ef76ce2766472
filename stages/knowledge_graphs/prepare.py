"""One graph of the section `knowledge_graphs`: `python -m stages.knowledge_graphs.prepare geonames`.

data/<place> -> data/corpora/<name>
"""

from pathlib import Path

from repline.graphs.graph_corpus import GraphSettings, build
from repline.parameters import load, read, section
from stages import run
from stages.argument import argument


def main() -> None:
    graphs = section(read(), "knowledge_graphs")
    name = argument("the name of a graph", graphs)
    at = f"knowledge_graphs.{name}"
    card = build(Path("data/corpora") / name, load(GraphSettings, at), at)
    print(f"data/corpora/{name}: " + ", ".join(f"{count} {what}" for what, count in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
