"""data/lexicons/wordnet -> data/lexicons/NAME: one graph of words of params lexicons.graphs."""

import sys
from pathlib import Path

from repline import parameters
from repline.cards import read_card
from repline.corpora.unigrams import read_unigrams
from repline.errors import InputError
from repline.lexicons import wordnet
from repline.lexicons.wordnet_subgraphs import subgraph, write_subgraph
from repline.sources import raw_files, read_source_card
from stages import run
from stages.lexicons.settings import check

WORDNET = Path("data/lexicons/wordnet")


def main() -> None:
    settings = check(parameters.read())
    graphs = {graph["name"]: graph for graph in settings["graphs"]}
    if len(sys.argv) != 2 or sys.argv[1] not in graphs:
        raise InputError(f"expected the name of a graph of lexicons.graphs, one of: {', '.join(graphs)}")
    name = sys.argv[1]
    options = {key: value for key, value in graphs[name].items() if key != "name"}
    sources = [read_card(WORDNET)]
    words: list[str] = []
    if options.get("selection") == "frequency":
        sources.append(read_source_card(Path("data") / settings["frequency"]))
        words = most_frequent(Path("data") / settings["frequency"])
    tables = subgraph(wordnet.load(WORDNET), wordlist=words, **options)
    card = write_subgraph(
        Path("data/lexicons") / name, tables, licence=sources[0]["licence"], sources=sources, parameters=options
    )
    print(f"data/lexicons/{name}: {card['counts']['words']} words, {card['counts']['related_pairs']} related pairs")


def most_frequent(folder: Path) -> list[str]:
    """The words of a raw folder with a list of counts, most frequent first; equal ones stay in order."""
    table = read_unigrams(raw_files(folder)[0])
    return table.sort_by([("count", "descending")])["word"].to_pylist()


if __name__ == "__main__":
    run(main)
