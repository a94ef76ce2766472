"""data/<source> -> data/corpora/<name>: a corpus with named entities. `python -m stages.entities.recognise NAME`."""

from repline.corpora.entities.entity_corpus import write_entities
from stages import run, threads
from stages.argument import argument
from stages.counter import counter
from stages.entities.settings import GAZETTEER, load
from stages.folders import CORPORA, DATA


def main() -> None:
    corpora = load().corpora
    name = argument("the name of a corpus", corpora)
    corpus, folder = corpora[name], CORPORA / name
    counts = write_entities(
        DATA / corpus.source,
        folder,
        corpus,
        gazetteers=[GAZETTEER],
        processes=threads(),
        progress=counter("sentences", "entities"),
    )["counts"]
    print(f"{folder}: {counts['names']:,} names in {counts['sentences']:,} sentences")


if __name__ == "__main__":
    run(main)
