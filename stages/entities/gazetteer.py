"""data/<geonames>, data/<wordnet> -> data/lexicons/entity_gazetteer: names with their labels."""

from pathlib import Path

from repline.corpora.entities.gazetteers import ORIGINS, write
from stages import run
from stages.entities import settings


def main() -> None:
    own = settings.load().gazetteer
    places = {"geonames": Path("data") / own.geonames, "wordnet": Path("data") / own.wordnet}
    counts = write(settings.GAZETTEER, **places, own=own.own, smallest_city=own.smallest_city)["counts"]
    print(f"{settings.GAZETTEER}: {counts['names']:,} names ({', '.join(f'{counts[one]:,} {one}' for one in ORIGINS)})")


if __name__ == "__main__":
    run(main)
