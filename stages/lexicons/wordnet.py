"""data/<lexicons.wordnet> -> data/lexicons/wordnet: synsets with lemmas, pointers and glosses, from any form."""

from pathlib import Path

from repline.cards import card_or_files
from repline.lexicons.wordnet import storage as wordnet_files
from repline.parameters import load
from stages import run
from stages.lexicons.settings import Settings

FOLDER = Path("data/lexicons/wordnet")


def main() -> None:
    place = Path("data") / load(Settings, "lexicons").wordnet
    card = card_or_files(place)
    found = wordnet_files.read(place)
    wordnet_files.save(found, FOLDER, name=card["name"], licence=card["licence"], sources=[card])
    counts = found.counts()
    print(f"{FOLDER}: {counts['synsets']} synsets, {counts['lemmas']} lemmas, {counts['pointers']} pointers")


if __name__ == "__main__":
    run(main)
