"""Pairs, dictionary, vectors -> data/corpora/definition_nli/NAME: `python -m stages.definition_nli.prepare NAME`."""

from pathlib import Path

from repline.systems.definition_nli.corpus import write_data
from repline.systems.definition_nli.settings import read
from stages import run
from stages.argument import argument
from stages.definition_nli.places import CORPORA


def main() -> None:
    corpora = read().corpora
    name = argument("the name of a corpus", corpora)
    knobs = dict(corpora[name])
    for source in ("pairs", "dictionary", "vectors"):
        knobs[source] = Path("data") / knobs[source]
    counts = write_data(CORPORA / name, **knobs)["counts"]
    print(f"{CORPORA / name}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
