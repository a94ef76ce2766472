"""data/<lexicons.wordnet> -> data/lexicons/wordnet: synsets with lemmas, pointers and glosses, from any form."""

from repline.cards import card_or_files
from repline.lexicons.wordnet import storage
from stages import run
from stages.folders import DATA, LEXICONS
from stages.lexicons.settings import load

FOLDER = LEXICONS / "wordnet"


def main() -> None:
    source = DATA / load().wordnet
    card = card_or_files(source)
    wordnet = storage.read(source)
    storage.save(wordnet, FOLDER, name=card["name"], licence=card["licence"], sources=[card])
    counts = wordnet.counts()
    print(f"{FOLDER}: {counts['synsets']} synsets, {counts['lemmas']} lemmas, {counts['pointers']} pointers")


if __name__ == "__main__":
    run(main)
