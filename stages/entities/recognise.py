"""data/<source> -> data/corpora/<name>: a corpus with named entities. `python -m stages.entities.recognise NAME`."""

from pathlib import Path

from repline.corpora.entities.entity_corpus import write_entities
from stages import run, threads
from stages.argument import argument
from stages.counter import counter
from stages.entities import settings


def main() -> None:
    corpora = settings.corpora(settings.load())
    name = argument("the name of a corpus", corpora)
    knobs, folder = corpora[name], Path("data/corpora") / name
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
