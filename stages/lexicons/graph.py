"""data/lexicons/wordnet -> data/lexicons/NAME: one graph of words of params lexicons.graphs."""

from repline.cards import read_card
from repline.lexicons.word_lists import read_word_list
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.subgraphs import subgraph, write_subgraph
from repline.reading.wrong_records import LeftOut
from repline.sources.card import raw_files, read_source_card
from stages import run
from stages.argument import argument
from stages.folders import DATA, LEXICONS
from stages.lexicons.settings import load


def main() -> None:
    settings = load()
    name = argument("the name of a graph of lexicons.graphs", settings.graphs)
    recipe = settings.graphs[name]
    wordnet = LEXICONS / "wordnet"
    sources, words, left_out = [read_card(wordnet)], [], LeftOut(recipe.on_error)
    if recipe.selection == "frequency":
        sources.append(read_source_card(DATA / settings.frequency))
        words = read_word_list(raw_files(DATA / settings.frequency)[0], **recipe.arguments(left_out))
    graph = subgraph(storage.load(wordnet), recipe, wordlist=words)
    card = write_subgraph(
        LEXICONS / name,
        graph,
        licence=sources[0]["licence"],
        sources=sources,
        parameters=recipe.model_dump(exclude_unset=True),
        left_out=left_out,
    )
    print(f"{LEXICONS / name}: {card['counts']['words']} words, {card['counts']['related_pairs']} related pairs")


if __name__ == "__main__":
    run(main)
