"""Pairs, dictionary, vectors -> data/corpora/definition_nli/NAME: `python -m stages.definition_nli.prepare NAME`."""

from repline.systems.definition_nli.corpus import write_data
from repline.systems.definition_nli.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    folder = CORPORA / "definition_nli" / name
    counts = write_data(folder, settings.corpora[name])["counts"]
    print(f"{folder}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items()))


if __name__ == "__main__":
    run(main)
