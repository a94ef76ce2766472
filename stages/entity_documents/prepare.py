"""Documents with names written in every way: `python -m stages.entity_documents.prepare wordnet_places`.

data/<documents>, data/<labels> -> data/corpora/entity_documents/<corpus>
"""

import sys
from pathlib import Path

from repline.systems.entity_documents.documents import write_documents
from repline.systems.entity_documents.settings import corpus, read
from stages import run
from stages.entity_documents.places import DOCUMENTS


def main() -> None:
    settings = read()
    name = corpus(settings, sys.argv[1:])
    knobs = dict(settings.corpora[name])
    places = [Path("data") / knobs.pop(place) for place in ("documents", "labels")]
    counts = write_documents(*places, DOCUMENTS / name, **knobs)["counts"]
    print(f"{DOCUMENTS / name}: " + ", ".join(f"{count:,} {what}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
