"""data/<wordnet>, data/<geonames> -> data/corpora/named_instances: names of instances and places by their types."""

from repline.corpora.freebase.named_instances import write_instances
from stages import run
from stages.folders import CORPORA
from stages.name_types.settings import load


def main() -> None:
    folder = CORPORA / "named_instances"
    counts = write_instances(folder, load().instances)["counts"]
    print(f"{folder}: " + ", ".join(f"{number:,} {what}" for what, number in counts.items()))


if __name__ == "__main__":
    run(main)
