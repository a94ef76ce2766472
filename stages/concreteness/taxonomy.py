"""data/lexicons/wordnet, data/vectors -> data/corpora/taxonomic_concreteness: nouns rated by their place in WordNet."""

import pyarrow.parquet as pq

from repline.cards import read_card, write_card
from repline.files import new_folder
from repline.lexicons.wordnet import storage as wordnet_files
from repline.parameters import load
from repline.systems.concreteness.ratings import FILE, ratings_table
from repline.systems.concreteness.settings import Settings
from repline.systems.concreteness.taxonomy import taxonomic_concreteness
from repline.vectors.formats import readers
from stages import run
from stages.concreteness.rated_words import DATA


def main() -> None:
    settings = load(Settings, "concreteness")
    taxonomy = settings.taxonomy
    place = DATA / taxonomy.wordnet
    words, _ = readers.read(DATA / settings.vectors, limit=taxonomy.words)
    words = [word for word in words if word.isalpha()]
    table = ratings_table(taxonomic_concreteness(wordnet_files.load(place), words))
    card = read_card(place)
    with new_folder(DATA / "corpora" / "taxonomic_concreteness") as folder:
        pq.write_table(table, folder / FILE, compression="zstd")
        write_card(
            folder,
            name="taxonomic_concreteness",
            description="The share of a noun's senses that are physical entities in WordNet, from 1 to 5; no ratings "
            "of people",
            licence=card["licence"],
            sources=[{"name": taxonomy.wordnet, "corpus": card}],
            parameters=taxonomy.model_dump(),
            counts={"words": table.num_rows},
        )
    print(f"{table.num_rows} nouns")


if __name__ == "__main__":
    run(main)
