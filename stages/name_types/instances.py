"""data/<wordnet>, data/<geonames> -> data/corpora/named_instances: names of instances and places by their types."""

from pathlib import Path

from repline.corpora.freebase.named_instances import write_instances
from repline.parameters import arguments
from stages import run
from stages.name_types import settings


def main() -> None:
    knobs = arguments(settings.load().instances)
    places = {name: Path("data") / knobs.pop(name) for name in ("wordnet", "geonames")}
    counts = write_instances(settings.INSTANCES, **places, **knobs)["counts"]
    print(f"{settings.INSTANCES}: " + ", ".join(f"{number:,} {what}" for what, number in counts.items()))


if __name__ == "__main__":
    run(main)
