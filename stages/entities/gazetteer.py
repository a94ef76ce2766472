"""data/<geonames>, data/<wordnet> -> data/lexicons/entity_gazetteer: names with their labels."""

from repline.corpora.entities.gazetteers import ORIGINS, write
from stages import run
from stages.entities.settings import GAZETTEER, load
from stages.folders import DATA


def main() -> None:
    chosen = load().gazetteer
    counts = write(
        GAZETTEER,
        geonames=DATA / chosen.geonames,
        wordnet=DATA / chosen.wordnet,
        own_lists=chosen.own,
        smallest_city=chosen.smallest_city,
    )["counts"]
    print(f"{GAZETTEER}: {counts['names']:,} names ({', '.join(f'{counts[one]:,} {one}' for one in ORIGINS)})")


if __name__ == "__main__":
    run(main)
