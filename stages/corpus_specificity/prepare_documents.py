"""data/<corpus> -> data/corpora/corpus_specificity: cleaned documents, one row each."""

from repline.systems.corpus_specificity.corpus import write_data
from repline.systems.corpus_specificity.settings import load
from stages import run
from stages.folders import CORPORA, DATA


def main() -> None:
    settings = load()
    folder = CORPORA / "corpus_specificity"
    counts = write_data(folder, DATA / settings.corpus, settings.documents)["counts"]
    print(f"{folder}: {counts['documents']:,} documents, {counts['tokens']:,} words")


if __name__ == "__main__":
    run(main)
