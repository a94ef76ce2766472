"""data/<geonames>, data/<wordnet> -> data/lexicons/entity_gazetteer: names with their labels."""

from repline.corpora.entities.gazetteers import ORIGINS, write
from stages import run
from stages.entities.settings import GAZETTEER, load
from stages.folders import DATA


def main() -> None:
    gazetteer = load().gazetteer
    counts = write(
        GAZETTEER,
        geonames=DATA / gazetteer.geonames,
        wordnet=DATA / gazetteer.wordnet,
        own_lists=gazetteer.own,
        smallest_city=gazetteer.smallest_city,
        on_error=gazetteer.on_error,
        encoding=gazetteer.encoding,
    )["counts"]
    print(f"{GAZETTEER}: {counts['names']:,} names ({', '.join(f'{counts[origin]:,} {origin}' for origin in ORIGINS)})")


if __name__ == "__main__":
    run(main)
