"""data/lexicons/wordnet -> data/lexicons/NAME: one graph of words of params lexicons.graphs."""

from pathlib import Path

from repline.cards import read_card
from repline.lexicons.word_lists import read_word_list
from repline.lexicons.wordnet import storage as wordnet_files
from repline.lexicons.wordnet.subgraphs import subgraph, write_subgraph
from repline.parameters import arguments, load
from repline.sources.card import raw_files, read_source_card
from stages import run
from stages.argument import argument
from stages.lexicons.settings import Settings

WORDNET = Path("data/lexicons/wordnet")


def main() -> None:
    settings = load(Settings, "lexicons")
    name = argument("the name of a graph of lexicons.graphs", settings.graphs)
    options = arguments(settings.graphs[name])
    sources = [read_card(WORDNET)]
    words: list[str] = []
    if options.get("selection") == "frequency":
        sources.append(read_source_card(Path("data") / settings.frequency))
        words = read_word_list(raw_files(Path("data") / settings.frequency)[0])
    tables = subgraph(wordnet_files.load(WORDNET), wordlist=words, **options)
    card = write_subgraph(
        Path("data/lexicons") / name, tables, licence=sources[0]["licence"], sources=sources, parameters=options
    )
    print(f"data/lexicons/{name}: {card['counts']['words']} words, {card['counts']['related_pairs']} related pairs")


if __name__ == "__main__":
    run(main)
