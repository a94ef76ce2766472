"""data/lexicons/wordnet, data/vectors -> data/corpora/taxonomic_concreteness: nouns rated by their place in WordNet."""

from repline.systems.concreteness.settings import load
from repline.systems.concreteness.taxonomy import write_taxonomic_concreteness
from repline.vectors.formats import readers
from stages import run
from stages.folders import CORPORA, DATA


def main() -> None:
    settings = load()
    words, _ = readers.read(DATA / settings.vectors, limit=settings.taxonomy.words)
    nouns = write_taxonomic_concreteness(CORPORA / "taxonomic_concreteness", settings.taxonomy, words, DATA)
    print(f"{nouns} nouns")


if __name__ == "__main__":
    run(main)
