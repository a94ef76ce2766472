"""data/<source> -> data/corpora/<name>: a corpus with named entities. `python -m stages.entities.recognise NAME`."""

import sys
from pathlib import Path

from repline.corpora.entities.entity_corpus import write_entities
from repline.errors import InputError
from stages import run, threads
from stages.counter import counter
from stages.entities import settings


def main() -> None:
    corpora = settings.corpora(settings.load())
    if len(sys.argv) != 2 or sys.argv[1] not in corpora:
        raise InputError(f"expected the name of a corpus, one of: {', '.join(corpora) or 'none is named'}")
    knobs, folder = corpora[sys.argv[1]], Path("data/corpora") / sys.argv[1]
    counts = write_entities(
        Path("data") / knobs.pop("source"),
        folder,
        gazetteers=[settings.GAZETTEER],
        processes=threads(),
        progress=counter("sentences", "entities"),
        **knobs,
    )["counts"]
    print(f"{folder}: {counts['names']:,} names in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
